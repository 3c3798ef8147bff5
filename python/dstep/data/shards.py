"""The tar shards of WebDataset: files of one sample are adjacent, and share their name up to its first dot."""
import io
import json
import tarfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import images
from .files import Source, fitted, library, named, stacked

IMAGES = ("jpg", "jpeg", "png", "webp", "bmp", "ppm", "pgm", "pbm", "pnm")
INTEGERS = ("cls", "cls2", "class", "count", "index", "inx", "id")  # integers as text, as in the library


def decoded(ending, data, key, wanted, place):
    """Returns the content of a sample's file, decoded by the ending of its name; `key` names an array of an .npz or an
    entry of a json. Files with other endings stay bytes."""
    last = ending.rpartition(".")[2].lower()
    try:
        if last in IMAGES:
            return images.decode(data, wanted, place)
        if last in INTEGERS:
            return int(data)
        if last == "npy":
            return np.load(io.BytesIO(data), allow_pickle=False)
        if last == "npz":
            with np.load(io.BytesIO(data), allow_pickle=False) as packed:
                if not key and len(packed.files) > 1:
                    raise ValueError(f"it holds {', '.join(packed.files)}, expected the name of one, as in "
                                     f"\"{ending}:{packed.files[0]}\"")
                if key and key not in packed.files:
                    raise ValueError(f"it holds {', '.join(packed.files)}, expected '{key}'")
                return packed[key or packed.files[0]]
        if last == "json":
            value = json.loads(data)
            return value if not key else value[key]
    except (OSError, EOFError, KeyError, ValueError) as error:
        told = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(told if told.startswith(place) else f"{place} cannot be read as {last}: {told}") from None
    return data


def field_of(sample, endings):
    """Returns (ending, key) of the sample's file that the field `jpg;png` or `npz:key` selects."""
    for each in endings.split(";"):
        ending, _, key = each.strip().partition(":")
        if ending in sample:
            return ending, key
    return None


def webdataset(files: Any, *, transform: Mapping[str, Callable[..., Any]] | None = None, **fields: str) -> Source:
    """Returns a source of samples in WebDataset's tar shards.

        dstep.data.webdataset("mnist-{0000..0009}.tar", x="jpg;png", y="cls")

    files      a name, also with {0000..0009}, a pattern, a folder, or a list of these
    fields     for each batch argument the ending of its file in a sample: jpg, png and the other images of Pillow, npy,
               npz (npz:name of an array), json (json:key), cls, index and id (an integer as text). Alternatives are
               separated by ';'. Without fields, the file is that of the argument's name with npy, cls, jpg or png
    transform  {batch argument: function of the file's content}: bytes for unknown endings, images in Pillow's layout

    An image is converted to the channels of the step: [height, width] and one channel make it grey, three RGB, and the
    channels may come first. All samples are decoded once. For samples beyond the memory's size, pass fit a DataLoader
    of a webdataset pipeline.
    """
    library("webdataset", "webdataset", "a tar shard in data=")
    iterators, shardlists = library("webdataset.tariterators", "webdataset",
                                    "a tar shard in data="), library("webdataset.shardlists", "webdataset",
                                                                     "a tar shard in data=")
    paths, transform = named(files, (".tar",), shardlists.expand_urls), dict(transform or {})

    def read_shard(path, names, wanted):
        rows, keys = {name: [] for name in names}, []
        with open(path, "rb") as stream:
            for sample in iterators.group_by_keys(iterators.tar_file_expander([{"url": path, "stream": stream}])):
                keys.append(sample["__key__"])
                for name in names:
                    rows[name].append(value_of(path, len(keys) - 1, sample, name, wanted[name]))
        places = {name: (lambda row, name=name: f"'{path}': sample {row} '{keys[row]}' for '{name}'") for name in names}
        return {name: fitted(stacked(rows[name], places[name]), wanted[name], places[name])
                for name in names} if keys else {name: [] for name in names}

    def value_of(path, number, sample, name, wanted):
        endings, held = fields.get(name) or f"{name}.npy;{name}.cls;{name}.jpg;{name}.png", [ending
                                                                                             for ending in sample
                                                                                             if not ending.startswith(
                                                                                                 "__")]
        found = field_of(sample, endings)
        if found is None:
            raise ValueError(f"'{path}': sample {number} '{sample['__key__']}' has {', '.join(held)}, expected "
                             f"{endings.replace(';', ' or ')} for '{name}'; dstep.data.webdataset(files, x=\"jpg\", "
                             "y=\"cls\") names them")
        (ending, key), function = found, transform.get(name)
        place = f"'{path}': '{sample['__key__']}.{ending}' for '{name}'"
        value = decoded(ending, sample[ending], key, None if function else wanted, place)
        value = function(value) if function else value
        if isinstance(value, bytes):
            raise ValueError(f"{place} has the ending {ending}, expected one of "
                             f"{', '.join((*IMAGES[:3], 'npy', 'npz', 'json', 'cls'))}, or transform=")
        return value

    def read(names, wanted):
        for path in paths:
            try:
                yield read_shard(path, names, wanted)
            except FileNotFoundError:
                raise ValueError(f"'{path}' is not there, expected a tar shard") from None
            except (OSError, tarfile.TarError, EOFError) as error:
                raise ValueError(f"'{path}' cannot be read as tar: {error.args[0] if error.args else error}") from None

    return Source(read, {name: name for name in fields})
