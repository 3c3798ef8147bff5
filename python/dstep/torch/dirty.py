"""What a torch.autograd.Function of the user writes (ctx.mark_dirty) in a graph of Dynamo.

Dynamo hands such a function its inputs in an order of its own. PyTorch differentiates what a function writes as if it
were the first of them: where it is a view and comes later, PyTorch fails or loses gradients of what the view is of.
Here the function writes a copy, which is then copied to where the user's program has it.
"""
import operator

import torch

_APPLY = torch.ops.higher_order.autograd_function_apply


def _written(part, node):
    """{number of a result: number of the input that it is}."""
    body = getattr(part, node.args[0].target).graph
    inputs = [each for each in body.nodes if each.op == "placeholder"]
    results = next(iter(reversed(body.nodes))).args[0][0]
    results = results if isinstance(results, (tuple, list)) else [results]
    return {k: inputs.index(results[k]) for k in node.kwargs.get("dirty_idx", ()) if results[k] in inputs}


def _copy_back(graph, node, result, at):
    at += 2  # after the bodies of the function
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
    """The graph, in which functions write copies."""
    for part in [each for each in module.modules() if isinstance(each, torch.fx.GraphModule)]:
        for node in [each for each in part.graph.nodes if each.op == "call_function" and each.target is _APPLY]:
            for result, at in _written(part, node).items():
                _copy_back(part.graph, node, result, at)
        part.recompile()
    return module
