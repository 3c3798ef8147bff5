"""Values that do not depend on the step's arguments: they are the same in every step, and known while it is traced.

A step may read them (`.item()`, `.tolist()`, `if t:`), have shapes that depend on them (`nonzero`, `repeat_interleave`,
`unique`) and index by them: a known mask becomes the positions that it selects. The graph that is being traced shows
whether a value depends on an argument.
"""
import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensor, FakeTensorMode
from torch._subclasses.functional_tensor import FunctionalTensor, FunctionalTensorMode
from torch.fx.experimental import proxy_tensor
from torch.utils._python_dispatch import _disable_current_modes

from . import places
from .repeats import Repeats

aten = torch.ops.aten
PICKING = {aten.index.Tensor, aten._unsafe_index.Tensor, aten.index_put.default, aten.index_put_.default, aten._unsafe_index_put.default,
           aten._index_put_impl_.default}
ASKING = {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}


def plain(values):
    """Returns the current contents of a structure that holds tensors of a functional step."""
    def hold(value):
        held = value.elem if isinstance(value, FunctionalTensor) else value
        if not isinstance(held, torch.Tensor) or not torch._is_functional_tensor(held):
            return value
        torch._sync(held)
        return torch._from_functional_tensor(held)
    return torch.utils._pytree.tree_map(hold, values)


def is_tracing():
    return proxy_tensor.get_proxy_mode() is not None


def _is_reached(node):
    """True if a node of the graph depends on an argument of the step or on a random number."""
    first, waiting, seen = node, [node], set()
    while waiting:
        node = waiting.pop()
        if node in seen or node.meta.get("ds_reached") is False:
            continue
        if node.op == "placeholder" or node.meta.get("ds_reached") or torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()):
            first.meta["ds_reached"] = True
            return True
        seen.add(node)
        waiting += node.all_input_nodes
    for node in seen:
        node.meta["ds_reached"] = False
    return False


class Shapes(FakeTensorMode):
    """Traces a step by shapes and types alone: no operation computes. A value that is asked for is computed from the
    graph so far, with `example` as the step's arguments."""

    def __init__(self, example):
        super().__init__(allow_non_fake_inputs=True)
        self.example, self.computed = example, {}
        self.arguments = [self.from_tensor(t) for t in example]

    def value(self, tensor):
        """Returns the elements of a tensor of the graph that is being traced."""
        tracer = proxy_tensor.get_proxy_mode().tracer
        traced = proxy_tensor.get_proxy_slot(tensor, tracer, None)
        if traced is None:
            raise DataDependentOutputException("a value that the graph does not have")
        waiting, number = [traced.proxy.node], {node: i for i, node in enumerate(n for n in tracer.graph.nodes if n.op == "placeholder")}
        while waiting:
            node = waiting[-1]
            missing = [n for n in node.all_input_nodes if n not in self.computed] if node not in self.computed else []
            waiting += missing
            if not missing:
                waiting.pop()
                if node not in self.computed:
                    self.computed[node] = self._computed(node, number, tracer.root)
        return self.computed[traced.proxy.node]

    def _computed(self, node, number, root):
        if node.op == "placeholder":
            return self.example[number[node]]
        if node.op == "get_attr":
            return getattr(root, node.target)
        given = torch.fx.node.map_arg((node.args, node.kwargs), lambda n: self.computed[n])
        with _disable_current_modes(), torch.no_grad():
            return node.target(*given[0], **given[1])


def _elements(value):
    return value.fake_mode.value(value) if isinstance(value, FakeTensor) else value


def known(value):
    """Returns the tensor without its tracing if it depends on no argument of the step, else None."""
    mode = proxy_tensor.get_proxy_mode()
    held = plain(value)
    if mode is None:
        return held
    traced = proxy_tensor.get_proxy_slot(held, mode.tracer, None)
    return _elements(held) if traced is None or not _is_reached(traced.proxy.node) else None


def _tensors(*values):
    return [v for v in torch.utils._pytree.tree_leaves(values) if isinstance(v, torch.Tensor)]


def are_known(*values):
    """True if `values` hold at least one tensor, and all of them are known."""
    tensors = _tensors(values)
    return bool(tensors) and all(known(t) is not None for t in tensors)


def answer(function, arguments, options):
    """Returns the function's result for the current values of tensors, without recording it in the trace."""
    arguments, options = torch.utils._pytree.tree_map(_elements, plain((arguments, options)))
    with _disable_current_modes(), torch.no_grad():
        return function(*arguments, **options)


def _is_mask(index):
    return isinstance(index, torch.Tensor) and index.dtype in (torch.bool, torch.uint8)


def _positions(indices):
    """Returns the indices with positions in place of known masks; None if a mask is not known."""
    found = []
    for index in indices:
        if _is_mask(index):
            mask = known(index)
            if mask is None:
                return None
            found += answer(torch.nonzero, (mask,), {"as_tuple": True})
        else:
            found.append(index)
    return found


def _in_rows(x, indices):
    """Returns [rows, columns]: the elements that a mask of two dimensions selects in each row, if every row has equally
    many; then each row is gathered by itself."""
    if len(indices) != 1 or not _is_mask(indices[0]) or indices[0].dim() != 2:
        return None
    mask = known(indices[0])
    if mask is None:
        return None

    def columns(mask):
        counts = mask.bool().sum(1)
        return mask.nonzero()[:, 1].reshape(len(mask), -1) if counts.numel() and counts[0] and (counts == counts[0]).all() else None
    return answer(columns, (mask,), {})


def _wide(columns, x):
    return columns.reshape([*columns.shape, *[1] * (x.dim() - 2)]).expand([*columns.shape, *x.shape[2:]])


def picked(function, arguments, options):
    """Returns the result of index or index_put by known masks, else NotImplemented."""
    x, indices, *values = arguments
    if not any(map(_is_mask, indices)):
        return NotImplemented
    columns = _in_rows(x, indices)
    if columns is not None and not values:
        return x.gather(1, _wide(columns, x)).reshape(-1, *x.shape[2:])
    # The gradient of the gather.
    if columns is not None and values[1:2] == [True] and values[0].dim() == x.dim() - 1:
        source = values[0].reshape([*columns.shape, *x.shape[2:]])
        found = x.scatter_add(1, _wide(columns, x), source)
        return x.copy_(found) if "_" == function._schema.name[-1] else found
    positions = _positions(indices)
    return NotImplemented if positions is None else function(x, positions, *values, **options)


class Functional(FunctionalTensorMode):
    """Functions of tensors without writes; reads of known values are computed at once. Notes the user's line in the nodes
    of an operation."""

    def __init__(self):
        super().__init__()
        self.repeats = Repeats(self)

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        mode = proxy_tensor.get_proxy_mode()
        if mode is None:
            return self._run(function, types, arguments, options or {})
        root = mode.tracer.graph._root
        last = root._prev
        found = self._run(function, types, arguments, options or {})
        node, place = last._next, None
        while node is not root:
            place = place or places.of_forward()
            node.meta.setdefault("ds_place", place)
            node = node._next
        return found

    def _run(self, function, types, arguments, options):
        found = NotImplemented
        if function is aten._linalg_check_errors.default:  # whether LAPACK succeeded, which differs between batches
            return None
        if function in PICKING:
            with self:
                found = picked(function, arguments, options)
        elif ASKING & set(function.tags) and are_known(arguments, options):
            found = answer(function, arguments, options)
            with self:
                found = torch.utils._pytree.tree_map_only(torch.Tensor, FunctionalTensor.to_functional, found)
        if found is not NotImplemented:
            return found
        return self.repeats.run(function, arguments, options, lambda: FunctionalTensorMode.__torch_dispatch__(self, function, types, arguments, options))
