"""The same step for a few samples, and a few positions of a sequence: where it is traced from the same code without
elements (`by_shapes`), and differs only in sizes, checking it checks the step for all of them.

Both graphs are compared node by node. An integer may be in proportion to the samples, to the positions, to the products
of both that attention and shifted targets have; and so may a factor, such as the 1/n of a mean, its inverse, or the
n/(n-1) of a variance. Constants and everything else have to be equal. Code that does something else for another number
of samples or positions makes another graph, or writes other objects, and then the whole batch is checked.
"""
import math
from fractions import Fraction

import torch

from ..base import checks, graph

aten = torch.ops.aten
FEW = 2  # one sample is a special case of broadcasting
SHORT = 37  # positions; unlikely to be in proportion to another size
# Multiplications of a step from which on a second trace is shorter than two steps.
LONG = 5e10


def products(module):
    """Returns the number of multiplications in the products and convolutions of a traced step."""
    total = 0
    for node in module.graph.nodes:
        if node.op != "call_function" or not node.args or not isinstance(node.args[0], torch.fx.Node):
            continue
        if node.target in (aten.mm.default, aten.bmm.default, aten.addmm.default):
            left = node.args[node.target is aten.addmm.default]
            total += math.prod(graph.meta(left).shape) * graph.meta(node).shape[-1]
        elif node.target is aten.convolution.default:
            total += math.prod(graph.meta(node).shape) * math.prod(graph.meta(node.args[1]).shape[1:])
        elif node.target is aten.convolution_backward.default:
            total += 2 * math.prod(graph.meta(node.args[0]).shape) * math.prod(graph.meta(node.args[2]).shape[1:])
    return total


def few(batch):
    """Returns a batch of the first samples, or None if that would be most of them."""
    size = checks.samples(batch)
    return {name: t.unflatten(0, (size, -1))[:FEW].flatten(0, 1) for name, t in batch.items()} if size >= 2 * FEW else None


def _length(batch):
    """Returns the size of dimension 1 if all tensors with several dimensions have the same and an entry per sample, else
    None."""
    size, lengths = checks.samples(batch), {t.shape[1] for t in batch.values() if t.dim() > 1}
    return lengths.pop() if len(lengths) == 1 and all(len(t) == size for t in batch.values()) else None


def short(batch):
    """Returns the first positions of few samples, or None if there is no long sequence."""
    if (_length(batch) or 0) < 4 * SHORT:
        return None
    return {name: t[:, :SHORT].contiguous() if t.dim() > 1 else t for name, t in (few(batch) or batch).items()}


def proportions(batch, part):
    """Returns the proportions between sizes of a step for `batch` and the same sizes for a part of it."""
    found, samples = {Fraction(1)}, Fraction(checks.samples(batch), checks.samples(part))
    length, less = _length(batch), _length(part)
    if length != less:
        # Positions, those that have a next one, those of a padded row, and pairs of them.
        single = {Fraction(length + k, less + k) for k in (-1, 0, 1)}
        found |= single | {a * b for a in single for b in single}
    return (found | {samples * each for each in found}) - {Fraction(1)}


def are_alike(one, other, ratios):
    """True if two graphs differ in sizes alone, each in one of these proportions."""
    numbers = {node: i for module in (one, other) for i, node in enumerate(module.graph.nodes)}

    def is_proportional(a, b):
        if type(a) is int:
            return any(a * r.denominator == b * r.numerator for r in ratios)
        # n / (n - 1), by which a variance is corrected, gives n.
        counts = [(a, b), (1 / a, 1 / b)] if a and b else []
        counts += [(a / (a - 1), b / (b - 1))] if a > 1 and b > 1 else []
        return any(math.isclose(x, y * r, rel_tol=1e-6) for x, y in counts for r in ratios)

    def alike(a, b):
        if type(a) is not type(b):
            return False
        if isinstance(a, torch.fx.Node):
            return numbers[a] == numbers[b]
        if isinstance(a, (list, tuple)):
            return len(a) == len(b) and all(map(alike, a, b))
        if isinstance(a, dict):
            return a.keys() == b.keys() and all(alike(a[k], b[k]) for k in a)
        return a == b or type(a) in (int, float) and is_proportional(a, b) or a != a and b != b

    def are_nodes_alike(a, b):
        if a.op != b.op or a.op not in ("get_attr", "placeholder", "output") and a.target != b.target:
            return False
        if a.op == "get_attr":
            a, b = getattr(one, a.target), getattr(other, b.target)
            return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a, b)
        held = a.meta.get("tensor_meta")
        if a.op != "output" and hasattr(held, "dtype"):
            its = b.meta.get("tensor_meta")
            if held.dtype != getattr(its, "dtype", None) or not alike(tuple(held.shape), tuple(its.shape)):
                return False
        return alike(a.args, b.args) and alike(dict(a.kwargs), dict(b.kwargs))

    nodes, others = one.graph.nodes, other.graph.nodes
    return len(nodes) == len(others) and all(map(are_nodes_alike, nodes, others))
