"""Cuts the joint graph of results and gradients into a forward and a backward graph: a forward value that backward
reads is saved or recomputed.

The saved values are a minimum cut. A value costs its bytes; the function's own inputs cost little, since the user holds
them, unless the forward pass writes them: backward reads their earlier values. Products, convolutions, reductions and
other expensive operations are never recomputed if their results can be saved. The cut can save values with rows of
samples, each rank its rows; values that depend on no sample; and, if all ranks have one batch, small replicated values.
"""
import math

import networkx
import torch

from ..base import graph, marks

aten = torch.ops.aten
# Bytes of a value of the global batch that every rank may keep replicated.
SMALL = 1 << 16
_CHEAP = {getattr(aten, name) for name in (
    "view", "_unsafe_view", "reshape", "expand", "permute", "transpose", "t", "unsqueeze", "squeeze", "slice", "select",
    "split", "split_with_sizes", "unbind", "cat", "stack",
    "full", "full_like", "zeros", "zeros_like", "ones", "ones_like", "empty", "arange", "iota", "scalar_tensor",
    "constant_pad_nd", "broadcast_to", "as_strided", "_to_copy", "copy")
    if hasattr(aten, name)}


def is_cheap(node):
    """True if an operation is recomputed rather than saved: element-wise ones, and views of existing values."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return True  # an element of a tuple of results
    return torch.Tag.pointwise in node.target.tags or node.target.overloadpacket in _CHEAP


def _bytes(meta):
    return max(math.prod(meta.shape) * meta.dtype.itemsize, 1)


def reached_by(nodes, begin, ends=()):
    """Returns `begin` and all nodes computed from it, except through operations of `ends`."""
    found = set(begin)
    for node in nodes:
        if node.target not in ends and any(before in found for before in node.all_input_nodes):
            found.add(node)
    return found


def half(module, inputs, results, always):
    """Returns (the graph that computes these results from `inputs`, nodes of `module`; the inputs of that graph: those
    it reads and those in `always`)."""
    made, values, reads = torch.fx.Graph(), {}, []
    needed, given = {*results, *always}, set(inputs)
    for node in reversed(module.graph.nodes):
        if node in needed and node not in given:
            needed |= set(node.all_input_nodes)
    for node in inputs:
        if node in needed:
            values[node] = made.placeholder(node.name)
            values[node].meta = dict(node.meta) | {"tensor_meta": graph.meta(node)}
            reads.append(node)
    for node in module.graph.nodes:
        if node in needed and node not in values:
            values[node] = made.node_copy(node, values.__getitem__)
    made.output(tuple(values[node] for node in results))
    return torch.fx.GraphModule(module, made), reads


class Partition:
    """`module` is a tidy joint graph. `forward` and `backward` are the results of each half, `tangents` the inputs of
    the backward half alone. `batch` are inputs with rows of `samples` samples, `written` inputs with another value
    after the forward pass, `always` inputs of both halves, `late` the tangents that are always inputs of the backward
    half. `whole`: all ranks have one batch. Values in `unsaved` are recomputed. `saved` are the saved values, `dims`
    their dimension of samples, `reads` and `reads_back` the inputs of the halves."""

    def __init__(self, module, forward, backward, tangents, batch, written, always, late, samples, whole, unsaved=()):
        self.samples, self.whole, self.written, self.unsaved = samples, whole, written, unsaved
        nodes = list(module.graph.nodes)
        self.inputs = [node for node in nodes if node.op == "placeholder" and node not in tangents]
        # A value that ranks have reduced is replicated. It is saved, so that no process reduces it again: processes
        # have different numbers of samples, and whether a value is recomputed must not depend on a size.
        self.of_samples, behind = reached_by(nodes, batch, ends=(marks.combine,)), reached_by(nodes, tangents)
        self.needed = {before for node in nodes if node in behind and node.op != "output"
                       for before in node.all_input_nodes if before not in behind}
        self.needed |= {node for node in backward if node not in behind}
        self.before = [node for node in nodes if node not in behind and node.op != "output"]
        held = [node for node in self.inputs if node not in written]
        self.saved = sorted((node for node in self._cut() if node not in held), key=nodes.index)
        self.dims = [self.dimension(node) for node in self.saved]
        self.forward, self.reads = half(module, self.inputs, [*forward, *self.saved], always)
        given = [node for node in self.inputs if node not in self.saved]
        self.backward, self.reads_back = half(module, [*given, *self.saved, *tangents], backward, [*always, *late])

    def dimension(self, node):
        """Returns the dimension of a value's rows, or None for a replicated value."""
        shape = graph.meta(node).shape
        if node not in self.of_samples or not self.samples or not shape:
            return None
        if shape[0] and shape[0] % self.samples == 0:
            return 0
        either = [d for d, size in enumerate(shape) if size == self.samples]
        either += [d for d, size in enumerate(shape) if size and size % self.samples == 0]
        return either[0] if either and self.whole else None

    def _rows(self, node):
        dim = self.dimension(node) if hasattr(node.meta.get("tensor_meta"), "dtype") else None
        return None if dim is None else graph.meta(node).shape[dim]

    def like(self, numbers):
        """Returns the saved values of these numbers, and all values with as many rows, which may be views of them."""
        rows = {self._rows(self.saved[j]) for j in numbers} - {None}
        return {self.saved[j] for j in numbers} | {node for node in self.before if self._rows(node) in rows}

    def _cost(self, node):
        """Returns the cost in bytes, or None for a value that cannot be saved."""
        if node in self.inputs:
            return 8 * _bytes(graph.meta(node)) if node in self.written else 1
        meta = node.meta.get("tensor_meta")
        if node.op == "get_attr" or not hasattr(meta, "dtype") or meta.dtype.is_complex or node in self.unsaved:
            return None
        size = _bytes(meta)
        if node not in self.of_samples or self.dimension(node) is not None or self.whole and size <= SMALL:
            return 8 * size
        return None

    def _cut(self):
        flow = networkx.DiGraph()
        flow.add_nodes_from(("source", "sink"))
        for node in self.before:
            cost = self._cost(node)
            flow.add_edge((node, 0), (node, 1), **({} if cost is None else {"capacity": cost}))
            for before in node.all_input_nodes:
                flow.add_edge((before, 1), (node, 0))
            if node in self.inputs or node.op == "call_function" and cost is not None and not is_cheap(node):
                flow.add_edge("source", (node, 0))
            if node in self.needed:
                flow.add_edge((node, 1), "sink")
        _, (above, _) = networkx.minimum_cut(flow, "source", "sink")
        return [node for node in self.before if (node, 0) in above and (node, 1) not in above]
