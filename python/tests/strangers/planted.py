"""Mistakes that ds could make, planted into the scripts of a way: as if a gradient were dropped, a change were not
seen. Each has to be a finding in one of the first seeds that it fits, and sentences that are no refusals have to be
noticed as such."""

import dataclasses
import re

import judge

LOOP = 'loss = compute_loss(net, {"x": x, "y": y})'
SEEDS, TRIES = range(1, 200), 3


def replaced(old, new):
    return lambda text: text.replace(old, new)


PLANTS = {  # name: (way, what becomes of its text)
    "torch": {
        "the gradient of one rank is dropped": (
            "loss",
            replaced(LOOP, LOOP.replace("x}", "x[4:]}").replace("x,", "x[4:],").replace("y}", "y[4:]}")),
        ),
        "a gradient is scaled": (
            "model",
            lambda text: text.replace("loss.backward()", "(loss * 1.1).backward()") if "SGD(" in text else text,
        ),
        "a change is not seen": ("step", replaced("    change(epoch)\n", "")),
        "a rate is not seen": ("step", replaced("schedule.step()", "pass")),
        "a constant is stale": (
            "loss",
            lambda text: re.sub(r"(\n    if epoch == \d:)\n +model\.\w+.*(?=\n\n)", r"\1\n        pass", text, count=1),
        ),
        "a buffer is not written": (
            "loss",
            lambda text: re.sub(r"self\.(mean\.mul_|steps \+= |queue\.copy_).*", "pass", text),
        ),
        "the state of the optimizer is lost": (
            "step",
            replaced("    change(epoch)\n", "    change(epoch)\n    optimizer.state.clear()\n"),
        ),
        "a batch is left out": ("step", replaced("enumerate(batches)", "enumerate(batches[:1] * 2)")),
        "clipping is left out": ("model", lambda text: re.sub(r"\n +nn\.utils\.clip_grad_\w+\(.*", "", text)),
        "PyTorch runs alone": (
            "loss",
            lambda text: re.sub(r", net = torch\.compile\(.*", ", net = compute_loss, model", text),
        ),
        "fewer ranks": ("step", lambda text: re.sub(r"ranks=[24]", "ranks=1", text)),
        "a process is left to itself": (
            "joined_model",
            replaced(
                "loss.backward()",
                "loss.backward()\n        [p.grad.mul_(1 + rank) for p in model.parameters() if p.grad is not None]",
            ),
        ),
    },
    "jax": {
        "the gradient of one rank is dropped": (
            "step",
            lambda text: re.sub(r"train\((.*), batch", r"train(\1, jax.tree.map(lambda rows: rows[4:], batch)", text),
        ),
        "a change is not seen": ("jit", lambda text: re.sub(r"if epoch == \d:", "if False:", text)),
        "nothing is carried on": ("step", replaced("carry | new", "carry")),
        "the update is scaled": (
            "jit",
            replaced(
                "optax.apply_updates(params, updates)", "jax.tree.map(lambda p, u: p + 1.01 * u, params, updates)"
            ),
        ),
        "a key draws the same": (
            "jit",
            lambda text: re.sub(r'new\["(key|raw)"\], now = ', r'new["\1"] = carry["\1"]\n    _, now = ', text),
        ),
        "a batch is left out": ("step", replaced("for batch in batches:", "for batch in batches[:1] * 2:")),
        "JAX runs alone": ("jit", lambda text: re.sub(r"ds\.jax\.jit\((.*?), batch=.*", r"jax.jit(\1)", text)),
    },
}
SENTENCES = {  # of an exception's class and text, and what is noticed
    ("builtins.TypeError", "unsupported operand"): "builtins.TypeError",
    (judge.OURS[0], "step.mlir:3:3: no batch argument, expected one"): "names 'step.mlir'",
    (judge.OURS[1], "'l_x_' has 7 rows, expected 8"): "names 'l_x_'",
    (judge.OURS[1], "it failed; see below\nTraceback"): "names 'Traceback'",
    (judge.OURS[1], "a batch was given\nand another"): "has several lines",
    (judge.OURS[1], "cannot do this"): "does not say what to do",
}


def jobs_of(framework, of, without):
    """{plant: [jobs]} for the first seeds whose script a plant changes, and the references."""
    found, references = {}, {}
    for name, (way, change) in PLANTS[of].items():
        found[name] = []
        for seed in SEEDS:
            jobs = {job.name: job for job in framework.jobs(seed, without)}
            job = next((each for each in jobs.values() if each.way == way and each.expected), None)
            if job is None or change(job.text) == job.text or "float64" not in job.text:
                continue
            if name in ("fewer ranks", "a batch is left out") and job.ranks == 1:
                continue
            references[job.expected] = jobs[job.expected]
            found[name].append(
                dataclasses.replace(job, way=f"{way}_{re.sub('[^a-z]+', '_', name.lower())}", text=change(job.text))
            )
            if len(found[name]) == TRIES:
                break
    return found, list(references.values())


def missed(framework, of, without=()):
    """A sentence for each mistake that is not noticed, after a line for each that is."""
    plants, jobs = jobs_of(framework, of, without)
    planted = [job for tries in plants.values() for job in tries]
    results = framework.verdicts([*jobs, *planted])
    for name, tries in plants.items():
        noticed = [job for job in tries if results[job.name][0] == "wrong"]
        if noticed:
            print(
                f"{name}: noticed in {len(noticed)} of {len(tries)} scripts, first in seed {noticed[0].seed}: "
                f"{results[noticed[0].name][1][:120]}"
            )
        else:
            yield f"{name}: not noticed: {[(job.seed, *results[job.name]) for job in tries]}"
    for error, expected in SENTENCES.items():
        verdict, text = judge.of_error([error])
        if verdict != "traceback" or expected not in text:
            yield f"{error}: {verdict} {text}, expected a traceback that {expected}"
    plain = framework.plain()
    for text, expected in {
        "import time; time.sleep(60)": "hang",
        "import os; os._exit(3)": "traceback",
        "raise TypeError('x')": "traceback",
        "model = 1": "equal",
    }.items():
        job = dataclasses.replace(jobs[0], text=text, expected=jobs[0].name)
        verdict, _ = judge.of_way(plain.run([job])[job.name], [{"found": {"history": []}}], "float64")
        if verdict != expected:
            yield f"'{text}': {verdict}, expected {expected}"
