"""The samples of a process that several of its ranks share: each runs the function on its own, as if it were a process.

Dynamo traces the function for the samples of the process. The graph serves those of one rank if it reads their number
from its inputs, as one of a function compiled with dynamic=True does: another graph may hold the number as a constant,
which no shape would show (a sum that is divided by it).
"""
import collections

import torch

from ...base.errors import FrontendError
from ...session.launch import check_share, started_by
from ..base.threads import alone
from ..functions import StepFunctions, exporting

# The number of ranks that share the samples, the inputs of the graph, and the shapes of its results for all samples.
Shared = collections.namedtuple("Shared", "here inputs shapes")


def _symbol(size):
    """Returns the symbol of a size in Dynamo's graph, or None for a constant."""
    expression = size.node.expr if isinstance(size, torch.SymInt) else None
    return expression if expression is not None and expression.is_symbol else None


@alone()
def of_rank(module, run, here, inputs, samples, values, at):
    """Returns (Shared, the number of samples, the values, the tensors) of one of `here` ranks. `inputs` describe the
    tensors, which are the values `at` these places; run(values, *tensors) returns the results of the module."""
    nodes, symbols = [node for node in module.graph.nodes if node.op == "placeholder"], set()
    share, tensors = samples // here if samples else 1, [values[i] for i in at]
    for i, each in zip(at, inputs):
        if each.dim is None:
            continue
        check_share(samples, here, is_own=True)
        symbol = _symbol(nodes[i].meta["example_value"].shape[each.dim])
        if symbol is None:
            raise FrontendError(f"the compiled function is for {samples} samples of '{each.name}' alone, and each of "
                                f"the {here} ranks of process {started_by()[0]} has {share}; expected one for any "
                                "number of samples: torch.compile(.., dynamic=True)")
        symbols.add(symbol)
    zeros = torch.zeros(2, dtype=torch.int32)
    with torch.random.fork_rng(devices=[]), torch.no_grad(), StepFunctions(zeros), exporting():
        found = run(values, *(tensor.detach().clone() for tensor in tensors))
    found = found if isinstance(found, (tuple, list)) else [found]
    shared = Shared(here, inputs, [getattr(result, "shape", None) for result in found])
    sizes = [i not in at and _symbol(node.meta.get("example_value")) in symbols for i, node in enumerate(nodes)]
    values = [share if is_size else value for is_size, value in zip(sizes, values)]
    return shared, share, values, [t if each.dim is None else t.narrow(each.dim, 0, share)
                                   for t, each in zip(tensors, inputs)]


def grown(shared, k, shape):
    """Returns the dimension of result `k` that counts samples, or None; `shape` is that of one rank."""
    whole = shared.shapes[k]
    larger = [d for d, sizes in enumerate(zip(shape, whole)) if sizes[0] != sizes[1]]
    if len(shape) != len(whole) or len(larger) > 1 or any(whole[d] != shared.here * shape[d] for d in larger):
        raise FrontendError(f"result {k} of the compiled function has the shape {tuple(whole)} for the samples of "
                            f"process {started_by()[0]} and {tuple(shape)} for those of each of its {shared.here} "
                            "ranks, expected rows of the samples in one dimension")
    return larger[0] if larger else None
