"""torch.utils.checkpoint in a graph of Dynamo, which passes everything that the block reads as arguments.

Buffers are among them. PyTorch saves arguments until backward, where it finds that BatchNorm has since written its
statistics, and raises. Outside of a graph a module reads its buffers' current values; this module restores that.
"""
import inspect

import torch
from torch.utils.checkpoint import checkpoint

_OPTIONS = {name for name in inspect.signature(checkpoint).parameters
            if name not in ("function", "args", "kwargs", "use_reentrant")} | {"preserve_rng_state"}


def _checkpointed(body, *arguments, **options):
    """Runs a checkpoint that saves only arguments with a gradient, and reads the others again."""
    at = [i for i, value in enumerate(arguments) if isinstance(value, torch.Tensor) and value.requires_grad]

    def block(*kept):
        given = list(arguments)
        for i, value in zip(at, kept):
            given[i] = value
        return torch.fx.Interpreter(body).run(*given)
    given = {name: value for name, value in options.items() if name in _OPTIONS} | {"use_reentrant": False}
    if "_checkpoint_context_fn" in body.meta:
        given["context_fn"] = body.meta["_checkpoint_context_fn"]
    return checkpoint(block, *(arguments[i] for i in at), **given)


def by_tensors(module):
    """Rewrites the checkpoints of a graph as above; returns it."""
    for part in [each for each in module.modules() if isinstance(each, torch.fx.GraphModule)]:
        for node in part.graph.nodes:
            if node.op == "call_function" and node.target is torch.ops.higher_order.tag_activation_checkpoint:
                node.target = _checkpointed
        part.recompile()
    return module
