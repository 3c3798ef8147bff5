"""A snapshot of the user's objects: everything that model, optimizer and functions reach, to restore it and to find
changes.

    with Objects(model=model, optimizer=optimizer, loss_fn=loss_fn) as objects:
        ..                       # anything: forward, optimizer.step, a trace that fails
        objects.renamed(), objects.rewritten()       # the changes
        objects.restore()        # also done at the end of the block, even after an exception

A walk from the roots records the contents of every namespace, list, dictionary and set, the address of every tensor,
and the bytes of every storage once. It follows the user's functions into their closures and into the globals that their
code names, and the user's classes into their attributes. Modules, classes of libraries and their contents are left out.
A restore writes only values that differ.
"""
import argparse
import collections
import functools
import os
import pickle
import random
import site
import sys
import sysconfig
import types

import numpy as np
import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

HERE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))  # the folder of ds
LIBRARIES = tuple({os.path.realpath(p) + os.sep for p in [*site.getsitepackages(), sysconfig.get_path("stdlib"), HERE, os.path.dirname(torch.__file__)]})
PLAIN = (type(None), bool, int, float, complex, str, bytes)
CLOSED = (type, types.ModuleType, types.BuiltinFunctionType, types.CodeType, torch.dtype, torch.device, torch.Size, np.dtype, np.generic)
# Of tensors outside of the model and the optimizer, bytes are kept up to this size; for a larger one the version is
# compared.
LARGE = 64 << 20
# The number of objects reached only through functions and globals that the walk visits; the nearest come first.
FAR = 20_000

Change = collections.namedtuple("Change", "name holder key before after")


@functools.cache
def is_own(filename):
    """True for a file of the user, not of a library."""
    return not filename.startswith("<frozen") and not os.path.realpath(filename).startswith(LIBRARIES)


def _is_own_class(kind):
    name = kind.__module__
    return name == "__main__" or bool(getattr(sys.modules.get(name), "__file__", None)) and is_own(sys.modules[name].__file__)


def _is_opaque(value):
    """True for objects of the standard library (locks, loggers, files) and of ds, whose contents are left out."""
    top = type(value).__module__.partition(".")[0]
    return top == "dstep" or top in sys.stdlib_module_names and not isinstance(value, (types.SimpleNamespace, argparse.Namespace, dict, list, set, tuple, frozenset, collections.deque))


def _names_of(code):
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names_of(constant)
    return names


def _same(a, b):
    return a is b or isinstance(a, PLAIN) and type(a) is type(b) and (a == b or a != a and b != b)


def _generator(value):
    """Returns the functions that get and set the state of a random generator, or None."""
    if isinstance(value, random.Random):
        return value.getstate, value.setstate
    if isinstance(value, np.random.Generator):
        return lambda: value.bit_generator.state, lambda state: setattr(value.bit_generator, "state", state)
    if isinstance(value, (np.random.RandomState, torch.Generator)):
        return value.get_state, value.set_state
    return None


def _state(value):
    """Returns a generator's state in a comparable form."""
    state = _generator(value)[0]()
    return state.numpy().tobytes() if isinstance(state, torch.Tensor) else pickle.dumps(state)


# The global generators.
RANDOM = {"random": random._inst, "numpy.random": np.random.mtrand._rand, "torch": torch.default_generator}


def random_states():
    """Returns the states of the global generators in a comparable form."""
    return {library: _state(generator) for library, generator in RANDOM.items()}


def _is_of_optimizer(name):
    """True for states, groups and attributes of the optimizer, but not for contents of its hooks."""
    return name.startswith("optimizer") and "_hooks[" not in name and " (" not in name


# How the contents of an object are read, compared and restored.
Kind = collections.namedtuple("Kind", "read is_same restore")
LIST = Kind(list, lambda before, now: len(before) == len(now) and all(map(_same, before, now)),
            lambda held, before: (held.clear(), held.extend(before)))
SET = Kind(set, set.__eq__, lambda held, before: (held.clear(), held.update(before)))
ARRAY = Kind(np.copy, lambda before, now: before.tobytes() == now.tobytes(), np.copyto)
GENERATOR = Kind(lambda held: (_generator(held)[0](), _state(held)), lambda before, now: before[1] == now[1],
                 lambda held, before: _generator(held)[1](before[0]))


class Objects:
    KEEPS = True  # keeps the bytes of storages and arrays

    def __init__(self, **roots):
        # Visited objects are kept alive, so that no other object reuses their id.
        self.held, self.seen = [], set()
        self.namespaces, self.tensors = [], []
        # (name, object, its contents, Kind), and the states of the global generators.
        self.contents, self.random = [], [(generator, GENERATOR.read(generator)) for generator in RANDOM.values()]
        self.storages, self.watched = {}, []
        self.iterators = []  # their positions cannot be restored
        self.functions = []  # of the user, which may write values
        self.open = collections.deque((name, value, name in ("model", "optimizer")) for name, value in roots.items())
        self.far = 0
        while self.open:
            self._visit(*self.open.popleft())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.restore()
        return False

    # The walk.
    def _visit(self, name, value, owned):
        if isinstance(value, PLAIN + CLOSED) and not isinstance(value, type) or id(value) in self.seen:
            return
        self.far += not owned
        if self.far > FAR:
            return
        self.seen.add(id(value))
        self.held.append(value)
        follow = lambda parts: self.open.extend((f"{name}{part}", v, owned) for part, v in parts)
        if isinstance(value, type):
            if _is_own_class(value):
                self._class(name, value, follow)
        elif isinstance(value, torch.Tensor):
            self._tensor(name, value, owned)
        elif isinstance(value, types.FunctionType):
            self._function(name, value, follow)
        elif isinstance(value, types.MethodType):
            follow([("", value.__self__), ("", value.__func__)])
        elif isinstance(value, functools.partial):
            follow([("", value.func), ("", value.args), ("", value.keywords)])
        elif isinstance(value, types.CellType):
            follow([("", value.cell_contents)] if value != types.CellType() else [])
        elif isinstance(value, np.ndarray):
            if value.dtype != object and value.flags.writeable and (owned or value.nbytes <= LARGE):
                self._keep(name, value, ARRAY)
        elif _generator(value):
            self._keep(name, value, GENERATOR)
        elif hasattr(type(value), "__next__"):
            self.iterators.append(name)
        elif not _is_opaque(value):
            self._container(name, value, follow)

    def _keep(self, name, value, kind):
        self.contents.append((name, value, kind.read(value), kind))

    def _container(self, name, value, follow):
        if isinstance(value, dict):
            self.namespaces.append((name, value, dict(value), "[{!r}]"))
            follow((f"[{k!r}]" if isinstance(k, PLAIN) else "", v) for k, v in value.items())
            follow(("", k) for k in value if not isinstance(k, PLAIN))
        elif isinstance(value, (list, collections.deque)):
            self._keep(name, value, LIST)
            follow((f"[{i}]", v) for i, v in enumerate(value) if not isinstance(v, PLAIN))
        elif isinstance(value, set):
            self._keep(name, value, SET)
        elif isinstance(value, (tuple, frozenset)):
            follow((f"[{i}]", v) for i, v in enumerate(value))
        if isinstance(getattr(value, "__dict__", None), dict):
            self._namespace(name, value, follow)
        follow([("", type(value))])

    def _namespace(self, name, value, follow):
        own = vars(value)
        self.namespaces.append((name, own, dict(own), ".{}"))
        inner = ("_parameters", "_buffers", "_modules") if isinstance(value, torch.nn.Module) else ()
        for key in inner:
            self.namespaces.append((name, own[key], dict(own[key]), ".{}"))
            self.seen.add(id(own[key]))
            self.held.append(own[key])
            follow((f".{k}", v) for k, v in own[key].items())
        follow((f".{k}", v) for k, v in own.items() if k not in inner)

    def _class(self, name, value, follow):
        inner = {k: v for k, v in vars(value).items() if isinstance(v, (property, classmethod, staticmethod))}
        own = {k: v for k, v in vars(value).items() if not k.startswith("__") and k not in inner and not isinstance(v, types.MemberDescriptorType)}
        self.namespaces.append((name, value, {k: v for k, v in own.items() if not callable(v)}, ".{}"))
        follow((f".{k}", v) for k, v in own.items())
        follow((f".{k}", v) for k, v in vars(value).items() if k.startswith("__") and isinstance(v, types.FunctionType))
        follow((f".{k}", f) for k, v in inner.items() for f in ([v.fget, v.fset, v.fdel] if isinstance(v, property) else [v.__func__]) if f)
        follow(("", base) for base in value.__bases__)

    def _function(self, name, value, follow):
        follow((f" ({variable})", cell) for variable, cell in zip(value.__code__.co_freevars, value.__closure__ or ()))
        for variable, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
            if cell != types.CellType():
                self.namespaces.append((variable, cell, {"cell_contents": cell.cell_contents}, ""))
        follow(("", v) for v in (value.__defaults__, value.__kwdefaults__, getattr(value, "__wrapped__", None)))
        if is_own(value.__code__.co_filename):
            self.functions.append(value)
            named = {k: value.__globals__[k] for k in _names_of(value.__code__) if k in value.__globals__}
            self.namespaces.append(("", value.__globals__, named, "{}"))
            self.open.extend((k, v, False) for k, v in named.items())

    def _tensor(self, name, value, owned):
        if value.device.type != "cpu":
            return
        if is_traceable_wrapper_subclass(value):  # for example a DTensor, which has no memory of its own
            return self.open.extend((name, getattr(value, part), owned) for part in value.__tensor_flatten__()[0])
        try:
            storage, alias, _ = value.untyped_storage(), value.detach(), value.shape
        except (RuntimeError, NotImplementedError, ValueError):  # composed, sparse, nested, or without a shape
            return
        place = storage._cdata
        if owned or storage.nbytes() <= LARGE:
            if place not in self.storages:
                self.storages[place] = storage, storage.clone() if storage.nbytes() and self.KEEPS else None
        else:
            self.watched.append((name, value, value._version))
        grad = value.grad if value.is_leaf else None
        hooks = [(kind, kept, None if kept is None else dict(kept)) for kind in ("_backward_hooks", "_post_accumulate_grad_hooks")
                 for kept in [getattr(value, kind, None)]] if value.is_leaf else []
        self.tensors.append((name, value, alias, value.requires_grad, value.is_leaf, grad, hooks))
        self.open.extend((f"{name}{part}", v, owned) for part, v in ((".grad", grad), ("", vars(value))))
        for _, _, kept in hooks:
            self.open.extend((name, v, False) for v in (kept or {}).values())

    # Changes since the snapshot.
    def _refilled(self, *kinds):
        """Returns the changes of the contents of some kinds."""
        found = [(name, held, before, kind.read(held), kind) for name, held, before, kind in self.contents
                 if kind in kinds]
        return [Change(name, held, None, before, now) for name, held, before, now, kind in found
                if not kind.is_same(before, now)]

    def renamed(self):
        """Returns the changes of names, and of elements of lists, that now hold another number or object."""
        found = []
        for name, holder, before, form in self.namespaces:
            now = vars(holder) if isinstance(holder, type) else {"cell_contents": holder.cell_contents} if isinstance(holder, types.CellType) else holder
            keys = list(before) if form == "{}" or isinstance(holder, type) else dict.fromkeys([*before, *now])
            found += [Change((name + _part(form, k)).lstrip("."), holder, k, before.get(k), now.get(k)) for k in keys if not _same(before.get(k), now.get(k))]
        return found + self._refilled(LIST, SET)

    def names(self):
        """Returns the names of what has changed beside the elements of tensors, which a trace by shapes does not have."""
        return {change.name for change in self.renamed() + self._refilled(ARRAY, GENERATOR)}

    def rewritten(self):
        """Returns the changes of tensors, arrays and random generators with other values."""
        found = self._refilled(ARRAY, GENERATOR)
        dirty = {place for place, (storage, before) in self.storages.items() if before is not None and not _equal_bytes(storage, before)}
        found += [Change(name, held, None, alias, held) for name, held, alias, *_ in self.tensors
                  if not _is_where(held, alias) or alias.untyped_storage()._cdata in dirty]
        return found + [Change(name, held, None, None, held) for name, held, version in self.watched if held._version != version]

    def sees_all(self):
        """True if the walk has reached the end, and met nothing whose state cannot be read."""
        return self.far <= FAR and not self.iterators

    def hidden(self, capture):
        """Returns the changes of values outside of the parameters, buffers and optimizer that the step carries."""
        ours = {id(t) for t in [*capture.parameters.values(), *capture.model.buffers()]}
        carried = {f"model.{name}" for name in [*capture.parameters, *capture.changing]}
        return [c for c in self.renamed() + self.rewritten() if not _is_of_optimizer(c.name) and not c.name.endswith(".grad") and ".grad" not in c.name
                and id(c.holder) not in ours and c.name not in carried and not c.name.endswith(("._opt_called", "._flat_weights"))]

    def restore(self):
        for generator, before in self.random:
            GENERATOR.restore(generator, before)
        for _, holder, before, form in self.namespaces:
            _restore_namespace(holder, before, whole=form != "{}")
        for _, held, before, kind in self.contents:
            if not kind.is_same(before, kind.read(held)):
                kind.restore(held, before)
        for storage, before in self.storages.values():
            if before is not None and not _equal_bytes(storage, before):
                storage.copy_(before)
        for _, held, alias, requires_grad, leaf, grad, hooks in self.tensors:
            _restore_tensor(held, alias, requires_grad, leaf, grad, hooks)


def _part(form, key):
    """Returns the text of a key in a name. A tensor, which is a key of an optimizer's state, would print its
    elements."""
    return form.format(key) if isinstance(key, PLAIN) else f"[{type(key).__name__}]"


def _bytes(storage):
    return torch.empty(0, dtype=torch.uint8).set_(storage)


def _equal_bytes(storage, before):
    return storage.nbytes() == before.nbytes() and torch.equal(_bytes(storage), _bytes(before))


def _is_where(tensor, alias):
    return (tensor.untyped_storage()._cdata == alias.untyped_storage()._cdata and tensor.shape == alias.shape and tensor.stride() == alias.stride()
            and tensor.storage_offset() == alias.storage_offset() and tensor.dtype == alias.dtype)


def _restore_namespace(holder, before, whole):
    if isinstance(holder, types.CellType):
        if holder == types.CellType() or holder.cell_contents is not before["cell_contents"]:
            holder.cell_contents = before["cell_contents"]
    elif isinstance(holder, type):
        for key, value in before.items():
            if vars(holder).get(key) is not value:
                setattr(holder, key, value)
    elif whole:
        if list(holder) != list(before) or any(holder[key] is not value for key, value in before.items()):
            holder.clear()
            holder.update(before)
    else:  # only the recorded names of a file's globals
        holder.update({key: value for key, value in before.items() if holder.get(key) is not value})


def _restore_tensor(held, alias, requires_grad, leaf, grad, hooks):
    if leaf and not held.is_leaf:  # an in-place write of a value with a gradient
        held.detach_()
    if not _is_where(held, alias):
        held.data = alias
    if leaf:
        held.requires_grad_(requires_grad)
        if held.grad is not grad:
            held.grad = grad
        for kind, kept, before in hooks:
            if getattr(held, kind, None) is not kept:
                setattr(held, kind, kept)
            elif kept is not None and dict(kept) != before:
                kept.clear()
                kept.update(before)
