"""Time and memory of an export: what it does is said after ten seconds, and it ends with a sentence when it takes too much.

    with limits.watched("the export of 'step'", time_limit, memory_limit):
        limits.phase("tracing the step")
        ..

A thread looks at the clock and at the memory of the process. It ends the work by an exception in the thread that works, which is seen between two
operations of Python. Where one call of native code goes on for long after that, the process ends instead, with the same sentence: memory that
is taken without bound takes the machine with it.
"""
import ctypes
import logging
import os
import pathlib
import sys
import threading
import time

from .frontend.errors import FrontendError

LOG = logging.getLogger("dstep")  # warnings reach standard error where nobody has set it up
REPORT_AFTER = REPORT_EVERY = 10.0
LOOK_EVERY, RAISE_EVERY = 0.25, 2.0
GIB = 1 << 30
# How far native code may go beyond a limit before the process ends.
GRACE_SECONDS, GRACE_MEMORY = 60.0, 1.5
_active = threading.local()


class _Exceeded(BaseException):
    """Raised in the working thread; no library catches it by mistake."""


def memory():
    """Bytes that the process holds."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def available():
    """Bytes that the machine could still give."""
    fields = dict(line.split(":") for line in pathlib.Path("/proc/meminfo").read_text().splitlines())
    return int(fields["MemAvailable"].split()[0]) * 1024


def phase(text):
    """What the export does now."""
    watch = getattr(_active, "watch", None)
    if watch is not None:
        watch.doing = text


def _line(frame):
    """' at FILE:LINE' of the innermost frame that is neither ours nor an installed library's."""
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith("<") and not any(part in name for part in ("site-packages", "/lib/python", "/dstep/")):
            return f" at {name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


class watched:
    def __init__(self, what, time_limit, memory_limit):
        for name, value in (("time_limit", time_limit), ("memory_limit", memory_limit)):
            if value is not None and not (isinstance(value, (int, float)) and value > 0):
                raise FrontendError(f"{name} is {value!r}, expected a positive number")
        self.what, self.time_limit, self.doing = what, time_limit, "beginning"
        self.start, self.held = time.monotonic(), memory()
        self.allowed = memory_limit * GIB if memory_limit is not None else 0.75 * available()
        self.sentence, self.raised, self.quiet, self.ended = None, -RAISE_EVERY, False, threading.Event()
        self.fatal = max(self.allowed + GIB, min(GRACE_MEMORY * self.allowed, 0.9 * available()))

    def __enter__(self):
        self.outer, _active.watch = getattr(_active, "watch", None), self
        self.thread, self.worker = threading.Thread(target=self._watch, daemon=True), threading.get_ident()
        if self.outer is None:
            self.thread.start()
        return self

    def __exit__(self, kind, error, trace):
        _active.watch = self.outer
        self.ended.set()
        if self.outer is not None:
            return False
        while self.thread.is_alive() or not self.quiet:
            try:
                self.thread.join()
                if self.raised > -RAISE_EVERY:  # else it would only leave a mark that Python 3.11 never takes away, and loops at for ever under cProfile
                    self._raise(None)  # what is still on its way is called back
                self.quiet = True
            except _Exceeded:  # sent just before the end
                pass
        if kind is _Exceeded:
            raise FrontendError(self.sentence) from None
        return False

    def _exceeded(self):
        """The sentence, if there is one to say."""
        seconds, taken = time.monotonic() - self.start, memory() - self.held
        frame = sys._current_frames().get(self.worker)
        if self.time_limit is not None and seconds > self.time_limit:
            return f"{self.what} took more than {self.time_limit} s, the last of it {self.doing}{_line(frame)}; time_limit= allows more"
        if taken > self.allowed:
            return (f"{self.what} took more than {self.allowed / GIB:.3g} GiB of memory, the last of it {self.doing}{_line(frame)}; "
                    "memory_limit= allows more (in GiB)")
        return None

    def _watch(self):
        reported = 0
        while not self.ended.wait(LOOK_EVERY):
            seconds = time.monotonic() - self.start
            if seconds > REPORT_AFTER + reported * REPORT_EVERY:
                reported += 1
                LOG.warning("%s has taken %.0f s and %.1f GiB, now %s", self.what, seconds, max(memory() - self.held, 0) / GIB, self.doing)
            if self.sentence is None:
                self.sentence = self._exceeded()
                if self.sentence is None:
                    continue
            # Again until it is seen: what is raised in a destructor or a callback is lost.
            if seconds - self.raised > RAISE_EVERY:
                self.raised = seconds
                self._raise(_Exceeded)
            if (self.time_limit is not None and seconds > self.time_limit + GRACE_SECONDS) or memory() - self.held > self.fatal:
                print(f"ds: error: {self.sentence}", file=sys.stderr, flush=True)
                os._exit(1)

    def _raise(self, kind):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.worker), None if kind is None else ctypes.py_object(kind))
