"""The plan of a step over ranks, without running it, as ds-plan computes it."""


class Plan:
    """A plan of ds-plan; `print(plan)` shows its tables.

    mesh         {axis: size}; `ranks` is their product
    time_ns      of a step by the cost model; `bound_ns` is a lower bound of every plan, or None. None without a search
    arguments    a dictionary for each argument: name, role, global shape, `sharding` and shape on a rank, bytes held
    collectives  a dictionary for each collective: operation, axes, ranks, count, bytes, time, and the values moved
    plans        rows of the plan and of alternatives: name, mesh, time, bound, bytes that a rank holds
    explained    for each value in `explain` and each axis: `ways`, with the time of the best plan that has each
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


def make_plan(runner, mlir, explain=(), manifest=None):
    """Returns the plan of a step for the runner's configuration and ranks."""
    explain = [explain] if isinstance(explain, str) else list(explain)
    ranks = runner.ranks_of(manifest)
    if ranks is None:
        raise ValueError("neither mesh= nor ranks= gives for how many ranks to plan")
    program = runner.parsed(mlir)
    runner.check(program, mlir, ranks)
    return Plan(program.plan(ranks, explain))
