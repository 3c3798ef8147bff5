"""Exports of all front ends: the files of one export, side by side.

    NAME.mlir          the step on upstream dialects with roles
    NAME.json          its manifest
    NAME.safetensors   initial parameters and states
    NAME.npz           a recording: stepK_argI and stepK_resI, computed by the framework (ds-run --replay compares with
                       it)
"""
import json
import os
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import arrays


class Export:
    """An exported step. Front ends set `mlir` and implement `flatten(args)` and `run(arrays)`."""
    mlir: str
    is_function = False  # no updates, and one device

    def __init__(self, name, manifest):
        self.name, self.manifest = name, manifest

    def __repr__(self):
        count = lambda role: sum(a["role"] == role for a in self.manifest["args"])
        return (f"{type(self).__name__}('{self.name}', {count('param')} parameters, {count('state')} states, batch of "
                f"{self.batch_size})")

    def hold_samples(self, result: int, dim: int | None) -> bool:
        """Marks a result as holding its samples in a dimension, as the ranks found. Returns True if it was marked: the
        user has not named another dimension."""
        return False

    @property
    def carried(self):
        """Returns the (argument, result) positions of every value that the step passes to the next one."""
        position = {a["name"]: i for i, a in enumerate(self.manifest["args"]) if a["role"] in ("param", "state")}
        return [(position[r["role"][8:]], k) for k, r in enumerate(self.manifest["results"])
                if r["role"].startswith("updates:")]

    @property
    def batch_size(self):
        """Returns the number of samples; a batch argument may hold several entries for each."""
        return min(a["shape"][a["dim"]] for a in self.manifest["args"] if a["role"] == "batch")

    def entries(self, name):
        """Returns the number of entries that a batch argument holds for each sample."""
        argument = next(a for a in self.manifest["args"] if a["name"] == name)
        return argument["shape"][argument["dim"]] // self.batch_size

    def initial_values(self, args=None):
        """Returns {name: array} of parameters and states."""
        values = self.flatten(self.args if args is None else args)
        return {a["name"]: arrays.signless(v) for a, v in zip(self.manifest["args"], values) if a["role"] in (
            "param", "state")}

    def record(self, steps):
        """Returns the arrays of a recording of consecutive steps; `steps` holds the arguments of each. From the second
        step on, parameters and states come from the step before."""
        recorded, values = {}, None
        stored = {a for a, _ in self.carried}
        for number, args in enumerate(steps, 1):
            given = self.flatten(args)
            if values is not None:
                for argument, result in self.carried:
                    given[argument] = values[result]
            recorded |= {f"step{number}_arg{i}": arrays.recordable(v) for i, v in enumerate(given) if number == 1
                         or i not in stored}
            values = self.run(given)
            recorded |= {f"step{number}_res{i}": arrays.recordable(v) for i, v in enumerate(values)}
        return recorded

    def write(self, folder: str | os.PathLike[str], steps: Sequence[Any] | None = None, **more: Any) -> pathlib.Path:
        """Writes all files; without `steps` there is no recording. `more` is added to NAME.json."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.mlir").write_text(self.mlir)
        (folder / f"{self.name}.json").write_text(json.dumps(self.manifest | more, indent=1) + "\n")
        arrays.write_safetensors(folder / f"{self.name}.safetensors", self.initial_values())
        if steps:
            np.savez(folder / f"{self.name}.npz", **self.record(steps))
        return folder / f"{self.name}.mlir"
