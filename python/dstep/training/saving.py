"""Checkpoints of a training: trained values and position, so that it resumes with the bits of an uninterrupted run.

They have ds-run's format, written and read by ds_saves of libds.so: FILE.safetensors and numbered checkpoints beside
it, with a checksum, a lock, and the identity of their step and data. The metadata ds.fit is fit's own, as JSON: the
metrics of finished epochs, the sums of the current epoch, the position in the data. Numbers, texts, lists and
dictionaries are JSON's; other values, such as arrays and bytes in the state of a loader, are {"=": kind, "of":
content}. Reading a file runs no code from it.
"""
import base64
import collections
import contextlib
import ctypes
import json
import os
import pathlib

import numpy as np

from ..base import arrays, checks
from ..base.errors import RunError, in_python, warn
from ..session import handed, native

FORM = 2  # form 1 had neither a checksum nor the identity of step and data
KEEP = 3  # numbered checkpoints, as with --keep of ds-run
READ, NEW, RESUME = range(3)  # ds_saving


def packed(value, where="the state of data="):
    """Returns a value in the types of JSON."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, np.generic):
        return int(value) if isinstance(value, int) else float(value)
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        content = [packed(item, where) for item in value]
        return content if type(value) is list else {"=": "tuple" if isinstance(value, tuple) else type(value).__name__,
                                                    "of": content}
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
        return {"=": kind, "type": value.dtype.name, "shape": list(value.shape),
                "of": base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()}
    raise ValueError(f"{where} holds {checks.kind(value)}, which fit cannot save; expected numbers, texts, bytes, "
                     "arrays, and lists and dictionaries of them")


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
    return {"tuple": tuple, "set": set, "frozenset": frozenset, "deque": collections.deque}[kind](unpacked(item)
                                                                                                  for item in content)


class Checkpoint:
    """The checkpoints of a training. `every` is a number of steps, or None: after each epoch."""

    def __init__(self, path, every=None, resume=False):
        if path is None and (every is not None or resume):
            raise ValueError(f"{'save_every=' if every is not None else 'resume='} needs save=, the file of the "
                             "training")
        if path is not None and not str(path).endswith(".safetensors"):
            raise ValueError(f"save={str(path)!r}, expected a name that ends in .safetensors")
        self.path = path and pathlib.Path(path)
        self.every = every if every is None else checks.integer("save_every", every, 1)
        self.resume, self.handle, self.is_old = bool(resume), None, False

    def is_due(self, step):
        return self.every is not None and step % self.every == 0

    @contextlib.contextmanager
    def opened(self, writes=True):
        """Holds the file open during a training. Of several processes only one `writes`."""
        self.library, process = native.library(), os.getpid()
        saving = (RESUME if self.resume else NEW) if writes else READ
        self.handle = self._call("ds_saves_create", self.library.context, os.fsencode(self.path), saving, KEEP,
                                 made=True)
        try:
            yield
        finally:
            handle, self.handle = self.handle, None
            if os.getpid() == process:  # the writing thread does not exist in a forked child
                self.library.functions.ds_saves_destroy(handle)

    def _call(self, name, *values, made=False, kind=RunError):
        try:
            return (self.library.make if made else self.library.call)(name, *values)
        except RunError as error:
            raise kind(in_python(error)) from None

    def write(self, values, step, facts, instance, data=None, numbered=False):
        """Writes {name: array} and the metadata `facts`: to the file, or to a numbered checkpoint beside it."""
        held = {name: np.asarray(arrays.signless(value), order="C") for name, value in values.items()}
        metadata = (ctypes.c_char_p * 2)(b"ds.fit", json.dumps({"form": FORM} | packed(facts)).encode())
        self._call("ds_saves_write", self.handle, instance.program.handle, instance.instance, data and data.handle,
                   step,
                   numbered, handed.described(held), len(held), metadata, 1)

    def found(self):
        """Returns ({name: array}, step, metadata) of the newest intact checkpoint, or None if there is none."""
        if not self.resume:
            return None
        cannot = f"save='{self.path}' cannot be gone on with: "
        try:
            text = self.library.text("ds_saves_find", self.handle)
        except RunError as error:
            raise ValueError(cannot + in_python(error)) from None
        if not text:
            return None
        found = json.loads(text)
        file, metadata = found["file"], found["metadata"]
        try:
            facts = unpacked(json.loads(metadata["ds.fit"]))
            form = facts.pop("form")
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            why = "it was not written by fit" if isinstance(error, KeyError) else str(error).splitlines()[0]
            raise ValueError(cannot + f"'{file}': {why}") from None
        if form == 1:
            warn(f"'{file}' was written by an earlier version of dstep, without a checksum and without a note of "
                 "its step and data, so neither is compared")
        elif form != FORM:
            raise ValueError(cannot + f"'{file}' was written by another version of dstep")
        elif "ds.checksum" not in metadata:
            raise ValueError(cannot + f"'{file}' has no checksum, so it is damaged, or another program has written it")
        self.is_old, values = form == 1, {}
        on_array = handed.OnArray(lambda array, _: values.update([handed.copied(array.contents)]))
        self._call("ds_saves_read", self.handle, on_array, None)
        return values, found["step"], facts

    def check(self, instance, data=None):
        """Raises ValueError if the checkpoint is of another step, or of other data than `data`."""
        if not self.is_old:
            self._call("ds_saves_check", self.handle, instance.program.handle, data and data.handle, kind=ValueError)

    def values(self, export, stored):
        """Returns the stored arrays as the export's parameters and states."""
        found = {}
        for a in export.manifest["args"]:
            if a["role"] in ("param", "state"):
                value = stored.get(a["name"])
                if value is None or list(value.shape) != list(a["shape"]):
                    has = "nothing" if value is None else f"the shape {tuple(value.shape)}"
                    raise ValueError(f"save='{self.path}' is of another training: it has {has} for '{a['name']}', "
                                     f"expected {tuple(a['shape'])}")
                found[a["name"]] = arrays.restore(value, arrays.dtype(a["dtype"]))
        return found
