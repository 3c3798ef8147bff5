"""Row counts of files in --data, from their headers: IDX, .npy, both also with gzip, .npz and .safetensors; several
files are summed."""
import contextlib
import glob
import gzip
import json
import os
import struct
import zipfile

import numpy as np


def _parts(text):
    """Splits FILE[:KEY][:scale=S].. into (file, key); a backslash escapes the next character."""
    parts, escaped = [""], False
    for letter in text:
        if escaped or letter not in "\\:":
            parts[-1] += letter
            escaped = False
        elif letter == "\\":
            escaped = True
        else:
            parts.append("")
    keys = [part for part in parts[1:] if "=" not in part]
    return parts[0], keys[0] if keys else None


def _of_npy(stream):
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return read(stream)[0]


def _of_idx(stream):
    zero, _, rank = struct.unpack(">HBB", stream.read(4))
    if zero or not rank:
        raise ValueError("it is none of IDX and .npy (plain or gzip), .npz and .safetensors")
    return struct.unpack(f">{rank}I", stream.read(4 * rank))


def _chosen(names, key, argument):
    for name in (key, argument, names[0] if len(names) == 1 else None):
        if name in names:
            return name
        if name is not None and name == key:
            break
    raise ValueError(f"it holds {', '.join(names)}, expected '{key or argument}'")


def _shape(path, key, argument):
    if path.endswith(".safetensors"):
        with open(path, "rb") as file:
            header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        header.pop("__metadata__", None)
        return header[_chosen(list(header), key, argument)]["shape"]
    with open(path, "rb") as file:
        start = file.read(8)
    if start.startswith(b"PK"):
        with zipfile.ZipFile(path) as packed:
            names = [name.removesuffix(".npy") for name in packed.namelist()]
            with packed.open(f"{_chosen(names, key, argument)}.npy") as stream:
                return _of_npy(stream)
    with contextlib.ExitStack() as opened:
        stream = opened.enter_context(gzip.open(path) if start.startswith(b"\x1f\x8b") else open(path, "rb"))
        return _of_npy(stream) if path.endswith((".npy", ".npy.gz")) else _of_idx(stream)


def files_of(name):
    """Returns the files that ds-run finds for a name: one file, those of a pattern, or those that a list names."""
    if os.path.exists(name):
        return [name]
    if name.startswith("@"):
        with open(name[1:]) as lines:
            listed = [line.strip() for line in lines]
        return [os.path.join(os.path.dirname(name[1:]), line) for line in listed if line and not line.startswith("#")]
    return sorted(glob.glob(name)) or [name]


def count(text, argument):
    """Returns the rows of the file that data= names for an argument, in the form of ds-run's --data."""
    name, key = _parts(text)
    total = 0
    try:
        for path in files_of(name):
            shape = _shape(path, key, argument)
            if not shape:
                raise ValueError("it holds one number, expected an array of all samples")
            total += shape[0]
    except (OSError, EOFError, ValueError, struct.error, zipfile.BadZipFile) as error:
        raise ValueError(f"data= names '{text}' for '{argument}', which cannot be read: "
                         f"{str(error).splitlines()[0]}") from None
    return total
