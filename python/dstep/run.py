"""Running exported steps: arguments in, results out.

Steps and trainings run in this process (_native.py, inside.py), but for those whose ranks a launcher starts, and those that may take only so long: ds-run runs
these, a process of its own, which can be ended. ds-run is taken from the argument `ds_run`, from the environment variable DS_RUN, from this package, or from PATH.
"""
import contextlib
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import typing
import weakref

import numpy as np

from . import _native, arrays, checks, codes, config as configuration, places
from .errors import RunError, in_python, warn
from .find import tool, which


REQUEUE = 75  # the exit code of a training that was told to end, and has saved its values


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during `fit`, which has kept what was trained: `results` is what it would have returned."""

    def __init__(self, message, results):
        super().__init__(message)
        self.results = results


class Trained(typing.NamedTuple):
    """What a training has trained: parameters and states by name, the means of the metrics per epoch, the step that comes next."""
    values: dict
    metrics: list
    step: int
    interrupted: bool


def of_mesh(mode, config, memory_limit=None):
    """The configuration of a step that is divided over a mesh."""
    modes = {"semi_auto": "semi_auto_parallel", "auto": "auto_parallel"}
    if mode not in modes:
        raise ValueError(f"mode={mode!r}, expected one of {', '.join(map(repr, modes))}")
    if memory_limit is not None and mode != "auto":
        raise ValueError('memory_limit= needs mode="auto", which chooses what ranks hold')
    config = {"parallel_mode": modes[mode], "batch": "global"} | ({} if memory_limit is None else {"memory_limit": memory_limit}) | checks.mapping("config", config, "{key: value}")
    if config["batch"] != "global":
        raise ValueError(f"batch={config['batch']} is what one rank does, expected global: a mesh divides what all of them do together")
    return config


def find_ds_run(ds_run=None):
    named = ds_run or os.environ.get("DS_RUN")
    found = which(named) if named else tool("ds-run")
    if not found:
        raise RunError(f"{named or 'ds-run'} is no program; build ds and put build/bin on PATH, or name it by DS_RUN or ds_run=")
    return found


def started_by():
    """(number, size, name) of the launcher that has started this process as one of several, else None."""
    for number, size, name in (("DS_RANK", "DS_WORLD_SIZE", "the environment"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpirun"), ("PMI_RANK", "PMI_SIZE", "mpirun"), ("MPI_LOCALRANKID", "MPI_LOCALNRANKS", "mpirun"),
                               ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun"), ("RANK", "WORLD_SIZE", "torchrun")):
        if name == "torchrun" and not {"TORCHELASTIC_RUN_ID", "MASTER_PORT"} & os.environ.keys():
            continue
        if os.environ.get(number, "").isdigit() and os.environ.get(size, "").isdigit() and int(os.environ[size]) > 1:
            return int(os.environ[number]), int(os.environ[size]), name
    return None


def kill(process):
    """Ends a process and what it has started, if it is there still."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class Runner:
    """Runs exported steps on `ranks` ranks; `launcher` (["mpirun", "-n", "4"]) starts them as processes instead of threads.
    `config` goes over what set_auto_parallel_context has set, and that over batch=global. A label beyond the last class, or another
    integer of a batch that the step cannot index with, is an error; `on_index`="warn" makes it a warning, "off" does not look.
    Without either, where a launcher has started this process, it is one rank of that world (`joined`): with batch=local it gives its own samples.
    With `ranks_of_step` neither is needed: the step names a mesh. `check`="exact" runs no step of which ds-run has not found, over a finite field, that
    the ranks compute what one device does; "exact:60" gives that so many seconds. `device` is what ranks compute on, as --device has it."""

    def __init__(self, ranks=None, launcher=(), config=None, ds_run=None, timeout=None, on_index="stop", ranks_of_step=False, check=None, device="cpu"):
        self.joined = started_by() is not None and ranks is None and not launcher and not ranks_of_step
        if ranks is None and not launcher and not ranks_of_step and not self.joined:
            raise ValueError("ranks= says on how many ranks to run, got none")
        if ranks is not None and launcher:
            raise ValueError("ranks= and launcher= are both given, expected one of them")
        if on_index not in ("stop", "warn", "off"):
            raise ValueError(f"on_index={on_index!r}, expected 'stop', 'warn' or 'off'")
        if check is not None and not re.fullmatch(r"exact(:[1-9]\d*)?", str(check)):
            raise ValueError(f"check={check!r}, expected 'exact' or 'exact:SECONDS'")
        self.exact, self.checked, self.device = check, set(), checks.device(device)
        self.ds_run, self.ranks, self.launcher = ds_run and find_ds_run(ds_run), ranks if ranks is None else checks.integer("ranks", ranks, 1), checks.words(launcher)
        self.timeout, self.on_index = checks.seconds("timeout", timeout), on_index
        self.config = {"batch": "global"} | configuration.context() | checks.mapping("config", config, "{key: value}")
        self.instances = weakref.WeakKeyDictionary()  # exports: what is compiled of them stays for the next call
        self.inside = not launcher and timeout is None
        self.is_first = not self.joined or started_by()[0] == 0  # of the processes that show what they do

    def __str__(self):
        where = f"launcher={self.launcher}" if self.launcher else "this process's rank of a world" if self.joined else f"ranks={self.ranks_of()}"
        return f"{where}, batch={self.config['batch']}" + ("" if self.device == "cpu" else f", device={self.device!r}")

    @staticmethod
    def refuse_launched():
        if started_by():
            number, size, name = started_by()
            raise RunError(f"this is process {number} of {size} that {name} has started, but ds starts its ranks itself: start the script once, with ranks={size}, or with "
                           f"launcher= for processes, such as {['mpirun', '-n', str(size)]}")

    def ranks_of(self, manifest=None):
        """How many ranks there are: as is said here, or in the configuration, or by the mesh of the step; None if nobody says it."""
        named = started_by()[1] if self.joined else self.ranks if self.ranks is not None else self.config.get("device_num")
        sizes = (manifest or {}).get("mesh", {}).values()
        return int(named) if named is not None else math.prod(sizes) if sizes else None

    @property
    def is_own(self):
        """Whether a batch is what this process's rank has of it."""
        return self.joined and self.config["batch"] == "local"

    def parsed(self, mlir):
        return _native.Program(mlir, configuration.assignments(self.config), on=self.device)

    def check(self, program, mlir, ranks):
        """Raises what the exact check finds, once for a step."""
        if self.exact and mlir not in self.checked:
            verdict, found = program.check(ranks, int(self.exact.partition(":")[2] or 0))
            if verdict != "equal":
                whether = "the ranks do not compute what one device does" if verdict == "different" else "whether the ranks compute what one device does is undecided"
                raise RunError(f"{whether}: {found['reason']}")
            self.checked.add(mlir)

    def instance(self, export):
        """The export's step on its ranks, which stay."""
        if export not in self.instances:
            if not self.joined:
                self.refuse_launched()
            self.instances[export] = self.with_samples(export, lambda: self.compiled(export))
        return self.instances[export]

    def with_samples(self, export, function):
        """function(), of the step of an export, whose results that hold an entry per sample are marked as such: ranks find
        their dimension."""
        while True:
            try:
                with places.told(export):
                    return function()
            except RunError as error:
                if error.code != codes.RESULT_SAMPLES or not export.hold_samples(**error.fields):
                    raise

    def compiled(self, export):
        program = self.parsed(export.mlir)
        if getattr(export, "is_function", False):
            return _native.Instance(program, None, self.on_index)
        ranks = self.ranks_of(export.manifest) or 1
        self.check(program, export.mlir, ranks)
        return _native.Instance(program, ranks, self.on_index, self.joined, _native.LOCAL if self.is_own else _native.WHOLE)

    @contextlib.contextmanager
    def running(self, export, number):
        """A step of an instance, the `number`th of a call. One that fails ends its ranks, so the next call makes others; not so a label that no step has seen."""
        try:
            yield
        except RunError as error:
            if error.code != codes.INDEX_RANGE:
                self.instances.pop(export, None)
                raise
            raise error.of_index(f"step {number}", ' (on_index="warn" trains nevertheless)') from None

    def call(self, mlir, *options, seen=None, keeps=False, answer=None):
        """Runs ds-run and returns its JSON lines; seen(line) gets each as it comes, and answer(line) one that says that ds-run waits, for
        what to tell it. Ctrl-C ends it: at once, or, where it `keeps` what was trained until then, after the current step, as a second
        Ctrl-C would not."""
        if self.joined:
            raise RunError("timeout= starts ranks of its own, but this process is one of those that a launcher has started: leave it out, or start the script once "
                           "with launcher=")
        self.refuse_launched()
        if self.exact and "--check" not in str(options):
            text = pathlib.Path(mlir).read_text()
            if text not in self.checked:
                self.call(mlir, f"--check={self.exact}")
                self.checked.add(text)
        command = [*self.launcher, find_ds_run(self.ds_run), str(mlir), "--json", "--config", configuration.assignments(self.config)]
        command += [] if self.ranks is None else ["--ranks", str(self.ranks)]
        command += [] if self.device == "cpu" else ["--device", self.device]
        command += [] if self.on_index == "stop" else ["--on-index", self.on_index]
        lines, told, failed = [], [], []

        def listen():
            with process.stderr:
                told.extend(process.stderr)

        def reply(line):
            try:
                said = answer(line)
            except BaseException as error:  # told when ds-run has come to its end
                failed.append(error)
                said = {"go": False}
            try:
                process.stdin.write(json.dumps(said) + "\n")
                process.stdin.flush()
            except BrokenPipeError:  # its exit code says why
                pass

        # More ranks than cores are what launcher= says, which Open MPI does not take from its own -n alone.
        environment = {"OMPI_MCA_rmaps_base_oversubscribe": "1"} | os.environ if self.launcher else None
        # A session of its own: a terminal's Ctrl-C is for this process, which knows what to do with it.
        process = subprocess.Popen([*command, *map(str, options)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   stdin=subprocess.PIPE if answer else None, start_new_session=True, env=environment)
        errors = threading.Thread(target=listen, daemon=True)
        late = threading.Timer(self.timeout or 0, kill, [process])
        interrupted = False
        try:
            errors.start()
            if self.timeout:
                late.start()
            while True:
                try:
                    for line in process.stdout:
                        if line.startswith("{"):
                            lines.append(json.loads(line))
                            if lines[-1]["event"] == "warning":
                                warn(lines[-1]["warning"])
                            if seen:
                                seen(lines[-1])
                            if answer and lines[-1]["event"] == "waiting":
                                reply(lines[-1])
                    process.wait()
                    break
                except KeyboardInterrupt:
                    if not keeps or interrupted:
                        raise
                    interrupted = True
                    process.send_signal(signal.SIGUSR1)  # launchers pass it on; a SIGINT would end them
            errors.join()
        finally:
            overdue = bool(self.timeout) and not late.is_alive()
            late.cancel()
            kill(process)
            process.stdout.close()
            if process.stdin:
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.close()
        if failed:
            raise failed[0]
        if interrupted and process.returncode not in (0, REQUEUE):
            raise KeyboardInterrupt  # before its first step
        if overdue and process.returncode < 0:
            raise subprocess.TimeoutExpired(process.args, self.timeout)
        # A replay without recorded results ends with 0; one with them may end with 1 because of a difference.
        if process.returncode not in ((0, REQUEUE) if keeps else (0,)):
            said = in_python("".join(told).strip())
            raise RunError(said or f"{command[0]} ended with status {process.returncode}")
        # It may have come to its end by itself meanwhile.
        return lines + ([{"event": "interrupted"}] if interrupted else [])

    def steps(self, export, steps):
        """The results of consecutive steps, each a list of arrays in the manifest's order. Parameters and states of the second
        one on come from the step before."""
        steps, carried = list(steps), {a for a, _ in export.carried}
        if self.inside:
            return self.steps_inside(export, steps, carried)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "step.mlir").write_text(export.mlir)
            inputs = {f"step{number}_arg{i}": arrays.recordable(value) for number, args in enumerate(steps, 1)
                      for i, value in enumerate(export.flatten(args)) if number == 1 or i not in carried}
            np.savez(folder / "inputs.npz", **inputs)
            self.call(folder / "step.mlir", "--replay", folder / "inputs.npz", "--dump-results", folder / "results.npz")
            described = export.manifest["results"]
            with np.load(folder / "results.npz") as results:
                return [[arrays.restore(results[f"step{number}_res{k}"], arrays.dtype(r["dtype"])) for k, r in enumerate(described)]
                        for number in range(1, len(steps) + 1)]

    def steps_inside(self, export, steps, carried):
        instance, found = self.instance(export), []
        dtypes = [arrays.dtype(r["dtype"]) for r in export.manifest["results"]]
        for number, args in enumerate(steps):
            given = {i: instance.fitting(i, arrays.narrowed(value, instance.dtype(i)), "shape" if self.is_own else "global_shape")
                     for i, value in enumerate(export.flatten(args)) if number == 0 or i not in carried}
            with self.running(export, number + 1):
                instance.run({i: value.ctypes.data for i, value in given.items()})
            found.append([arrays.restore(instance.result(k), dtype) for k, dtype in enumerate(dtypes)])
        return found
