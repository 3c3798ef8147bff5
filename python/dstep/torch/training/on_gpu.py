"""A step whose parameters and states a GPU holds, beside a model on the CPU: a call copies only the batch to the GPU.

Values of the model and the optimizer go to the GPU before the first step, and again when the user's program has written
them. They come back on a read: by `state_dict` of the model or the optimizer, by `parameters()` and `buffers()` of a
module, by a forward pass of the model in PyTorch, after `fit`, and by `sync`. Until then the user's tensors hold the
values of the last read. A write to one of them in the meantime would change an outdated value, so it is an error.
"""
import contextlib
import functools
import weakref

import numpy as np
import torch

from ...base import dlpack
from ...base.errors import RunError
from ..base import checks
from ..base.values import tensor_of, to_array
from .resident import Resident, named

# {module: hooks to call before the module's tensors are listed}
WATCHED: "weakref.WeakKeyDictionary[torch.nn.Module, list[Sync]]" = weakref.WeakKeyDictionary()
RESIDENTS: "weakref.WeakSet[OnGpu]" = weakref.WeakSet()


class Sync:
    """A hook that fetches the newest values first. It survives pickling, and does nothing in an unpickled copy."""

    def __init__(self, training=None, keeps=False):
        self.training, self.keeps = training and weakref.ref(training), keeps

    def __call__(self, *_):
        training = self.training and self.training()
        if training is not None and isinstance(training.resident, OnGpu):
            training.resident.sync(keeps=self.keeps)

    def __reduce__(self):
        return Sync, ()


@contextlib.contextmanager
def unasked(model):
    """Removes the hooks that fetch the newest values from the device, within this block: a trace of the loss must not
    contain them."""
    asking = {key: hook for key, hook in model._forward_pre_hooks.items() if isinstance(hook, Sync)}
    before = dict(model._forward_pre_hooks)
    try:
        for key in asking:
            del model._forward_pre_hooks[key]
        yield bool(asking)
    finally:
        model._forward_pre_hooks.clear()
        model._forward_pre_hooks.update(before)


@functools.cache
def _watch_lists():
    """Hooks `parameters()` and `buffers()` of a module, whose tensors an average of weights reads; both go through one
    function of PyTorch's."""
    members = torch.nn.Module._named_members

    def newest_members(self, *arguments, **options):
        for hook in WATCHED.get(self, ()):
            hook()
        yield from members(self, *arguments, **options)
    torch.nn.Module._named_members = newest_members


def watch(training):
    """Registers the hooks that give readers of the model or the optimizer the newest values."""
    hook, loading, optimizer = Sync(training, keeps=True), Sync(training), training.optimizer
    _watch_lists()
    for module in training.model.modules():
        WATCHED.setdefault(module, []).append(hook)
        module.register_state_dict_pre_hook(hook)
        module.register_load_state_dict_pre_hook(loading)
    training.model.register_forward_pre_hook(hook)
    for register, called in (("register_state_dict_pre_hook", hook), ("register_load_state_dict_pre_hook", loading)):
        getattr(optimizer, register, lambda hook: None)(called)


def described(batch):
    """Returns the batch, with zeros in place of values on a GPU."""
    def describe(value):
        if not dlpack.is_on_gpu(value):
            return value
        given = dlpack.Given(value, -1)
        return tensor_of(np.zeros(given.shape, given.dtype))

    if isinstance(batch, dict):
        return {name: describe(value) for name, value in batch.items()}
    return type(batch)(map(describe, batch)) if type(batch) in (tuple, list) else batch


class OnGpu(Resident):
    """Has the interface of Resident; see the module's docstring."""

    def __init__(self, instance, export):
        self.is_ahead, self.handed = False, {}
        super().__init__(instance, export)
        RESIDENTS.add(self)

    def _view(self, slot):
        """Returns host memory for a state that PyTorch has not created yet."""
        return np.zeros(self.instance.arguments[slot]["shape"], self.instance.dtype(slot))

    def _keep_owner(self, slot):
        pass  # no tensor of the user's is memory of the ranks

    def _show(self, slot, value):
        slot.view.copy_(value)
        slot.noted = None

    @torch.no_grad()
    def adopt(self):
        bound = self._bind()
        for slot in bound:
            if not slot.is_as_left():
                self._take(slot)
        self.foreign, self.bound = [], bound
        self._note()

    def _note(self):
        for slot in self.bound:
            slot.noted = slot.now()
        super()._note()

    def _take(self, slot):
        tensor = self._checked(slot)
        if self.is_ahead and slot.is_written:
            raise self._lost(slot)
        self.instance.write(slot.number, to_array(tensor))

    def _lost(self, slot):
        return RunError(f"'{slot.name}' was written while a newer value of it was on the GPU alone; call sync() of the training first, or state_dict()")

    @torch.no_grad()
    def sync(self, keeps=False):
        """Copies the GPU's values to the user's tensors. With `keeps`, a tensor written in the meantime is an error,
        because its value would be lost."""
        if not self.is_ahead:
            return
        for slot in self.bound if keeps else ():
            if slot.is_written and slot.noted is not None and not slot.is_as_left():
                raise self._lost(slot)
        for slot in self.bound:
            if slot.is_written:
                slot.tensor.copy_(tensor_of(self.instance.read(slot.number)))
        self.is_ahead = False
        self._note()

    def _addresses(self, batch):
        found = named(batch)
        on_gpu = {name for name, value in found.items() if dlpack.is_on_gpu(value)}
        self.handed = {}
        if not on_gpu:
            return super()._addresses(batch)
        self.kept.clear()
        host = found | {name: torch.empty(shape, dtype=dtype) for _, name, shape, dtype in self.batch if name in on_gpu}
        self._give(checks.fitting(host if isinstance(batch, dict) else tuple(host.values()), self.form, self.expected))
        for slot, name, _, _ in self.batch:
            if name in on_gpu:
                self.handed[slot] = self.instance.follow(found[name])
                del self.inputs[slot]

    def _following(self):
        found = {} if self.announced is None else named(self.announced)
        tensors = [(slot, found.get(name), shape, dtype) for slot, name, shape, dtype in self.batch]
        return {slot: tensor.data_ptr() for slot, tensor, shape, dtype in tensors
                if type(tensor) is torch.Tensor and tensor.shape == shape and tensor.dtype is dtype and tensor.is_contiguous() and tensor.is_cpu}

    def step(self, batch, number, hyper=None):
        # A network may belong to two steps.
        for other in list(RESIDENTS) if len(RESIDENTS) > 1 else ():
            if other is not self and other.is_ahead and not set(other.addresses).isdisjoint(self.addresses):
                other.sync()
        return super().step(batch, number, hyper)

    def _run(self, inputs):
        self.instance.run(inputs, given=self.handed, following=self._following())
        self.is_ahead = True

    def _numbers_now(self):
        return {key: tensor_of(self.instance.read(slot.number)) for key, slot in self.numbers.items()}
