"""One rank of a training by IREE: the loop that a user of IREE writes, with the exchange of ranks as a module beside
the step.

    DS_RANK=0 DS_WORLD_SIZE=2 DS_MASTER_ADDR=127.0.0.1 python train.py PROGRAM.mlir STEP.vmfb [STEPS]

PROGRAM.mlir is what ds-opt wrote for the ranks, with its attributes, STEP.vmfb what iree-compile made of it. Trains the
step of examples/fashion_mnist on the images of the package dataset-fashion-mnist; README.md has all commands.
"""
import collections
import gzip
import pathlib
import sys

import iree.runtime as rt
import numpy
from iree.compiler import ir

from exchange import Exchange

IMAGES = pathlib.Path("/usr/share/datasets/fashion-mnist")
DTYPES = {"f32": numpy.float32, "i32": numpy.int32}

Argument = collections.namedtuple("Argument", "name init shape dtype")


def read_roles(program):
    """The arguments of the step, and for each result the name of the argument that it updates, or None."""
    with ir.Context() as context:
        context.allow_unregistered_dialects = True  # ds.* are attributes of a dialect that IREE does not know
        module = ir.Module.parse(program)  # an operation does not keep its module
        step = next(op for op in module.body.operations if op.attributes["sym_name"].value == "main")
        arguments = []
        for attributes, kind in zip(step.attributes["arg_attrs"], map(ir.RankedTensorType, step.type.inputs)):
            name = next(attributes[key].value for key in ("ds.param", "ds.state", "ds.name") if key in attributes)
            init = attributes["ds.init"].value if "ds.init" in attributes else "zeros"
            arguments.append(Argument(name, init, kind.shape, DTYPES[str(kind.element_type)]))
        updates = [each["ds.updates"].value if "ds.updates" in each else None for each in step.attributes["res_attrs"]]
    return arguments, updates


def begin(argument, seed):
    """He's normal distribution where the step asks for it, else zeros; the same on every rank."""
    if argument.init == "he_normal":
        return (numpy.random.default_rng(seed).standard_normal(argument.shape)
                * (2 / argument.shape[0]) ** 0.5).astype(argument.dtype)
    return numpy.zeros(argument.shape, argument.dtype)


def read_images(name, header):
    return numpy.frombuffer(gzip.decompress((IMAGES / name).read_bytes()), numpy.uint8, offset=header)


def main():
    program, compiled, steps = (pathlib.Path(sys.argv[1]).read_text(), sys.argv[2],
                                int(sys.argv[3]) if len(sys.argv) > 3 else 100)
    config = rt.Config("local-task")
    exchange = Exchange(config.device)
    step = rt.VmModule.mmap(config.vm_instance, compiled)
    context = rt.SystemContext(vm_modules=[*config.default_vm_modules, exchange.module(program), step], config=config)
    function = context.modules[step.name].main

    images = read_images("train-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28)
    labels = read_images("train-labels-idx1-ubyte.gz", 8)
    arguments, updates = read_roles(program)
    values = {argument.name: begin(argument, seed) for seed, argument in enumerate(arguments)}
    batch = values["y"].shape[0] * exchange.num_ranks
    for number in range(steps):
        # Rank r has rows r, r + n, .. of the batch: ds.layout = "cyclic".
        first = number * batch % (len(labels) - batch)
        rows = slice(first + exchange.rank, first + batch, exchange.num_ranks)
        values |= {"x": images[rows] / numpy.float32(255), "y": labels[rows].astype(numpy.int32),
                   "lr": numpy.float32(0.1)}
        results = function(*(values[argument.name] for argument in arguments))
        values |= {name: result for name, result in zip(updates, results) if name}
        if number % 10 == 9:
            print(f"rank {exchange.rank}, step {number + 1}: loss {results[-1].to_host():.4f}", flush=True)
    exchange.close()


main()
