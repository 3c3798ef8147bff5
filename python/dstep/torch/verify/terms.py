"""The size of what a traced step adds to a gradient: two orders of a sum differ by some units in the last place of it.

From a gradient back through changes of shape, sums and factors to the operations that add: each of these runs again
with the magnitudes of its operands.
"""
import operator

import torch

aten = torch.ops.aten
SHAPES = {aten.view.default, aten.reshape.default, aten._unsafe_view.default, aten.t.default, aten.transpose.int,
          aten.permute.default, aten.squeeze.dim,
          aten.squeeze.dims, aten.squeeze.default, aten.unsqueeze.default, aten.clone.default, aten.detach.default,
          aten.alias.default, aten._to_copy.default}
ADDED = {aten.sum.dim_IntList, aten.sum.default, aten.mm.default, aten.bmm.default}
FACTORS = {aten.mul.Tensor: operator.mul, aten.mul.Scalar: operator.mul, aten.div.Tensor: operator.truediv,
           aten.div.Scalar: operator.truediv}


def _is_scaled(node):
    return node.target in FACTORS and isinstance(node.args[0], torch.fx.Node) and isinstance(node.args[1], (int, float))


def _parts(node):
    """Returns the operands whose terms are those of the node; none of a node that adds, or that is a term itself."""
    if node.target in SHAPES or node.target is aten.neg.default or _is_scaled(node):
        return node.args[:1]
    is_sum = node.target in (aten.add.Tensor, aten.sub.Tensor) and not node.kwargs
    return node.args if is_sum and all(isinstance(n, torch.fx.Node) for n in node.args) else ()


def made_of(nodes):
    """Returns the nodes whose terms those of `nodes` are made of, themselves included."""
    found, waiting = set(), list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += _parts(node)
    return found


def magnitude(node, value, arguments, options, known):
    """Returns the sum of the magnitudes of a node's terms; `known` holds those of the nodes before it."""
    parts = [known[n] for n in _parts(node)]
    if node.target in SHAPES:
        return node.target(parts[0], *arguments[1:], **options)
    if node.target in ADDED:
        return node.target(*[a.abs() if isinstance(a, torch.Tensor) else a for a in arguments], **options)
    if _is_scaled(node):
        return FACTORS[node.target](parts[0], abs(arguments[1]))
    return sum(parts[1:], parts[0]) if parts else value.abs()
