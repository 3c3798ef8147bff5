"""run_rank.py LIBRARY PROGRAM RECORDING OUT AXIS=SIZE..: this rank's part of the steps of a recording, started by
mpirun.

PROGRAM is the rank's step as MLIR prints it on tensors, LIBRARY the same lowered to LLVM with C wrappers and linked
with MPI. The rank cuts its rows and shards out of the recorded arguments and writes its results to OUT.RANK.npz."""
import ctypes
import itertools
import os
import sys

import numpy
from rank_signature import read_signature


def descriptor(rank):
    """The memref of a rank as LLVM has it."""
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type(f"Descriptor{rank}", (ctypes.Structure,), {"_fields_": fields})


def describe(array):
    address, rank = array.ctypes.data, array.ndim
    if not rank:
        return descriptor(0)(address, address, 0)
    numbers = ctypes.c_int64 * rank
    return descriptor(rank)(address, address, 0, numbers(*array.shape),
                            numbers(*(step // array.itemsize for step in array.strides)))


def read(described, value):
    first = described.aligned + described.offset * value.dtype.itemsize
    array = numpy.ndarray(value.shape, value.dtype,
                          ctypes.string_at(first, numpy.prod(value.shape, dtype=int) * value.dtype.itemsize))
    if value.shape and list(described.strides) != [step // value.dtype.itemsize for step in array.strides]:
        sys.exit(f"run_rank: a result has strides {list(described.strides)}, expected a contiguous one")
    return array


def main():
    path, program, recording, out, *axes = sys.argv[1:]
    library = ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
    library.MPI_Init(None, None)
    rank = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"])
    name, arguments, results = read_signature(program, axes)
    returned = type("Returned", (ctypes.Structure,),
                    {"_fields_": [(f"r{i}", descriptor(len(value.shape))) for i, value in enumerate(results)]})
    step = getattr(library, f"_mlir_ciface_{name}")
    step.restype = None
    recorded, computed = numpy.load(recording), {}
    for number in itertools.count(1):
        if f"step{number}_arg0" not in recorded:
            break
        given = [numpy.array(value.part(recorded[f"step{number}_arg{i}"], rank), order="C")
                 for i, value in enumerate(arguments)]
        for value, array in zip(arguments, given):
            if array.shape != value.shape or array.itemsize != value.dtype.itemsize:
                sys.exit(f"run_rank: an argument is {array.dtype}{array.shape}, expected {value.dtype}{value.shape}")
        answer = returned()
        step(ctypes.byref(answer), *(ctypes.byref(describe(array)) for array in given))
        for i, value in enumerate(results):
            computed[f"step{number}_res{i}"] = read(getattr(answer, f"r{i}"), value)
    numpy.savez(f"{out}.{rank}.npz", **computed)
    library.MPI_Finalize()


main()
