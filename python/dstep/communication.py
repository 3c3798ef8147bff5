"""Ranks and groups of the job that started this process, with the names and rules of mindspore.communication, over the
C library of the runtime.

    dstep.communication.init()                              # joins the job of mpirun, torchrun, msrun, ..
    rank, size = dstep.communication.get_rank(), dstep.communication.get_group_size()
    dstep.communication.create_group("front", [0, 1])       # called by its members
    dstep.communication.release()

libdsrt.so is taken from the environment variable DS_RUNTIME, or from the lib folder beside ds-run. A job of `ds-run` or
data_parallel does not need this module: it starts and joins its ranks itself.
"""
import atexit
import ctypes
import os
import pathlib

from .base.find import library

WORLD = {None, "", "world", "hccl_world_group", "nccl_world_group", "mccl_world_group"}
BACKENDS = ("hccl", "nccl", "mccl", "mpi", "tcp", "local")


class CommunicationError(RuntimeError):
    """An error of the runtime, with its message."""


class _Options(ctypes.Structure):
    """dsrt_options of dsrt/dsrt.h."""
    _fields_ = [("struct_size", ctypes.c_uint32), ("deterministic", ctypes.c_uint32), ("timeout_ms", ctypes.c_int64),
                ("chunk_bytes", ctypes.c_int64), ("check_calls", ctypes.c_uint32), ("on_host", ctypes.c_uint32)]


_library, _context = None, None
# name: (handle, ranks in ascending order). The library ends the job on a mistake, so mistakes are refused here first.
_groups: dict[str, tuple] = {}


def _find():
    # A wheel has the runtime in libds.so alone.
    places = [os.environ.get("DS_RUNTIME") or library("libdsrt.so") or library("libds.so")]
    for place in filter(None, places):
        if pathlib.Path(place).exists():
            return str(pathlib.Path(place).absolute())  # dlopen looks for a bare name elsewhere
    raise CommunicationError("the runtime is not found at "
                             f"{' or '.join(map(str, filter(None, places))) or 'any place'}; name libdsrt.so by "
                             "DS_RUNTIME")


def _load():
    global _library
    if _library is None:
        _library = ctypes.CDLL(_find())
        _library.dsrt_last_error.restype = ctypes.c_char_p
    return _library


def _check(status):
    if status:
        raise CommunicationError(_load().dsrt_last_error(_context).decode())


def _inited():
    if _context is None:
        raise RuntimeError("communication is not initialised; call dstep.communication.init() first")
    return _load()


def init(backend_name=None):
    """Joins the job of the launcher.

    `backend_name` is one of BACKENDS; mccl is mpi here. Without a name the backend is chosen by the job and its
    devices. Without a launcher the job is this process alone. A second call does nothing. Raises CommunicationError if
    the job cannot be joined."""
    global _context
    if backend_name is not None and not isinstance(backend_name, str):
        raise TypeError(f"backend_name is a {type(backend_name).__name__}, expected a string")
    if backend_name is not None and backend_name not in BACKENDS:
        raise ValueError(f"backend_name is '{backend_name}', expected one of {', '.join(BACKENDS)}")
    if _context is not None:
        return
    library, options, context = _load(), _Options(), ctypes.c_void_p()
    # A newer library may have a longer struct.
    library.dsrt_options_init_sized(ctypes.byref(options), ctypes.sizeof(options))
    options.on_host = int(backend_name == "mccl")
    name = "auto" if backend_name in (None, "mccl") else backend_name
    status = library.dsrt_init(name.encode(), ctypes.byref(options), ctypes.byref(context))
    if status:
        raise CommunicationError(library.dsrt_last_error(None).decode())
    _context = context
    atexit.register(_leave)


def _leave():
    """Leaves the job at exit: MPI requires that every process finalizes."""
    if _context is not None:
        release()


def release():
    """Leaves the job; all ranks must call it. Destroys all groups."""
    global _context
    library = _inited()
    context, _context = _context, None
    _groups.clear()
    if library.dsrt_shutdown(context):
        raise CommunicationError("the job was left after a failure")


def _launched():
    rank, size = ctypes.c_int32(0), ctypes.c_int32(1)
    _load().dsrt_launched(ctypes.byref(rank), ctypes.byref(size))
    return rank.value, size.value


def _group(group):
    """Returns the handle of a group; 0 is the world."""
    _inited()
    return ctypes.c_int64(0) if group in WORLD else _known(group)[0]


def _number(function, group):
    handle, value = _group(group), ctypes.c_int32()
    _check(function(_context, handle, ctypes.byref(value)))
    return value.value


def _name(group):
    if not isinstance(group, str):
        raise TypeError(f"group is a {type(group).__name__}, expected a string")


def _known(group):
    _name(group)
    if group not in _groups:
        raise ValueError(f"there is no group '{group}' on rank {get_rank()}; create_group makes it, on its members")
    return _groups[group]


def get_rank(group=None):
    """Returns this process's rank in a group, by default in the world. Before init() it is the launcher's value, 0
    without a launcher."""
    if _context is None and group in WORLD:
        return _launched()[0]
    return _number(_inited().dsrt_group_rank, group)


def get_group_size(group=None):
    """Returns the number of processes in a group, by default in the world. Before init() it is the launcher's value, 1
    without a launcher."""
    if _context is None and group in WORLD:
        return _launched()[1]
    return _number(_inited().dsrt_group_size, group)


def create_group(group, rank_ids):
    """Creates a group of these ranks under a name; called by its members. Group ranks count from 0 in ascending
    rank."""
    _name(group)
    if not isinstance(rank_ids, list):
        raise TypeError(f"rank_ids is a {type(rank_ids).__name__}, expected a list")
    if not rank_ids or not all(isinstance(rank, int) and not isinstance(rank, bool) for rank in rank_ids):
        raise ValueError(f"rank_ids is {rank_ids}, expected one rank or more")
    if len(set(rank_ids)) < len(rank_ids):
        raise ValueError(f"rank_ids of group '{group}' is {rank_ids}, expected each rank once")
    library, handle, size = _inited(), ctypes.c_int64(), get_group_size()
    if group in WORLD:
        raise ValueError(f"'{group}' is the world, which is there from the beginning")
    if min(rank_ids) < 0 or max(rank_ids) >= size:
        raise ValueError(f"rank_ids of group '{group}' is {rank_ids}, expected ranks from 0 to {size - 1}")
    if get_rank() not in rank_ids:
        raise ValueError(f"create_group of '{group}' with {rank_ids} is called on rank {get_rank()}, expected a member "
                         "of it")
    if group in _groups:
        if _groups[group][1] != sorted(rank_ids):
            raise ValueError(f"group '{group}' has the ranks {_groups[group][1]}, and is asked for with {rank_ids}")
        return
    ranks = (ctypes.c_int32 * len(rank_ids))(*rank_ids)
    _check(library.dsrt_group_create_named(_context, group.encode(), len(rank_ids), ranks, ctypes.byref(handle)))
    _groups[group] = handle, sorted(rank_ids)


def destroy_group(group):
    """Destroys a group; the world cannot be destroyed."""
    _name(group)
    if group in WORLD:
        raise ValueError(f"'{group}' is the world, which cannot be destroyed")
    library = _inited()
    _known(group)
    del _groups[group]
    _check(library.dsrt_group_destroy_named(_context, group.encode()))
