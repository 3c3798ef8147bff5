"""How a step is divided over ranks, without running it: what ds-plan says."""
import json
import pathlib
import subprocess
import tempfile

from . import config as configuration
from .run import RunError


class Plan:
    """A plan of ds-plan; `print(plan)` shows its tables.

    mesh         {axis: size}; `ranks` is their product
    time_ns      of a step by the cost model; `bound_ns` is below which no plan goes, None where that is not known. None without a search
    arguments    a dictionary for each argument: name, role, whole shape, `sharding` and shape of a rank, bytes that it holds
    collectives  a dictionary for each operation in which ranks meet: operation, axes, ranks, count, bytes, time, and what it moves
    plans        rows of the plan and of others beside it: name, mesh, time, bound, bytes that a rank holds
    explained    for each value that was asked about and each axis: `ways`, with the time of the best plan that has each
    """

    def __init__(self, data):
        self.data, self.text = data, data["text"]
        self.mesh = {axis: int(size) for axis, _, size in (part.partition("=") for part in data["mesh"].split(" x "))}
        self.ranks, figures = data["ranks"], data.get("figures", {})
        self.time_ns, self.bound_ns, self.held_bytes = (figures.get(name) for name in ("time_ns", "bound_ns", "held_bytes"))
        self.arguments, self.collectives, self.plans, self.explained = (data[name] for name in ("arguments", "collectives", "plans", "explained"))

    def __str__(self):
        return self.text

    __repr__ = __str__


def make_plan(runner, mlir, explain=()):
    """The plan of a step for what the runner would run."""
    program = pathlib.Path(runner.program).with_name("ds-plan")
    if not program.exists():
        raise RunError(f"{program} is no program; it is installed beside ds-run")
    explain = [explain] if isinstance(explain, str) else list(explain)
    with tempfile.TemporaryDirectory() as folder:
        step = pathlib.Path(folder, "step.mlir")
        step.write_text(mlir)
        command = [program, step, "--json", "--config", configuration.assignments(runner.config)]
        command += [] if runner.ranks is None else ["--ranks", str(runner.ranks)]
        command += [f"--check={runner.exact}"] if runner.exact else []
        command += [word for value in explain for word in ("--explain", value)]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=runner.timeout)
    if done.returncode:
        said = done.stderr.strip().replace(str(step), "step.mlir")
        if "how many ranks is not said" in said:
            raise ValueError("neither mesh= nor ranks= says for how many ranks to plan")
        raise RunError(said or f"{program} ended with status {done.returncode}")
    return Plan(json.loads(done.stdout))
