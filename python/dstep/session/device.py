"""Values that ranks hold, on a CPU or a GPU: `HeldArray`, which other libraries of the process read without a copy, and
helpers for instances on GPUs."""
import ctypes
import weakref

import numpy as np

from ..base import arrays, dlpack
from ..base.errors import RunError

_Handle, _Number = ctypes.c_void_p, ctypes.c_int64


class View(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("reserved", ctypes.c_uint32), ("data", ctypes.c_void_p),
                ("type", ctypes.c_char_p), ("num_dimensions", _Number), ("shape", ctypes.POINTER(_Number)), ("strides", ctypes.POINTER(_Number))]


class Borrowed(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_int32), ("slot", ctypes.c_int32), ("is_result", ctypes.c_int32), ("reserved", ctypes.c_uint32), ("of", _Handle)]


class InstanceOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("on_index", ctypes.c_int32), ("batches", ctypes.c_int32), ("compares", ctypes.c_uint32),
                ("borrowed", ctypes.POINTER(Borrowed)), ("num_borrowed", _Number)]


FUNCTIONS = {  # as native has them
    "ds_instance_view_argument": (ctypes.c_int, [_Handle, _Number, ctypes.c_int32, ctypes.POINTER(View)]),
    "ds_instance_stream": (ctypes.c_void_p, [_Handle, _Number]),
    "ds_instance_lead": (ctypes.c_int, [_Handle, _Number, ctypes.c_void_p]),
    "ds_instance_follow": (ctypes.c_int, [_Handle, _Number, ctypes.c_void_p]),
    "ds_instance_run_ahead": (ctypes.c_int, [_Handle, ctypes.c_void_p, ctypes.c_void_p]),
    "ds_instance_write_device": (ctypes.c_int, [_Handle, ctypes.c_int32, ctypes.c_int, ctypes.c_void_p, _Number, ctypes.c_int32]),
    "ds_instance_snapshot": (ctypes.c_int, [_Handle, ctypes.c_void_p, _Number, ctypes.POINTER(_Handle)]),
    "ds_snapshot_restore": (ctypes.c_int, [_Handle]),
    "ds_snapshot_destroy": (None, [_Handle]),
}


def options(on_index, batches, compares, borrowed):
    """Returns InstanceOptions. `borrowed` lists arguments in memory of other instances: (argument, instance, slot in
    that instance, True if the slot is a result)."""
    lent = (Borrowed * len(borrowed))(*[(argument, slot, is_result, 0, other.instance) for argument, other, slot, is_result in borrowed])
    return InstanceOptions(ctypes.sizeof(InstanceOptions), on_index, batches, compares, lent, len(lent))


class Snapshot:
    """Copies of some results of an instance, by their numbers, in memory of its GPUs; keeps the instance alive."""

    def __init__(self, instance, results):
        self.instance, self.results, self.handle = instance, (ctypes.c_int32 * len(results))(*results), _Handle()
        self.take()
        self._end = weakref.finalize(self, self._release, instance, self.handle)

    @staticmethod
    def _release(instance, handle):
        instance.library.release(("ds_snapshot_destroy", handle))

    def take(self):
        """Copies the results again, over the previous copies."""
        self.instance.library.call("ds_instance_snapshot", self.instance.instance, self.results, len(self.results), ctypes.byref(self.handle))

    def restore(self):
        """Writes the copies back to the results."""
        self.instance.library.call("ds_snapshot_restore", self.handle)


def view(instance, slot, rank=0):
    """Returns the location of an argument on a rank."""
    found = View(ctypes.sizeof(View))
    instance.library.call("ds_instance_view_argument", instance.instance, rank, slot, ctypes.byref(found))
    return found


def place_of(instance):
    """Returns (kind, number) of the first rank's device, with the numbers of DLPack."""
    found = view(instance, 0)
    return found.device_type, found.device_id


def write_from(instance, slot, address, size):
    """Writes `size` bytes of host memory to an argument."""
    instance.library.call("ds_instance_write", instance.instance, slot, 0, address, size)


def order(first, second, ranks):
    """Makes the next work of `second` on each rank of this process wait for the work queued so far for `first`."""
    for rank in range(ranks):
        stream = second.library.functions.ds_instance_stream(second.instance, rank)
        first.library.call("ds_instance_lead", first.instance, rank, stream)


def write(instance, slot, given, part):
    """Passes a dlpack.Given on the ranks' GPU as an argument of the next step."""
    described, dtype = instance.arguments[slot], instance.dtype(slot)
    shape = described["global_shape" if part == 0 else "local_shape"]
    is_same = given.dtype == dtype or given.dtype.kind == "u" and dtype.kind == "i" and given.dtype.itemsize == dtype.itemsize
    if not is_same or list(given.shape) != shape:
        raise RunError(f"'{described['name']}' is {given.dtype.name}{list(given.shape)}, expected {dtype.name}{shape}")
    if not given.is_dense:
        raise RunError(f"'{described['name']}' lies on GPU {given.device[1]} with gaps or in another order of its dimensions, expected a dense array, such as contiguous() gives")
    instance.library.call("ds_instance_write_device", instance.instance, slot, part, given.address, given.nbytes, given.device[1])


def run_ahead(instance, inputs, following):
    """Runs a step while batch arguments of the next one are copied: {slot: address}."""
    announced = (ctypes.c_void_p * len(instance.arguments))()
    for slot, address in following.items():
        announced[slot] = address
    return instance.library.functions.ds_instance_run_ahead(instance.instance, inputs, announced)


class HeldArray:
    """A parameter or a state that the ranks hold, on the device that they compute on. `numpy.asarray` and
    `jax.numpy.asarray` copy it to the host; libraries that read DLPack get it without a copy:
    `torch.from_dlpack(held)`, `jax.dlpack.from_dlpack(held)`, `cupy.from_dlpack(held)`.

    `shape` and `dtype` are those of the global value. An array that a step returned is valid until the next step, which
    overwrites its memory; reading it later raises RunError."""

    def __init__(self, instance, slot, dtype=None, step=None):
        described = instance.arguments[slot]
        self.instance, self.slot, self.step, self.name = instance, slot, step, described["name"]
        self.shape, self.dtype = tuple(described["global_shape"]), np.dtype(dtype or instance.dtype(slot))
        self.ndim, self.size = len(self.shape), int(np.prod(self.shape, dtype=np.int64))
        self.nbytes = self.size * self.dtype.itemsize

    def __repr__(self):
        kind, number = self.__dlpack_device__()
        where = "cpu" if kind == dlpack.CPU else f"cuda:{number}"
        return f"dstep.HeldArray('{self.name}', {self.dtype.name}{list(self.shape)}, {where})"

    def __len__(self):
        if not self.shape:
            raise TypeError(f"'{self.name}' is a scalar, which has no length")
        return self.shape[0]

    def __float__(self):
        return float(np.asarray(self).item())

    def __int__(self):
        return int(np.asarray(self).item())

    def _check(self):
        if self.step is not None and self.step != self.instance.steps:
            raise RunError(f"'{self.name}' is what step {self.step} has returned, and a later step has written its memory; take what that one returned, or keep a copy by "
                           "numpy.asarray before it")

    def __array__(self, dtype=None, copy=None):
        self._check()
        if copy is False:
            raise ValueError(f"'{self.name}' is read by a copy, expected copy=None or True")
        value = arrays.restore(self.instance.read(self.slot), self.dtype)
        return value if dtype is None else value.astype(dtype, copy=False)

    def __dlpack_device__(self):
        return self.instance.place

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """Exports the value of the first rank of this process. `stream` is the consumer's: a number of CUDA's, None for
        its legacy default stream, -1 for no synchronization. Raises BufferError for a sharded value, another device, or
        a copy on a GPU."""
        self._check()
        described, place, versioned = self.instance.arguments[self.slot], self.instance.place, max_version is not None and tuple(max_version) >= (1, 0)
        if described["shape"] != described["global_shape"]:
            raise BufferError(f"'{self.name}' is divided among ranks, expected a value that each of them has whole; numpy.asarray puts it together")
        if dl_device is not None and tuple(dl_device) != place and (tuple(dl_device) != (dlpack.CPU, 0) or copy is False):
            raise BufferError(f"'{self.name}' lies on device {place}, expected that one, or the CPU, {(dlpack.CPU, 0)}, with a copy")
        if place[0] == dlpack.CPU and stream is not None:
            raise BufferError(f"'{self.name}' lies on the CPU, which has no streams, got stream={stream}")
        if copy or dl_device is not None and tuple(dl_device) != place:
            if place[0] != dlpack.CPU and (dl_device is None or tuple(dl_device) == place):
                raise BufferError(f"'{self.name}' lies on a GPU, where ds makes no copies; expected copy=None, or dl_device={(dlpack.CPU, 0)}")
            value = np.ascontiguousarray(self)
            return dlpack.capsule(value.ctypes.data, (dlpack.CPU, 0), value.dtype, self.shape, value, versioned)
        if place[0] != dlpack.CPU and stream != -1:
            if isinstance(stream, bool) or stream is not None and (not isinstance(stream, int) or stream < 1):
                raise BufferError(f"stream={stream!r} names no stream of CUDA, expected None, -1, or a number from 1 on")
            self.instance.library.call("ds_instance_lead", self.instance.instance, 0, 1 if stream is None else stream)
        return dlpack.capsule(view(self.instance, self.slot).data, place, self.dtype, self.shape, self.instance, versioned)


def held(instance, described):
    """Returns ({name: HeldArray} of the parameters, the same of the states), with the roles and types of
    `described`."""
    found = [(a["role"], HeldArray(instance, i, arrays.dtype(a["dtype"]))) for i, a in enumerate(described) if a["role"] in ("param", "state")]
    return {array.name: array for role, array in found if role == "param"}, {array.name: array for role, array in found if role == "state"}
