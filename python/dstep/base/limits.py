"""Limits of time and memory for an export: prints what it does after two seconds on a terminal, else after ten, and
ends it with an error when it exceeds a limit.

    with limits.watched("the export of 'step'", time_limit, memory_limit):
        limits.phase("tracing the step")
        ..

A thread observes the clock and the memory of the process. It ends the work by an exception in the working thread, which
Python raises between two of its operations. If one call of native code continues long after that, the process ends with
the same message: without a bound, the memory of the whole machine would be used up.
"""
import contextlib
import ctypes
import logging
import os
import pathlib
import shutil
import sys
import threading
import time

from .errors import FrontendError

LOG = logging.getLogger("dstep")  # warnings go to standard error unless the user has configured the logger
REPORT_AFTER = REPORT_EVERY = 10.0
SHOW_AFTER = 2.0  # on a terminal
LOOK_EVERY, RAISE_EVERY = 0.25, 2.0
GIB = 1 << 30
# How far native code may exceed a limit before the process ends.
GRACE_SECONDS, GRACE_MEMORY = 60.0, 1.5
_active = threading.local()


class _Exceeded(BaseException):
    """Raised in the working thread; no library catches it by mistake."""


def memory():
    """Returns the resident bytes of the process."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def trim():
    """Returns freed memory to the system; the C library keeps what lies below a block that is still used."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc
    if trim is not None:
        trim(0)


def available():
    """Returns the bytes that the machine has available."""
    fields = dict(line.split(":") for line in pathlib.Path("/proc/meminfo").read_text().splitlines())
    return int(fields["MemAvailable"].split()[0]) * 1024


def phase(text):
    """Names the current phase of the export, for reports and errors."""
    watch = getattr(_active, "watch", None)
    if watch is not None:
        watch.doing = text


def _line(frame):
    """Returns ' at FILE:LINE' of the innermost frame outside of ds and of installed libraries."""
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith("<") and not any(part in name for part in ("site-packages", "/lib/python", "/dstep/")):
            return f" at {name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


class Line:
    """A line on a terminal that shows what is being done and for how long; no line elsewhere."""

    def __init__(self):
        self.start, self.is_shown = time.monotonic(), False

    @staticmethod
    def is_possible():
        return bool(getattr(sys.stderr, "isatty", bool)())

    def show(self, what):
        seconds = time.monotonic() - self.start
        if seconds >= SHOW_AFTER and self.is_possible():
            self.is_shown = True
            line = f"{what}, {seconds:.0f} s"[:shutil.get_terminal_size().columns - 1]
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)

    def erase(self):
        if self.is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def shown(what):
    """Shows a line during work of native code."""
    line, ended = Line(), threading.Event()

    def show():
        while not ended.wait(LOOK_EVERY):
            line.show(what)
    thread = threading.Thread(target=show, daemon=True)
    if line.is_possible():
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if thread.is_alive():
            thread.join()
        line.erase()


class watched:
    """A context that raises an error once `what` has taken `time_limit` seconds or `memory_limit` GiB."""
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
                # Only then: otherwise the call would leave a flag that Python 3.11 never clears, and that loops forever
                # under cProfile.
                if self.raised > -RAISE_EVERY:
                    self._raise(None)  # cancels an exception that is still pending
                self.quiet = True
            except _Exceeded:  # raised just before the end
                pass
        if kind is _Exceeded:
            raise FrontendError(self.sentence) from None
        return False

    def _exceeded(self):
        """Returns the error message if a limit is exceeded, else None."""
        seconds, taken = time.monotonic() - self.start, memory() - self.held
        frame = sys._current_frames().get(self.worker)
        if self.time_limit is not None and seconds > self.time_limit:
            return (f"{self.what} took more than {self.time_limit} s, the last of it {self.doing}{_line(frame)}; "
                    "time_limit= allows more")
        if taken > self.allowed:
            return (f"{self.what} took more than {self.allowed / GIB:.3g} GiB of memory, the last of it "
                    f"{self.doing}{_line(frame)}; memory_limit= allows more (in GiB)")
        return None

    def _watch(self):
        line = Line()
        try:
            self._look(line)
        finally:
            line.erase()

    def _look(self, line):
        reported = 0
        while not self.ended.wait(LOOK_EVERY):
            seconds = time.monotonic() - self.start
            line.show(f"{self.what}: {self.doing}")
            if not line.is_possible() and seconds > REPORT_AFTER + reported * REPORT_EVERY:
                reported += 1
                LOG.warning("%s has taken %.0f s and %.1f GiB, now %s", self.what, seconds,
                            max(memory() - self.held, 0) / GIB, self.doing)
            if self.sentence is None:
                self.sentence = self._exceeded()
                if self.sentence is None:
                    continue
            # Repeated until it arrives: an exception in a destructor or a callback is lost.
            if seconds - self.raised > RAISE_EVERY:
                self.raised = seconds
                self._raise(_Exceeded)
            if (self.time_limit is not None and seconds > self.time_limit
                + GRACE_SECONDS) or memory() - self.held > self.fatal:
                print(f"ds: error: {self.sentence}", file=sys.stderr, flush=True)
                os._exit(1)

    def _raise(self, kind):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.worker),
                                                   None if kind is None else ctypes.py_object(kind))
