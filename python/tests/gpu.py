"""The fake driver of CUDA, which executes PTX, as a driver of this process: to be imported before ds is used. Addresses
of its devices are none of the host's."""
import ctypes
import os
import pathlib
import shutil

import numpy as np

RUN = pathlib.Path(os.environ.get("DS_RUN") or shutil.which("ds-run") or "ds-run").resolve()
FAKES = RUN.parent.parent / "runtime" / "test" / "fakes"
for name, file in (("CUDA", "cuda"), ("CUBLASLT", "cublaslt"), ("CUDNN", "cudnn"), ("NCCL", "nccl")):
    os.environ[f"DS_{name}_LIBRARY"] = str(FAKES / f"libfake_{file}.so")
os.environ.setdefault("DS_FAKE_LATE_COPIES", "to-device")  # what does not wait for them is wrong
IS_THERE = (FAKES / "libfake_cuda.so").exists()
STREAM = 2  # a default stream, whose number CUDA gives


class Driver:
    """What another library of the process calls."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ["DS_CUDA_LIBRARY"])
        self.call("cuInit", 0)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        assert status == 0, f"{name} returns {status}"

    def use(self, device):
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def work(self):
        """{kind: how often the fake's devices have done it}: copies and, with what graphs launch, kernels and calls of
        libraries."""
        count = self.library.fake_work
        count.restype = ctypes.c_ulonglong
        return {kind: count(kind.encode()) for kind in ("to-device", "to-host", "on-device", "launch", "product",
                                                        "convolution")}

    def read(self, address, shape, dtype, device=0):
        self.use(device)
        found = np.empty(shape, dtype)
        self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(found.ctypes.data), ctypes.c_uint64(address),
                  ctypes.c_size_t(found.nbytes))
        return found


class Array:
    """An array of another library on a GPU, which hands it over by DLPack; `streams` are those that it was asked
    for."""

    def __init__(self, value, device=0, strides=None, late=None):
        from dstep.base import dlpack
        self.value, self.device, self.dlpack, self.streams, self.late = (np.ascontiguousarray(value), device, dlpack,
                                                                         [], late)
        self.shape, self.dtype = self.value.shape, self.value.dtype
        self.driver, address = Driver(), ctypes.c_uint64()
        self.driver.use(device)
        self.driver.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(self.value.nbytes))
        self.address, self.strides = address.value, strides
        self.driver.call("cuMemcpyHtoD_v2", address, ctypes.c_void_p(self.value.ctypes.data),
                         ctypes.c_size_t(self.value.nbytes))

    def __dlpack_device__(self):
        return self.dlpack.CUDA, self.device

    def __dlpack__(self, *, stream=None):  # as before 1.0
        self.streams.append(stream)
        capsule = self.dlpack.capsule(self.address, self.__dlpack_device__(), self.dtype, self.shape, self)
        if self.strides:
            managed = self.dlpack._Managed.from_address(self.dlpack._pointer(capsule, b"dltensor"))
            for dim, stride in enumerate(self.strides):
                managed.tensor.strides[dim] = stride
        return capsule
