"""Writes of a user's torch.autograd.Function (ctx.mark_dirty) in a graph of Dynamo.

Dynamo passes such a function its inputs in an order of its own. PyTorch differentiates the written input as if it were
the first: if it is a view and comes later, PyTorch fails or loses gradients of the view's base. Here the function
writes a copy, which is then copied to the input of the user's program.
"""
import operator

import torch

_APPLY = torch.ops.higher_order.autograd_function_apply


def _written(part, node):
    """Returns {number of a result: number of the input that it is}."""
    body = getattr(part, node.args[0].target).graph
    inputs = [each for each in body.nodes if each.op == "placeholder"]
    results = next(iter(reversed(body.nodes))).args[0][0]
    results = results if isinstance(results, (tuple, list)) else [results]
    return {k: inputs.index(results[k]) for k in node.kwargs.get("dirty_idx", ()) if results[k] in inputs}


def _copy_back(graph, node, result, at):
    at += 2  # node.args begins with the two bodies of the function
    given, users = node.args[at], [user for user in node.users if user.args == (node, result)]
    with graph.inserting_before(node):
        copy = graph.call_method("clone", (given,))
    node.update_arg(at, copy)
    with graph.inserting_after(node):
        found = graph.call_function(operator.getitem, (node, result))
    with graph.inserting_after(found):
        written = graph.call_method("copy_", (given, found))
    for each in (copy, found, written):
        each.meta = dict(given.meta) | {name: node.meta[name] for name in ("stack_trace",) if name in node.meta}
    for user in users:
        user.replace_all_uses_with(written)
        graph.erase_node(user)


def by_copies(module):
    """Rewrites the graph so that functions write copies; returns it."""
    for part in [each for each in module.modules() if isinstance(each, torch.fx.GraphModule)]:
        for node in [each for each in part.graph.nodes if each.op == "call_function" and each.target is _APPLY]:
            for result, at in _written(part, node).items():
                _copy_back(part.graph, node, result, at)
        part.recompile()
    return module
