"""The launcher of this process, and the ranks that this process holds of its job.

A job has one number of ranks: `ranks=`, or the key device_num, else one for each process. Of R ranks in P processes
each process holds R / P consecutive ones; if P does not divide R, the first R mod P processes hold one more
(runtime/src/backends/hybrid/Placement.h).
"""
import os

from ..base.errors import FrontendError, RunError

# The variables of each launcher: the number of this process, how many there are, and its name.
_LAUNCHERS = (
    ("DS_RANK", "DS_WORLD_SIZE", "the environment"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpirun"),
    ("PMI_RANK", "PMI_SIZE", "mpirun"),
    ("MPI_LOCALRANKID", "MPI_LOCALNRANKS", "mpirun"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun"),
    ("RANK", "WORLD_SIZE", "torchrun"),
)


def started_by():
    """Returns (number, size, name) of the launcher if it started this process as one of several, else None."""
    for number, size, name in _LAUNCHERS:
        if name == "torchrun" and not {"TORCHELASTIC_RUN_ID", "MASTER_PORT"} & os.environ.keys():
            continue
        if os.environ.get(number, "").isdigit() and os.environ.get(size, "").isdigit() and int(os.environ[size]) > 1:
            return int(os.environ[number]), int(os.environ[size]), name
    return None


def ranks_of_job(ranks, config, device="cpu"):
    """Returns the number of ranks of the launcher's job. Raises RunError for fewer ranks than processes, ValueError for
    a number that `config` contradicts, or that a device does not have."""
    _, size, launcher = started_by()
    given = config.get("device_num")
    if ranks is not None and given is not None and int(given) != ranks:
        raise ValueError(f"ranks={ranks} is the number of ranks of the job, but device_num of config= is {given}")
    ranks = ranks if ranks is not None else int(given) if given is not None else size
    if ranks < size:
        raise RunError(f"ranks={ranks} is the number of ranks of the job, but {launcher} has started {size} processes, "
                       "expected a rank for each at least: leave ranks= out, and each process is one rank")
    if ranks > size and device != "cpu":
        raise ValueError(f"device={device!r} takes a process for each rank, got ranks={ranks} in {size} processes")
    return ranks


def first_rank(process, ranks):
    """Returns the first rank of a process of the job; for the number of processes, the number of ranks."""
    each, more = divmod(ranks, started_by()[1])
    return process * each + min(process, more)


def ranks_here(ranks):
    """Returns the range of ranks that this process holds."""
    process = started_by()[0]
    return range(first_rank(process, ranks), first_rank(process + 1, ranks))


def _listed(one, several, numbers):
    texts = [str(number) for number in numbers]
    return f"{one} {texts[0]}" if len(texts) == 1 else f"{several} {', '.join(texts[:-1])} and {texts[-1]}"


def named(processes, ranks):
    """Returns the text that names processes in an error: by their ranks, and as processes where these hold several."""
    held = [rank for p in processes for rank in range(first_rank(p, ranks), first_rank(p + 1, ranks))]
    where = f" ({_listed('process', 'processes', processes)})" if ranks > started_by()[1] else ""
    return _listed("rank", "ranks", held) + where


def check_share(samples, ranks, is_own=False):
    """Refuses a batch that `ranks` ranks cannot share evenly; `is_own`: those of this process."""
    if samples % ranks:
        sharers = f"the {ranks} ranks of process {started_by()[0]}" if is_own else f"{ranks} ranks"
        raise FrontendError(f"a batch of {samples} samples cannot be divided among {sharers}")
