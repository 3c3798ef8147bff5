"""Training samples of an instance, through ds_data of libds.so."""
import ctypes
import weakref

import numpy as np

from ..session import handed

LAST_BATCH = {None: 0, "drop": 1, "wrap": 2, "pad": 3}  # ds_last_batch


class Data:
    """Training samples of an instance, in ds-run's order and sharding: {argument: array, or file in the form of
    --data}. The arrays are kept alive. With `saved`, checkpoints hold a fingerprint of the samples."""

    def __init__(self, instance, values, seed=0, last_batch=None, saved=False):
        self.instance, lib = instance, instance.library
        arrays = {name: np.ascontiguousarray(value.astype(value.dtype.newbyteorder("="), copy=False))
                  for name, value in values.items() if isinstance(value, np.ndarray)}
        files = ",".join(f"{name}={value}" for name, value in values.items() if name not in arrays)
        self.metrics = [result["name"] for result in instance.results if "metric" in result
                        and np.prod(result["shape"]) == 1]
        self._numbers, self._stop, self._arrays = (ctypes.c_double * len(self.metrics))(), ctypes.c_int32(), arrays
        options = handed.DataOptions(ctypes.sizeof(handed.DataOptions), LAST_BATCH[last_batch], seed,
                                     files.encode() or None,
                                     handed.described(arrays), len(arrays), saved, 0)
        self.handle = lib.make("ds_data_create", instance.program.handle, instance.instance, ctypes.byref(options))
        self._end = weakref.finalize(self, lib.release, ("ds_data_destroy", self.handle))
        self.steps_per_epoch = lib.functions.ds_data_steps_per_epoch(self.handle)

    def close(self):
        self._end()

    def run(self, step, stop=False):
        """Runs a step, which counts from 0 over all epochs. Returns its metrics in the order of `metrics`, and True if
        any process asks to stop, as `stop` does for this one."""
        self._stop.value = stop
        self.instance.steps += 1
        self.instance.library.call("ds_data_run", self.handle, step, self._numbers, len(self.metrics),
                                   ctypes.byref(self._stop))
        return list(self._numbers), bool(self._stop.value)
