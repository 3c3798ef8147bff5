"""How a step is divided over ranks, without running it: what ds-plan says."""


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


def make_plan(runner, mlir, explain=(), manifest=None):
    """The plan of a step for what the runner would run."""
    explain = [explain] if isinstance(explain, str) else list(explain)
    ranks = runner.ranks_of(manifest)
    if ranks is None:
        raise ValueError("neither mesh= nor ranks= says for how many ranks to plan")
    program = runner.parsed(mlir)
    runner.check(program, mlir, ranks)
    return Plan(program.plan(ranks, explain))
