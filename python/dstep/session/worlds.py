"""The worlds of a process: ranks that are its threads, and those of the launcher's job that it holds."""
import weakref

from ..base.errors import RunError

_joined = None  # the launcher's world, one per process


def join(program, ranks):
    """Returns the handle of the launcher's world, which the first call joins."""
    global _joined
    if _joined is None:
        _joined = program.library.make("ds_world_join", program.handle)
        if not _joined:
            raise RunError("no launcher has started this process")
        # destroyed at exit, after later instances; otherwise the launcher reports a failed job
        weakref.finalize(program.library, program.library.release, ("ds_world_destroy", _joined))
    there = program.library.functions.ds_world_num_ranks(_joined)
    if there != ranks:
        raise RunError(f"this process has joined a job of {there} ranks, and is asked for {ranks}: a job has one "
                       "number of ranks")
    return _joined


class World:
    """Ranks as threads of this process, on which instances of several programs can run, one after the other."""

    def __init__(self, program, ranks):
        lib = program.library
        self.handle = lib.make("ds_world_create", program.handle, ranks)
        self._end = weakref.finalize(self, lib.release, ("ds_world_destroy", self.handle))
