"""Threads and signals of the user beside an export: exports run one after another, and replacements that an export
makes in PyTorch apply to its own thread only.

    with alone():                                      one export, or compilation of Dynamo, at a time
    with replaced(torch.nn.functional, "dropout", f):  f on this thread; other threads find the original

PyTorch stores functions and attributes once for all threads, in modules and classes. So a replacement dispatches by
thread: a function that calls the thread's function, a class attribute with a value for each thread, or a proxy of the
thread's value. The last user removes it.
"""
import builtins
import contextlib
import functools
import os
import signal
import threading
import types
from collections.abc import Iterator
from typing import Any

_export = threading.RLock()  # taken after Dynamo's own lock, which Dynamo holds when it calls the backend
_table = threading.Lock()  # guards _places
_places: dict[tuple[int, str], "_Place"] = {}
_NOTHING: Any = object()


def _after_fork():
    """Renews the locks: a forked child has only the thread that forked, so no other thread would release a lock or
    leave a replacement."""
    global _export, _table
    _export, _table = threading.RLock(), threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


class _Raised(BaseException):
    """An exception of the user's signal handler, wrapped so that no `except Exception` takes it for an error of the
    step."""

    def __init__(self, error):
        self.error = error


def _passing(handler):
    def call(*arguments):
        try:
            return handler(*arguments)
        except Exception as error:
            raise _Raised(error) from None
    call.is_passing = True
    return call


@contextlib.contextmanager
def _handlers_pass():
    """Passes exceptions of the user's signal handlers through the block unchanged. Python runs handlers in the main
    thread."""
    is_main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()} if is_main else {}
    put = {number: (handler, _passing(handler)) for number, handler in handlers.items()
           if callable(handler) and not hasattr(handler, "is_passing")}
    try:
        try:
            for number, (_, passing) in put.items():
                signal.signal(number, passing)
            yield
        finally:
            for number, (handler, passing) in put.items():
                if signal.getsignal(number) is passing:
                    signal.signal(number, handler)
    except _Raised as raised:
        if not put:
            raise  # the outer export unwraps it
        raise raised.error


@contextlib.contextmanager
def alone():
    """Runs the block while no other thread exports, or compiles by torch.compile."""
    from torch._dynamo.convert_frame import compile_lock
    with compile_lock, _export, _handlers_pass():
        yield


class _Place:
    """An attribute of a module or class, with each thread's values."""

    def __init__(self, owner, name):
        self.owner, self.name, self.users, self.threads = owner, name, 0, threading.local()
        self.is_new, self.before = name not in vars(owner), vars(owner).get(name, getattr(builtins, name, _NOTHING))

    def values(self):
        """Returns the values that this thread has set, the latest last."""
        return vars(self.threads).setdefault("values", [])

    def value(self):
        values = self.values()
        return values[-1] if values else self.before

    def put(self):
        if isinstance(self.owner, type):
            found: Any = _OfClass(self)
        elif callable(self.before):
            found = functools.wraps(self.before)(lambda *arguments, **options: self.value()(*arguments, **options))
        else:
            found = _OfModule(self)
        setattr(self.owner, self.name, found)

    def take_out(self):
        if self.is_new:
            delattr(self.owner, self.name)
        else:
            setattr(self.owner, self.name, self.before)


class _OfClass:
    def __init__(self, place):
        self.place = place

    def __get__(self, instance, kind):
        value = self.place.value()
        if value is _NOTHING:  # look it up in the bases
            return getattr(super(self.place.owner, kind if instance is None else instance), self.place.name)
        get = getattr(type(value), "__get__", None)
        return value if get is None else get(value, instance, kind)


class _OfModule:
    """A proxy of a flag, or of a table that is read by its methods."""

    def __init__(self, place):
        self.place = place

    def __bool__(self):
        return bool(self.place.value())

    def __getattr__(self, name):
        return getattr(self.place.value(), name)


@contextlib.contextmanager
def replaced(owner: type | types.ModuleType, name: str, value: Any) -> Iterator[None]:
    """Sets `owner.name` to `value` on this thread within the block."""
    with _table:
        key = id(owner), name
        place = _places[key] if key in _places else _places.setdefault(key, _Place(owner, name))
        place.users += 1
        if place.users == 1:
            place.put()
    place.values().append(value)
    try:
        yield
    finally:
        place.values().pop()
        with _table:
            place.users -= 1
            if place.users == 0:
                del _places[key]
                place.take_out()
