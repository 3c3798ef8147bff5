"""Values that do not depend on the step's arguments: they are the same in every step, and known while it is traced.

A step may read them (`.item()`, `.tolist()`, `if t:`), have shapes that depend on them (`nonzero`, `repeat_interleave`,
`unique`) and index by them: a known mask becomes the positions that it selects. The graph that is being traced shows
whether a value depends on an argument.
"""
import torch
from torch._subclasses.functional_tensor import FunctionalTensor, FunctionalTensorMode
from torch.fx.experimental import proxy_tensor
from torch.utils._python_dispatch import _disable_current_modes

aten = torch.ops.aten
PICKING = {aten.index.Tensor, aten._unsafe_index.Tensor, aten.index_put.default, aten.index_put_.default, aten._unsafe_index_put.default,
           aten._index_put_impl_.default}
ASKING = {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}


def plain(values):
    """Returns the current contents of a structure that holds tensors of a functional step."""
    def hold(value):
        if not isinstance(value, FunctionalTensor):
            return value
        torch._sync(value)
        return torch._from_functional_tensor(value.elem)
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


def known(value):
    """Returns the tensor without its tracing if it depends on no argument of the step, else None."""
    mode = proxy_tensor.get_proxy_mode()
    held = plain(value)
    if mode is None:
        return held
    traced = proxy_tensor.get_proxy_slot(held, mode.tracer, None)
    return held if traced is None or not _is_reached(traced.proxy.node) else None


def _tensors(*values):
    return [v for v in torch.utils._pytree.tree_leaves(values) if isinstance(v, torch.Tensor)]


def are_known(*values):
    """True if `values` hold at least one tensor, and all of them are known."""
    tensors = _tensors(values)
    return bool(tensors) and all(known(t) is not None for t in tensors)


def answer(function, arguments, options):
    """Returns the function's result for the current values of tensors, without recording it in the trace."""
    arguments, options = plain((arguments, options))
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
    """Functions of tensors without writes; reads of known values are computed at once."""

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        options = options or {}
        found = NotImplemented
        if function in PICKING:
            with self:
                found = picked(function, arguments, options)
        elif ASKING & set(function.tags) and are_known(arguments, options):
            found = answer(function, arguments, options)
            with self:
                found = torch.utils._pytree.tree_map_only(torch.Tensor, FunctionalTensor.to_functional, found)
        return super().__torch_dispatch__(function, types, arguments, options) if found is NotImplemented else found
