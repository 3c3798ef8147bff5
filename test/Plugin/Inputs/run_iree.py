"""run_iree.py VMFB PROGRAM RECORDING OUT STEPS AXIS=SIZE..: this rank's part of a training by IREE, one process per
rank.

VMFB is what iree-compile made of the rank program without attributes, PROGRAM the same with them. The first step has
the recorded arguments, of which the rank cuts its rows and shards; later ones have the parameters and states of the
step before, and the batches of the recording in turn. Arguments and results are written to OUT.RANK.npz."""
import itertools
import pathlib
import sys

import iree.runtime as rt
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "examples/with_iree"))
from exchange import Exchange
from rank_signature import read_signature


def main():
    compiled, program, recording, out, steps, *axes = sys.argv[1:]
    name, arguments, results = read_signature(program, axes)
    config = rt.Config("local-task")
    exchange = Exchange(config.device)
    step = rt.VmModule.mmap(config.vm_instance, compiled)
    context = rt.SystemContext(vm_modules=[*config.default_vm_modules,
                                           exchange.module(pathlib.Path(program).read_text()), step], config=config)
    function = getattr(context.modules[step.name], name)
    recorded, written, kept = numpy.load(recording), {}, {}
    batches = next(number for number in itertools.count(1) if f"step{number + 1}_arg0" not in recorded)
    for number in range(1, int(steps) + 1):
        wholes = [recorded[f"step{(number - 1) % batches + 1}_arg{i}"] for i in range(len(arguments))]
        given = [kept.get(value.name, numpy.array(value.part(whole, exchange.rank), order="C"))
                 for value, whole in zip(arguments, wholes)]
        returned = function(*given)
        returned = [value.to_host() for value in (returned if isinstance(returned, (tuple, list)) else [returned])]
        kept = {value.name: array for value, array in zip(results, returned) if value.name}
        written |= {f"step{number}_arg{i}": array for i, array in enumerate(given)}
        written |= {f"step{number}_res{i}": array for i, array in enumerate(returned)}
    numpy.savez(f"{out}.{exchange.rank}.npz", **written)
    exchange.close()


main()
