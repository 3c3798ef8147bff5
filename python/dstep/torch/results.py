"""What the results of a graph are of its inputs: which have a gradient by which result, and which results are views."""
import collections

import torch

View = collections.namedtuple("View", "input size stride offset of differentiable")  # elements of an input that has the stride `of`, `offset` behind its first one


def behind(value, ends=lambda node: False):
    """The nodes of autograd's graph that a tensor was made by, up to those that `ends` is true of."""
    nodes, seen = [value.grad_fn], set()
    while nodes:
        node = nodes.pop()
        if node is None or node in seen or ends(node):
            continue
        seen.add(node)
        yield node
        nodes += [before for before, _ in node.next_functions]


def reached(output, leaves):
    """The numbers of the leaves that get a gradient through this result."""
    numbers = {id(leaf): i for i, leaf in enumerate(leaves)}
    if output.grad_fn is None:
        return {numbers[id(output)]} if output.requires_grad and id(output) in numbers else set()
    variables = (id(getattr(node, "variable", None)) for node in behind(output))
    return {numbers[variable] for variable in variables if variable in numbers}


def views(outputs, leaves):
    """{number of a result: View} of those that share the memory of an input."""
    owners = {leaf.untyped_storage()._cdata: i for i, leaf in enumerate(leaves)}
    found = {}
    for k, output in enumerate(outputs):
        i = owners.get(output.untyped_storage()._cdata) if output.layout is torch.strided else None
        if i is not None and leaves[i].dtype == output.dtype:
            offset = output.storage_offset() - leaves[i].storage_offset()
            found[k] = View(i, output.size(), output.stride(), offset, leaves[i].stride(), output.requires_grad)
    return found


def viewed(view, value):
    """The view of the user's tensor, or None where it lies otherwise than the example did."""
    if value.stride() != view.of:
        return None
    return (value if view.differentiable else value.detach()).as_strided(view.size, view.stride, value.storage_offset() + view.offset)
