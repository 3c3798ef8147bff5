"""The user's model with other values, for a while."""
import contextlib

import torch

from ..frontend.errors import FrontendError


def is_dense(tensor):
    """Whether its elements lie in one memory as numbers: those of a sparse, a nested, an oneDNN or a quantized tensor do
    not."""
    return tensor.layout is torch.strided and not tensor.is_nested and not tensor.is_quantized


def kind(tensor):
    if tensor.is_quantized:
        return f"quantized ({str(tensor.dtype).removeprefix('torch.')})"
    return "nested" if tensor.is_nested else str(tensor.layout).removeprefix("torch.").lstrip("_")


def dense_form(tensor):
    """The method that gives a dense tensor of one that is not."""
    return "dequantize()" if tensor.is_quantized else "to_padded_tensor()" if tensor.is_nested else "to_dense()"


@contextlib.contextmanager
def replaced(model, tensors):
    """Within the block, parameters and buffers are `tensors` (by name), under all names that a tensor or a module has."""
    named = dict(model.named_parameters()) | dict(model.named_buffers())
    values = {id(named[name]): value for name, value in tensors.items()}
    written = []
    try:
        for module in model.modules():  # each once, though it may have several names
            for kept in (module._parameters, module._buffers):
                for key, tensor in kept.items():
                    if id(tensor) in values:
                        written.append((kept, key, tensor))
                        kept[key] = values[id(tensor)]
        yield
    finally:
        for kept, key, tensor in written:
            kept[key] = tensor


def check_in_place(model, tensors):
    """Raises where forward has put other objects in the place of parameters, which no optimizer would know."""
    now = dict(model.named_parameters())
    for name, value in tensors.items():
        if now.get(name) is not value:
            raise FrontendError(f"forward puts another object in the place of the parameter '{name}', expected one that writes its values")


def computed(model):
    """A memo for a deep copy of the model: tensors that forward has left in its attributes, with the graph of their gradients, are copied as values, and so are those that
    are not dense, of which PyTorch has no deep copy."""
    memo = {}
    for module in model.modules():
        torch.utils._pytree.tree_map_only(torch.Tensor, lambda t: t.is_leaf and is_dense(t) or memo.setdefault(id(t), t if t.is_quantized else t.detach().clone()), dict(vars(module)))
    return memo
