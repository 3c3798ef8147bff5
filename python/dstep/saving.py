"""A training's file: what fit has trained, and where it is, so that it goes on as if nobody had disturbed it.

A .safetensors that `ds-run --init` reads as well: parameters and states by name, and in its metadata ds.step and ds.fit, which is JSON: the metrics of the epochs
until then, the sums of the one that runs, the place in the data. Numbers, texts, lists and dictionaries are JSON's; what JSON does not have, such as the arrays and
bytes in the state of a loader, is {"=": its kind, "of": its content}. Nothing in the file is run.
"""
import base64
import collections
import contextlib
import json
import os
import pathlib
import struct

import numpy as np

from . import arrays, checks
from .errors import RunError

FORM = 1


def packed(value, where="the state of data="):
    """A value as JSON has it."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, np.generic):
        return int(value) if isinstance(value, int) else float(value)
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        content = [packed(item, where) for item in value]
        return content if type(value) is list else {"=": "tuple" if isinstance(value, tuple) else type(value).__name__, "of": content}
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value) and "=" not in value:
            return {key: packed(item, where) for key, item in value.items()}
        return {"=": "dict", "of": [[packed(key, where), packed(item, where)] for key, item in value.items()]}
    if isinstance(value, (bytes, bytearray)):
        return {"=": "bytes", "of": base64.b64encode(value).decode()}
    kind = "array"
    if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "numpy"):
        kind, value = "tensor", value.detach().cpu().numpy()
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        kind = "number" if isinstance(value, np.generic) else kind
        return {"=": kind, "type": value.dtype.name, "shape": list(value.shape), "of": base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()}
    raise ValueError(f"{where} holds {checks.kind(value)}, which fit cannot save; expected numbers, texts, bytes, arrays, and lists and dictionaries of them")


def unpacked(value):
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind, content = value.get("="), value.get("of")
    if kind is None:
        return {key: unpacked(item) for key, item in value.items()}
    if kind == "bytes":
        return base64.b64decode(content)
    if kind == "dict":
        return {unpacked(key): unpacked(item) for key, item in content}
    if kind in ("array", "number", "tensor"):
        array = np.frombuffer(base64.b64decode(content), arrays.dtype(value["type"])).reshape(value["shape"]).copy()
        if kind == "tensor":
            import torch
            return torch.from_numpy(array)
        return array[()] if kind == "number" else array
    return {"tuple": tuple, "set": set, "frozenset": frozenset, "deque": collections.deque}[kind](unpacked(item) for item in content)


class Checkpoint:
    """The file of a training. `every` is a number of steps, or None: after each epoch."""

    def __init__(self, path, every=None, resume=False):
        if path is None and (every is not None or resume):
            raise ValueError(f"{'save_every=' if every is not None else 'resume='} needs save=, the file of the training")
        if path is not None and not str(path).endswith(".safetensors"):
            raise ValueError(f"save={str(path)!r}, expected a name that ends in .safetensors")
        self.path = path and pathlib.Path(path)
        if self.path is not None:  # said before anything is trained
            folder = self.path.parent
            reason = f"there is no folder '{folder}'" if not folder.is_dir() else "it is a folder" if self.path.is_dir() else f"the folder '{folder}' may not be written" \
                if not os.access(folder, os.W_OK) else None
            if reason:
                raise ValueError(f"save='{path}' cannot be written: {reason}")
        self.every = every if every is None else checks.integer("save_every", every, 1)
        self.resume = bool(resume)

    def is_due(self, step):
        return self.every is not None and step % self.every == 0

    def write(self, values, step, told):
        """Replaces the file by {name: array} and what `told` says, when it is complete and on the disk."""
        new = self.path.with_name(f"{self.path.name}.tmp-{os.getpid()}")
        values, metadata = {name: arrays.signless(value) for name, value in values.items()}, {"ds.step": str(step), "ds.fit": json.dumps({"form": FORM} | packed(told))}
        try:
            arrays.write_safetensors(new, values, metadata)
            with open(new, "rb") as file:
                os.fsync(file.fileno())
            os.replace(new, self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                new.unlink()
            raise RunError(f"save='{self.path}' cannot be written: {error.strerror}") from error

    def found(self):
        """({name: array}, step, what was told), or None where there is nothing to go on with."""
        if not self.resume or not self.path.exists():
            return None
        try:
            with open(self.path, "rb") as file:
                metadata = json.loads(file.read(struct.unpack("<Q", file.read(8))[0])).get("__metadata__", {})
            told, step, values = unpacked(json.loads(metadata["ds.fit"])), int(metadata["ds.step"]), arrays.read_safetensors(self.path)
        except (KeyError, ValueError, struct.error) as error:
            raise ValueError(f"save='{self.path}' cannot be gone on with: {'it was not written by fit' if isinstance(error, KeyError) else str(error).splitlines()[0]}") from None
        if told.pop("form") != FORM:
            raise ValueError(f"save='{self.path}' was written by another version of dstep")
        return values, step, told

    def values(self, export, stored):
        """The stored arrays as the export's parameters and states."""
        found = {}
        for a in export.manifest["args"]:
            if a["role"] in ("param", "state"):
                value = stored.get(a["name"])
                if value is None or list(value.shape) != list(a["shape"]):
                    has = "nothing" if value is None else f"the shape {tuple(value.shape)}"
                    raise ValueError(f"save='{self.path}' is of another training: it has {has} for '{a['name']}', expected {tuple(a['shape'])}")
                found[a["name"]] = arrays.restore(value, arrays.dtype(a["dtype"]))
        return found
