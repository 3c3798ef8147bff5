"""Side effects of a step: writes to tensors, whatever the values, exchanges with other processes, and tensors that are
not dense.

They are detected by the operations that run, not by values: an example may leave a buffer unchanged. A view, `.data`
and `detach()` of a tensor share its storage.
"""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ...base.errors import FrontendError
from . import places
from .values import dense_form, is_dense, kind

COLLECTIVES = ("c10d", "_c10d_functional", "_c10d_functional_autograd", "c10d_functional", "symm_mem")


def _storage(tensor):
    """Returns an identifier of a tensor's memory; a tensor that is not dense identifies itself."""
    return tensor.untyped_storage()._cdata if is_dense(tensor) else id(tensor)


class Watch(TorchDispatchMode):
    """Watches named tensors; `changed` lists those that a step has written or replaced."""

    def __init__(self, tensors):
        super().__init__()
        # Storages are kept alive, so that no other storage reuses an address.
        self.tensors, self.held = tensors, [t.untyped_storage() for t in tensors.values() if is_dense(t)]
        self.storages = {n: _storage(t) for n, t in tensors.items()}
        self.written: dict[int, str] = {}  # {storage: the line of its last write}

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        options = options or {}
        if function.namespace in COLLECTIVES:
            name = function._schema.name.split("::")[-1].rstrip("_")
            raise FrontendError(f"'{name}'{places.of_running()} combines values of several processes, expected a step "
                                "of one device: ds divides its batch among ranks and combines what they have")
        apart = next((t for t in torch.utils._pytree.tree_leaves((arguments, options)) if isinstance(t, torch.Tensor)
                      and not is_dense(t)), None)
        if apart is not None:
            name = next((f"'{name}'" for name, tensor in self.tensors.items() if tensor is apart), "a tensor")
            raise FrontendError(f"'{function._schema.name.split('::')[-1]}'{places.of_running()} reads {name}, which "
                                f"is {kind(apart)}, expected dense tensors: its {dense_form(apart)} can be a buffer of "
                                "the model")
        if function._schema.is_mutable:
            for argument, value in zip(function._schema.arguments,
                                       [*arguments,
                                        *(options.get(a.name) for a in function._schema.arguments[len(arguments):])]):
                if argument.alias_info is not None and argument.alias_info.is_write:
                    written = [_storage(t) for t in torch.utils._pytree.tree_leaves(value)
                               if isinstance(t, torch.Tensor)]
                    self.written |= dict.fromkeys(written, places.of_running())
        return function(*arguments, **options)

    def changed(self, after):
        """Returns the names of tensors written in place, or replaced by another tensor or storage in `after`."""
        return [n for n, t in self.tensors.items() if after[n] is not t or _storage(after[n]) != self.storages[n]
                or self.storages[n] in self.written]

    def place(self, name):
        """Returns ' at FILE:LINE' of the last write in place of a tensor, or ''."""
        return self.written.get(self.storages[name], "")

    def in_place(self):
        """Returns the names of tensors written in place."""
        return [n for n, t in self.tensors.items() if _storage(t) in self.written]
