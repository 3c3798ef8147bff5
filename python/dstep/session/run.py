"""Runs exported steps in this process: arguments in, results out."""
import contextlib
import contextvars
import math
import re
import threading
import weakref

from ..base import arrays, checks, codes, config as configuration, limits, places
from ..base.errors import RunError, keeping, marking_samples, warn
from . import native
from .launch import ranks_here, ranks_of_job, started_by


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during `fit`; the values trained so far are kept. `results` holds the metrics that `fit` would have
    returned."""

    def __init__(self, message, results):
        super().__init__(message)
        self.results = results


def of_mesh(mode, config, memory_limit=None):
    """Returns the configuration of a step that is sharded over a mesh."""
    modes = {"semi_auto": "semi_auto_parallel", "auto": "auto_parallel"}
    if mode not in modes:
        raise ValueError(f"mode={mode!r}, expected one of {', '.join(map(repr, modes))}")
    if memory_limit is not None and mode != "auto":
        raise ValueError('memory_limit= needs mode="auto", which chooses what ranks hold')
    config = {"parallel_mode": modes[mode], "batch": "global"} | ({} if memory_limit is None else {"memory_limit": memory_limit}) | checks.mapping("config", config, "{key: value}")
    if config["batch"] != "global":
        raise ValueError(f"batch={config['batch']} is what one rank does, expected global: a mesh divides what all of them do together")
    return config


class Begun:
    """A function's result, computed on a thread of its own, with the warnings and the error that it ended with."""

    def __init__(self, function):
        self.function, self.value, self.error, self.warnings = function, None, None, []
        # A process waits at its end for a thread that is no daemon: native code must not outlive the interpreter.
        self.thread = threading.Thread(target=self._run, daemon=False)
        self.thread.start()

    def _run(self):
        with keeping() as self.warnings:
            try:
                self.value = self.function()
            except BaseException as error:
                self.error = error

    def result(self):
        """Waits for the function; returns what it returned, or raises its error."""
        self.thread.join()
        for sentence in self.warnings:
            warn(sentence)
        if self.error is not None:
            raise self.error
        return self.value


# Removed options, and their replacements.
GONE = {"launcher": 'start the script itself, by mpirun -n 4 python train.py or torchrun, without ranks=; each process is one rank, which config={"batch": "global"} gives the whole batch',
        "timeout": 'config={"timeout": "60s"} is how long a rank waits for the others, and timeout 60 python train.py ends a script',
        "ds_run": "the environment variable DS_RUN names ds-run, and libds.so is taken from the lib folder beside it"}


def refuse_gone(options):
    for name, instead in GONE.items():
        if name in options:
            raise ValueError(f"{name}= is no option any more: {instead}")


class Runner:
    """Runs exported steps on `ranks` ranks, which are threads of this process. In a process started by a launcher
    (`joined`), `ranks` counts those of all processes, each of which holds its part of them; without `ranks` each is
    one. With batch=local a process passes the samples of its ranks. With `ranks_of_step` the mesh of the step defines
    the number of ranks.

    `config` takes precedence over set_auto_parallel_context, which takes precedence over batch=global. A label beyond
    the last class, or another integer of a batch that is out of range for an index of the step, is an error;
    `on_index`="warn" makes it a warning, "off" skips the check. `check`="exact" refuses a step unless ds finds, over a
    finite field, that the ranks compute the function of one device; "exact:60" limits the check to 60 seconds. `device`
    is in the form of --device."""

    def __init__(self, ranks=None, config=None, on_index="stop", ranks_of_step=False, check=None, device="cpu"):
        self.joined = started_by() is not None
        if ranks is None and not ranks_of_step and not self.joined:
            raise ValueError("ranks= sets on how many ranks to run, or mesh= which ranks they form, got none of them")
        if on_index not in ("stop", "warn", "off"):
            raise ValueError(f"on_index={on_index!r}, expected 'stop', 'warn' or 'off'")
        if check is not None and not re.fullmatch(r"exact(:[1-9]\d*)?", str(check)):
            raise ValueError(f"check={check!r}, expected 'exact' or 'exact:SECONDS'")
        self.exact, self.checked, self.device, self.on_index = check, set(), checks.device(device), on_index
        self.ranks = ranks if ranks is None else checks.integer("ranks", ranks, 1)
        self.config = {"batch": "global"} | configuration.context() | checks.mapping("config", config, "{key: value}")
        if self.joined:
            self.ranks = ranks_of_job(self.ranks, self.config, self.device)
            if self.ranks > started_by()[1]:
                self.config["device_num"] = self.ranks
        # {export: its compiled instance, kept for the next call}
        self.instances = weakref.WeakKeyDictionary()
        self.begun = weakref.WeakKeyDictionary()  # {export: Begun of its compiled step}
        self.is_first = not self.joined or started_by()[0] == 0  # the process that shows progress

    def __str__(self):
        here = ranks_here(self.ranks) if self.joined else ()
        where = "this process's rank of a world" if self.joined else f"ranks={self.ranks_of()}"
        where = f"ranks {here[0]} to {here[-1]} of {self.ranks}" if len(here) > 1 else where
        return f"{where}, batch={self.config['batch']}" + ("" if self.device == "cpu" else f", device={self.device!r}")

    def ranks_of(self, manifest=None):
        """Returns the number of ranks: of the launcher, else of this Runner, the configuration or the step's mesh; else
        None."""
        mesh = (manifest or {}).get("mesh")
        if self.joined:
            _, size, launcher = started_by()
            product = math.prod(mesh.values()) if mesh else self.ranks
            if product != self.ranks:
                if self.ranks > size:
                    raise ValueError(f"the mesh {mesh} has {product} ranks, but ranks={self.ranks}")
                more = f"; ranks={product} has each process hold several" * (product > size)
                raise ValueError(f"the mesh {mesh} has {product} ranks, but {launcher} has started {size} processes, "
                                 f"expected one for each rank{more}")
            return self.ranks
        named = self.ranks if self.ranks is not None else self.config.get("device_num")
        return int(named) if named is not None else math.prod(mesh.values()) if mesh else None

    @property
    def is_own(self):
        """True if a batch holds the samples of this process's ranks only."""
        return self.joined and self.config["batch"] == "local"

    @property
    def sharing(self):
        """The number of ranks that share a batch."""
        return len(ranks_here(self.ranks)) if self.is_own else self.ranks_of() or 1

    def parsed(self, mlir):
        return native.Program(mlir, configuration.assignments(self.config), on=self.device)

    def check(self, program, mlir, ranks):
        """Raises RunError unless the verdict of the exact check is "equal"; checks each step once."""
        if self.exact and mlir not in self.checked:
            verdict, found = program.check(ranks, int(self.exact.partition(":")[2] or 0))
            if verdict != "equal":
                whether = "the ranks do not compute what one device does" if verdict == "different" else "whether the ranks compute what one device does is undecided"
                raise RunError(f"{whether}: {found['reason']}")
            self.checked.add(mlir)

    def instance(self, export):
        """Returns the export's compiled step on its ranks; both stay for the next call."""
        found = self.instances.get(export)
        if found is None:
            with limits.shown(f"compiling '{export.name}' for {self.ranks_of(export.manifest) or 1} ranks") if self.is_first else contextlib.nullcontext():
                found = self.instances[export] = self.with_samples(export, lambda: self.compiled(export))
        return found

    def with_samples(self, export, function):
        """Returns function(), as marking_samples on the results of the export."""
        def placed():
            with places.by_export(export):
                return function()

        return marking_samples(placed, export.hold_samples)

    def begin(self, export):
        """Begins to compile an export on a thread, which native code needs no lock of Python for; `instance` waits for
        it. Compiling with other processes, and on a GPU, is left to `instance`."""
        if not self.joined and self.device == "cpu" and not self.exact:
            # The thread must not hold the export, which is the key.
            text, ranks = export.mlir, self.ranks_of(export.manifest) or 1
            with places.by_export(export):
                context = contextvars.copy_context()
            self.begun[export] = Begun(lambda: context.run(lambda: native.Compiled(self.parsed(text), ranks)))

    def compiled(self, export):
        begun = self.begun.pop(export, None)
        if begun:
            made = begun.result()
            return native.Instance(made.program, on_index=self.on_index, batches=native.WHOLE, compiled=made)
        program = self.parsed(export.mlir)
        if getattr(export, "is_function", False):
            return native.Instance(program, None, self.on_index)
        ranks = self.ranks_of(export.manifest) or 1
        self.check(program, export.mlir, ranks)
        return native.Instance(program, ranks, self.on_index, self.joined, native.LOCAL if self.is_own else native.WHOLE)

    @contextlib.contextmanager
    def running(self, export, number):
        """Runs the `number`th step of a call. A failed step ends its ranks, so the next call starts new ones; a label
        that is out of range is found before the step and ends nothing."""
        try:
            yield
        except RunError as error:
            if error.code != codes.INDEX_RANGE:
                self.instances.pop(export, None)
                raise
            raise error.of_index(f"step {number}", ' (on_index="warn" trains nevertheless)') from None

    def steps(self, export, steps):
        """Returns the results of consecutive steps, each a list of arrays in the manifest's order. From the second step
        on, parameters and states come from the step before."""
        instance, found, carried = self.instance(export), [], {a for a, _ in export.carried}
        dtypes = [arrays.dtype(r["dtype"]) for r in export.manifest["results"]]
        for number, args in enumerate(steps):
            shape = "local_shape" if self.is_own else "global_shape"
            given = {i: instance.fitting(i, arrays.narrowed(value, instance.dtype(i)), shape)
                     for i, value in enumerate(export.flatten(args)) if number == 0 or i not in carried}
            with self.running(export, number + 1):
                instance.run({i: value.ctypes.data for i, value in given.items()})
            found.append([arrays.restore(instance.result(k), dtype) for k, dtype in enumerate(dtypes)])
        return found
