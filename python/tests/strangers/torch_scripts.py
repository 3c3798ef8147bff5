"""Training scripts of PyTorch, drawn by a seed: readable source text, the same in every way but for the lines that
bring ds in.

    eager           PyTorch alone
    loss, model     torch.compile of the function that computes the loss, or of the model
    step, fit       ds.torch.data_parallel, called for each batch, or its fit
    joined_..       the same in each of two processes, which give rows of their own; joined_ddp compiles
                    DistributedDataParallel, and joined_eager is PyTorch that averages the gradients of its processes
"""

import random
import textwrap

from torch_features import FEATURES, PROCESSES
from torch_parts import COMPILED, CRITERIA, JOINED, OPTIMIZERS, OUTPUTS, SCHEDULES, STEADY, STEMS, STEPS

MODULES = ("collections", "copy", "dataclasses", "functools", "io", "types")
EPOCHS, BATCH = 3, '{"x": x, "y": y}'
AVERAGE = """
net = model


def average_gradients():
    for p in model.parameters():
        if p.grad is not None:
            torch.distributed.all_reduce(p.grad)
            p.grad /= size
"""


class Script:
    """The script of a seed; `without` are features that are left out, which changes nothing else."""

    def __init__(self, seed, without=(), dtype=None):
        self.seed, draw = seed, random.Random(f"torch {seed}")
        self.rows, drawn = draw.choice((8, 12)), draw.choice(("float32", "float64"))
        self.drawn = {
            kind: draw.choice(list(table))
            for kind, table in (
                ("stem", STEMS),
                ("criterion", CRITERIA),
                ("optimizer", OPTIMIZERS),
                ("schedule", SCHEDULES),
                ("output", OUTPUTS),
            )
        }
        # Optimizers that divide by the size of a gradient make steps of one that is rounding alone.
        self.dtype = dtype or (drawn if self.drawn["optimizer"] in STEADY else "float64")
        self.features = draw.sample(list(FEATURES), draw.choice((1, 2, 2, 3, 3, 4)))
        self.features = [name for name in self.features if name not in without]
        self.parts = [
            STEMS[self.drawn["stem"]],
            CRITERIA[self.drawn["criterion"]],
            OPTIMIZERS[self.drawn["optimizer"]],
            OUTPUTS[self.drawn["output"]],
            *map(FEATURES.get, self.features),
        ]
        names = ["stem", "criterion", "optimizer", "output", *self.features]
        self.changes = {}  # epoch: [lines]
        for name, part in zip(names, self.parts):
            own = random.Random(f"torch {seed} {name}")
            if part.get("change") and (part.get("always") or own.random() < 0.8):
                self.changes.setdefault(own.randrange(EPOCHS - 1), []).append(own.choice(part["change"]))
        self.as_pair = draw.random() < 0.5 and self.drawn["output"] == "scores" and not self._lines("loss")
        for name, part in PROCESSES.items():
            fits = not part.get("cuts") or "randint" in self.parts[0]["x"]
            if draw.random() < 0.15 and fits and name not in without:
                self.features.append(name)
                self.parts.append(part)

    def has(self, flag):
        return any(part.get(flag) for part in self.parts)

    def __str__(self):
        return ", ".join([*(f"{kind} {name}" for kind, name in self.drawn.items()), *self.features])

    def _lines(self, place):
        return "\n".join(part[place] for part in self.parts if part.get(place))

    @property
    def is_random(self):
        return self.has("random")

    def ways(self):
        """The ways that fit, without those of PyTorch."""
        unfit = {way for part in self.parts for way in part.get("unfit", ())}
        if self.is_random:
            unfit |= set(JOINED)
        if self.drawn["schedule"] == "ReduceLROnPlateau":
            unfit |= {"joined_loss", "joined_model", "joined_ddp"}  # each process would look at its own loss
        return [way for way in (*COMPILED, *STEPS, *JOINED) if way not in unfit]

    def text(self, way, ranks=1):
        """The script by a way."""
        return Text(self, way, ranks).text()


def indented(text, depth=1):
    return textwrap.indent(text, "    " * depth)


class Text:
    def __init__(self, script, way, ranks):
        self.script, self.way, self.joined = script, way.removeprefix("joined_"), way.startswith("joined_")
        self.lines, self.schedule = script._lines, SCHEDULES[script.drawn["schedule"]]
        self.backend = 'backend="dstep"' + ("" if self.joined else f', options={{"ranks": {ranks}}}')
        self.ranks = "" if self.joined else f", ranks={ranks}"

    def text(self):
        parts = [
            f'"""{self.script}."""',
            self._imports(),
            self._top(),
            self._net(),
            self._objects(),
            self._loss(),
            self._ds(),
            self._loop(),
        ]
        return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"

    def _imports(self):
        body = "".join([self._top(), self._net(), self._objects(), self._loss(), self._loop()])
        modules = [name for name in MODULES if f"{name}." in body] + ["os"] * self.joined
        text = "".join(f"import {name}\n" for name in modules) + ("\nimport numpy as np\n" if "np." in body else "")
        text += "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n" + (
            "import torch.utils.checkpoint\n" if "checkpoint" in body else ""
        )
        if self.way in STEPS:
            text += "\nimport dstep as ds\nimport dstep.torch\n"
        if self.joined:
            text += '\nrank, size = int(os.environ["OMPI_COMM_WORLD_RANK"]), int(os.environ["OMPI_COMM_WORLD_SIZE"])\n'
            if self._has_group():
                store = 'init_method=os.environ["STRANGERS_STORE"]'
                text += f'torch.distributed.init_process_group("gloo", {store}, rank=rank, world_size=size)\n'
        # else each process loads values of its own
        seeds = self.script.has("seeds") and "saved" not in self.lines("setup")
        own = " + rank" if self.joined and self.way != "eager" and seeds else ""
        wide = "\ntorch.set_default_dtype(torch.float64)" if self.script.dtype == "float64" else ""
        return f"{text}\ntorch.manual_seed({self.script.seed}{own}){wide}"

    def _top(self):
        return self.lines("top")

    def _net(self):
        output = OUTPUTS[self.script.drawn["output"]]
        methods = self.lines("methods")
        return "\n".join(
            [
                "",
                "class Net(nn.Module):",
                "    def __init__(self):",
                "        super().__init__()",
                indented(self.lines("init"), 2),
                "        self.head = nn.Linear(8, 3)",
                "",
                *([indented(methods), ""] if methods else []),
                "    def forward(self, x):",
                indented(self.lines("forward"), 2),
                "        scores = self.head(h)",
                f"        return {output['result']}",
            ]
        )

    def _objects(self):
        made = CRITERIA[self.script.drawn["criterion"]]["make"]
        x, y = STEMS[self.script.drawn["stem"]]["x"], CRITERIA[self.script.drawn["criterion"]]["y"]
        batches = f"[({x}, {y}) for k in range(3)]".replace("{rows}", str(self.script.rows))
        lines = ["", "model = Net()"] + ([f"criterion = {made}"] if made != "criterion" else [])
        lines += [f"optimizer = {OPTIMIZERS[self.script.drawn['optimizer']]['make']}"] + (
            [f"schedule = {self.schedule[0]}"] if self.schedule[0] else []
        )
        lines += [
            self.lines("setup"),
            f"generator = torch.Generator().manual_seed({self.script.seed})",
            f"batches = {batches}",
        ]
        if self.script.has("smaller"):
            lines.append("batches[1] = tuple(values[:6] for values in batches[1])")
        if self.joined:
            lines.append("batches = [tuple(values[rank::size] for values in batch) for batch in batches]")
            lines += ["batches = [(x[:, rank:], y) for x, y in batches]"] * self.script.has("cuts")
        return "\n".join(filter(None, [*lines, "held_out = batches.pop()"]))

    def _loss(self):
        call = OUTPUTS[self.script.drawn["output"]]["call"].format(net="net")
        if self._is_pair():
            return ""
        return "\n".join(
            [
                "",
                "def compute_loss(net, batch):",
                indented(call),
                '    loss = criterion(scores, batch["y"])',
                indented(self.lines("loss")),
                "    return loss",
            ]
        ).replace("\n\n    return", "\n    return")

    def _is_pair(self):
        return self.way in STEPS and self.script.as_pair and not self._evaluates()

    def _ds(self):
        """The lines that bring ds in."""
        if self.way == "loss":
            return f"compute_loss, net = torch.compile(compute_loss, {self.backend}), model"
        if self.way == "model":
            return f"net = torch.compile(model, {self.backend})"
        if self.way == "ddp":
            unused = ", find_unused_parameters=True"
            return f"net = torch.compile(nn.parallel.DistributedDataParallel(model{unused}), {self.backend})"
        if self.way in STEPS:
            clip = next((f", clip={part['clip']}" for part in self.script.parts if part.get("clip")), "")
            loss = "criterion" if self._is_pair() else "compute_loss"
            return f"net = model\ntrain = ds.torch.data_parallel(model, optimizer, {loss}{self.ranks}{clip})"
        if self.joined:
            return AVERAGE
        return "net = model"

    def _change(self):
        chosen = {epoch: "\n".join(changes).splitlines() for epoch, changes in sorted(self.script.changes.items())}
        names = sorted({line for lines in chosen.values() for line in lines if line.startswith("global ")})
        body = names or [] if chosen else ["pass"]
        for epoch, lines in chosen.items():
            body += [f"if epoch == {epoch}:", *(f"    {line}" for line in lines if line not in names)]
        return "\n".join(["def change(epoch):", *(f"    {line}" for line in body)])

    def _evaluates(self):
        return any("evaluate()" in line for changes in self.script.changes.values() for line in changes)

    def _evaluate(self):
        if not self._evaluates():
            return ""
        return textwrap.dedent("""
            def evaluate():
                model.eval()
                with torch.no_grad():
                    history.append(compute_loss(net, dict(zip("xy", held_out))).item())
                model.train()
            """)

    def _loop(self):
        flags = {key: value for part in self.script.parts for key, value in part.items()}
        each = self.schedule[0] and self.schedule[1]
        of_epoch = ""
        if self.schedule[0] and not self.schedule[1]:
            of_epoch = (
                "schedule.step(history[-1])"
                if self.script.drawn["schedule"] == "ReduceLROnPlateau"
                else "schedule.step()"
            )
        begin = [self._evaluate(), self._change(), "", "", "history = []"]
        if self.way == "fit":
            lines = [
                "def after(epoch, metrics):",
                '    history.append(metrics["loss"])',
                *([f"    {of_epoch}"] if of_epoch else []),
                "    change(epoch)",
                "",
                "",
                "given = batches" if self._is_pair() else 'given = [{"x": x, "y": y} for x, y in batches]',
                f'train.fit(given[0], given, epochs={EPOCHS}, progress="none", '
                f"callbacks=[after]{', schedule=schedule' if each else ''})",
            ]
            return "\n".join([*begin, *lines])
        lines = [f"for epoch in range({EPOCHS}):", "    losses = []", "    for number, (x, y) in enumerate(batches):"]
        if self.way == "step":
            lines.append(f"        losses.append(train({'(x, y)' if self._is_pair() else BATCH})[\"loss\"])")
        else:
            zero, loss = flags.get("zero", "optimizer.zero_grad()"), f"compute_loss(net, {BATCH})"
            if flags.get("twice"):
                loss = (
                    f'compute_loss(net, {BATCH}) + 0.5 * compute_loss(net, {{"x": batches[0][0], "y": batches[0][1]}})'
                )
            step = [
                "loss.backward()",
                *(["average_gradients()"] if self._has_group() and self.way == "eager" else []),
                *self.lines("after_backward").splitlines(),
                "optimizer.step()",
            ]
            if flags.get("accumulates"):
                lines += [
                    f"        loss = {loss}",
                    "        (loss / 2).backward()",
                    "        if number % 2:",
                    *[f"            {line}" for line in [*step[1:], zero]],
                ]
            else:
                lines += [f"        {line}" for line in [zero, f"loss = {loss}", *step]]
            lines.append("        losses.append(loss.item())")
        lines += [f"        {line}" for line in self.lines("after_step").splitlines()]
        lines += (
            (["        schedule.step()"] if each else [])
            + ["    history.append(sum(losses) / len(losses))"]
            + ([f"    {of_epoch}"] if of_epoch else [])
            + ["    change(epoch)"]
        )
        end = "\ntorch.distributed.destroy_process_group()" if self._has_group() else ""
        return "\n".join([*begin, *lines]) + end

    def _has_group(self):
        return self.joined and self.way in ("ddp", "eager")
