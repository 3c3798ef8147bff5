"""Checkpoints of ds as those of PyTorch (DCP) and of JAX (Orbax), and back: a training moves in and out.

    python -m dstep.checkpoints convert w.safetensors FOLDER --to dcp     (or orbax)
    python -m dstep.checkpoints convert FOLDER w.safetensors

A checkpoint of ds is a .safetensors or the index of one in shares. Values keep their bits, and what ds writes beside
them, such as the step, is one more array, `ds.metadata`, so that a checkpoint that comes back resumes. Names are those
of the parameters and states; a dot in a name is a level of the tree, as PyTorch and JAX name what they nest. The
libraries themselves write and read their formats.

DCP keeps its directory of a checkpoint in a pickle, which PyTorch runs: read only what comes from those you trust.
"""
import argparse
import ctypes
import json
import os
import pathlib
import sys
from typing import Any

import ml_dtypes
import numpy as np

from .base import arrays
from .base.errors import RunError, in_python, warn
from .session import handed, native

Path = str | os.PathLike[str]
METADATA, EMPTY = "ds.metadata", "ds.empty"  # arrays of JSON as bytes: {key: text}; {name: [dtype, shape]}


def read(file: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Returns ({name: array}, {key: text}) of a checkpoint of ds: all its shares, if `file` is an index."""
    library, values, metadata = native.library(), dict[str, Any](), list[bytes]()
    on_text = handed.OnText(lambda data, length, _: metadata.append(ctypes.string_at(data, length)))
    on_array = handed.OnArray(lambda array, _: values.update([handed.copied(array.contents)]))
    _call("ds_checkpoint_read", library.context, os.fsencode(file), on_text, on_array, None)
    return values, json.loads(b"".join(metadata))


def write(file: Path, values: dict[str, Any], metadata: dict[str, str]) -> None:
    """Writes {name: array} and {key: text} as a checkpoint of ds, with its checksum."""
    held = {name: np.asarray(value, order="C") for name, value in values.items()}
    pairs = [text.encode() for pair in metadata.items() for text in pair]
    _call("ds_checkpoint_write", native.library().context, os.fsencode(file), handed.described(held), len(held),
          (ctypes.c_char_p * len(pairs))(*pairs), len(metadata))


def _call(name, *values):
    try:
        native.library().call(name, *values)
    except RunError as error:
        raise RunError(in_python(error)) from None


def to_dcp(file: Path, folder: Path, prefix: str = "") -> None:
    """Writes a checkpoint of ds as one of torch.distributed.checkpoint, whose names get `prefix`, such as "model."."""
    import torch
    from torch.distributed import checkpoint
    state = {name: _tensor(torch, value) for name, value in _to_write(file, folder, prefix).items()}
    checkpoint.save(state, checkpoint_id=str(folder), no_dist=True)


def from_dcp(folder: Path, file: Path, prefix: str = "") -> None:
    """Writes a checkpoint of torch.distributed.checkpoint, of any number of ranks, as one of ds: the tensors whose
    names begin with `prefix`, without it."""
    import torch
    from torch.distributed import checkpoint
    from torch.distributed.checkpoint.metadata import TensorStorageMetadata
    entries = checkpoint.FileSystemReader(str(folder)).read_metadata().state_dict_metadata
    state = {name: torch.empty(entry.size, dtype=entry.properties.dtype) for name, entry in entries.items()
             if isinstance(entry, TensorStorageMetadata) and (name == METADATA or name.startswith(prefix))}
    if left := sorted(name for name in entries if name.startswith(prefix) and name not in state):
        warn(f"'{folder}' holds objects that are no tensors, which stay out: {', '.join(left)}")
    checkpoint.load(state, checkpoint_id=str(folder), no_dist=True)
    _write_read(file, folder, {name: _array(torch, tensor) for name, tensor in state.items()}, prefix)


def to_orbax(file: Path, folder: Path, prefix: str = "") -> None:
    """Writes a checkpoint of ds as one of Orbax, whose names get `prefix`, such as "params."."""
    from orbax import checkpoint
    tree: dict[str, Any] = {}
    values = _to_write(file, folder, prefix)
    empty = {name: value for name, value in values.items() if not value.size}  # which Orbax refuses
    values[EMPTY] = _as_bytes({name: [value.dtype.name, value.shape] for name, value in empty.items()})
    for name, value in values.items():
        if name in empty:
            continue
        at, key = tree, name
        while name not in (METADATA, EMPTY) and "." in key:
            level, rest = key.split(".", 1)
            if name[:len(name) - len(rest) - 1] in values:  # w beside w.momentum
                break
            at, key = at.setdefault(level, {}), rest
        at[key] = value
    with checkpoint.PyTreeCheckpointer() as checkpointer:
        checkpointer.save(pathlib.Path(folder).absolute(), tree)


def from_orbax(folder: Path, file: Path, prefix: str = "") -> None:
    """Writes a checkpoint of Orbax, of any number of devices, as one of ds: the arrays whose names begin with `prefix`,
    without it."""
    import jax
    from orbax import checkpoint
    place = pathlib.Path(folder).absolute()
    with checkpoint.PyTreeCheckpointer() as checkpointer:
        tree = checkpointer.metadata(place).item_metadata.tree
        as_array = jax.tree.map(lambda _: checkpoint.RestoreArgs(restore_type=np.ndarray), tree)
        restored = checkpointer.restore(place, restore_args=as_array)
    values = {}
    for path, value in jax.tree_util.tree_flatten_with_path(restored)[0]:
        name = ".".join(str(getattr(key, "key", getattr(key, "idx", getattr(key, "name", key)))) for key in path)
        if name in (METADATA, EMPTY) or name.startswith(prefix):
            values[name] = np.asarray(value)
    for name, (dtype, shape) in _from_bytes(values.pop(EMPTY, None)).items():
        values[name] = np.zeros(shape, arrays.dtype(dtype))
    _write_read(file, folder, values, prefix)


def _to_write(file, folder, prefix):
    """Returns {name: array} of a checkpoint of ds, its metadata among them, for a folder that is not there yet."""
    if pathlib.Path(folder).exists():
        raise ValueError(f"'{folder}' is there already, expected the name of a new folder")
    values, metadata = read(file)
    if METADATA in values:
        raise ValueError(f"'{file}' has a value of the name '{METADATA}', which a conversion needs for itself")
    return {prefix + name: value for name, value in values.items()} | {METADATA: _as_bytes(metadata)}


def _write_read(file, folder, values, prefix):
    metadata = _from_bytes(values.pop(METADATA, None))
    if not values:
        raise ValueError(f"'{folder}' holds no tensor" + (f" whose name begins with '{prefix}'" if prefix else ""))
    write(file, {name[len(prefix):]: value for name, value in values.items()}, metadata)


def _as_bytes(value):
    return np.frombuffer(json.dumps(value, sort_keys=True).encode(), np.uint8)


def _from_bytes(array):
    return {} if array is None else json.loads(array.tobytes())


def _tensor(torch, array):
    array = np.require(array, requirements=["C", "W"])
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _array(torch, tensor):
    if tensor.dtype == torch.bfloat16:
        return tensor.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def convert(source: Path, target: Path, to: str | None = None, prefix: str = "") -> None:
    """Converts a checkpoint. `to` is the kind of a folder that is written, "dcp" or "orbax"; a `target` that ends in
    .safetensors is one of ds."""
    is_folder = os.path.isdir(source)
    if not os.path.exists(source):
        raise ValueError(f"'{source}' is not there")
    if to not in (None, "dcp", "orbax"):
        raise ValueError(f"to={to!r}, expected 'dcp' or 'orbax'")
    if is_folder == (to is not None) or (to is None and not os.fspath(target).endswith(".safetensors")):
        raise ValueError(f"from '{source}' to '{target}': expected a checkpoint of ds and, with --to dcp or --to "
                         "orbax, a folder, or a folder and a name that ends in .safetensors")
    if to is not None:
        (to_dcp if to == "dcp" else to_orbax)(source, target, prefix)
    else:
        (from_dcp if (pathlib.Path(source) / ".metadata").exists() else from_orbax)(source, target, prefix)


def main(arguments=None):
    parser = argparse.ArgumentParser("python -m dstep.checkpoints", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="convert")
    command = commands.add_parser("convert", help="write a checkpoint in another form")
    command.add_argument("source", metavar="FROM", help="a .safetensors, the index of one in shares, or a folder of "
                         "DCP or Orbax")
    command.add_argument("target", metavar="TO", help="a name that ends in .safetensors, or, with --to, a new folder")
    command.add_argument("--to", choices=["dcp", "orbax"], help="the kind of the folder")
    command.add_argument("--prefix", default="", help="of the names in the folder, as in model.fc.weight: model.")
    given = parser.parse_args(arguments)
    try:
        convert(given.source, given.target, given.to, given.prefix)
    except (ValueError, RunError) as error:
        sys.exit(f"dstep.checkpoints: error: {error}")
    except ImportError as error:
        sys.exit(f"dstep.checkpoints: error: {error}; install what reads and writes this form: pip install torch, or "
                 "orbax-checkpoint")


if __name__ == "__main__":
    main()
