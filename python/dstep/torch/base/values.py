"""Tensors as arrays and back, and temporary replacement of values in the user's model."""
import contextlib

import ml_dtypes
import numpy as np
import torch

from ...base.errors import FrontendError


def to_array(tensor):
    """Returns an array over the memory of a dense tensor."""
    tensor = tensor.detach().contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def tensor_of(array):
    """Returns a tensor over an array's memory, which keeps the array's owner alive."""
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def described(role, tensor):
    """Returns the description of an argument or a result in a manifest."""
    return role | {"shape": list(tensor.shape), "dtype": str(tensor.dtype).removeprefix("torch.")}


def is_dense(tensor):
    """True if the elements of a tensor lie in one memory as numbers; False for sparse, nested, oneDNN and quantized
    tensors."""
    return tensor.layout is torch.strided and not tensor.is_nested and not tensor.is_quantized


def kind(tensor):
    if tensor.is_quantized:
        return f"quantized ({str(tensor.dtype).removeprefix('torch.')})"
    return "nested" if tensor.is_nested else str(tensor.layout).removeprefix("torch.").lstrip("_")


def dense_form(tensor):
    """Returns the name of the method that makes such a tensor dense."""
    return "dequantize()" if tensor.is_quantized else "to_padded_tensor()" if tensor.is_nested else "to_dense()"


@contextlib.contextmanager
def replaced(model, tensors):
    """Replaces parameters and buffers by `tensors` (by name) within the block, under all names of a tensor or a
    module."""
    named = dict(model.named_parameters()) | dict(model.named_buffers())
    values = {id(named[name]): value for name, value in tensors.items()}
    written = []
    try:
        for module in model.modules():  # each once, even with several names
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
    """Raises FrontendError if forward has replaced a parameter by another object, which no optimizer would know."""
    now = dict(model.named_parameters())
    for name, value in tensors.items():
        if now.get(name) is not value:
            raise FrontendError(f"forward puts another object in the place of the parameter '{name}', expected one that writes its values")


def computed(model):
    """Returns a memo for a deep copy of the model. Tensors with a graph of gradients that forward has left in its
    attributes are copied as values, and so are tensors that are not dense, which PyTorch cannot deep-copy."""
    memo = {}
    for module in model.modules():
        torch.utils._pytree.tree_map_only(torch.Tensor, lambda t: t.is_leaf and is_dense(t) or memo.setdefault(id(t), t if t.is_quantized else t.detach().clone()), dict(vars(module)))
    return memo
