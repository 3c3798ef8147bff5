"""Relations of a graph's results to its inputs: inputs that get a gradient through a result, and results that are
views."""
import collections

import torch

# Elements of an input with the stride `of`, starting `offset` elements after its first one.
View = collections.namedtuple("View", "input size stride offset of differentiable")


def behind(value, ends=lambda node: False):
    """Yields the nodes of autograd's graph that a tensor was computed by, up to nodes for which `ends` is true."""
    nodes, seen = [value.grad_fn], set()
    while nodes:
        node = nodes.pop()
        if node is None or node in seen or ends(node):
            continue
        seen.add(node)
        yield node
        nodes += [before for before, _ in node.next_functions]


def reached(output, leaves):
    """Returns the numbers of the leaves that get a gradient through this result."""
    numbers = {id(leaf): i for i, leaf in enumerate(leaves)}
    if output.grad_fn is None:
        return {numbers[id(output)]} if output.requires_grad and id(output) in numbers else set()
    variables = (id(getattr(node, "variable", None)) for node in behind(output))
    return {numbers[variable] for variable in variables if variable in numbers}


def views(outputs, leaves):
    """Returns {number of a result: View} of the results that share memory with an input."""
    owners = {leaf.untyped_storage()._cdata: i for i, leaf in enumerate(leaves)}
    found = {}
    for k, output in enumerate(outputs):
        i = owners.get(output.untyped_storage()._cdata) if output.layout is torch.strided else None
        if i is not None and leaves[i].dtype == output.dtype:
            offset = output.storage_offset() - leaves[i].storage_offset()
            found[k] = View(i, output.size(), output.stride(), offset, leaves[i].stride(), output.requires_grad)
    return found


def viewed(view, value):
    """Returns the view of the user's tensor, or None if its stride differs from the example's."""
    if value.stride() != view.of:
        return None
    value = value if view.differentiable else value.detach()
    return value.as_strided(view.size, view.stride, value.storage_offset() + view.offset)
