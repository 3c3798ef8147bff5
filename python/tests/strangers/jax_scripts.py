"""Training scripts of JAX, drawn by a seed: readable source text, the same in every way but for the lines that
bring ds in.

eager                       jax.jit on a CPU
jit, step, fit              ds.jax.jit and ds.jax.data_parallel on ranks of this process
platform                    JAX's platform ds, on as many devices; the batch is sharded over them
joined_jit, joined_step     one rank of a world that a launcher has started, which has the whole batch as the others
"""

import random
import textwrap

from jax_parts import BATCHES, CRITERIA, FEATURES, OPTIMIZERS, STEMS

EPOCHS = 3
WAYS = ("jit", "step", "fit", "platform", "joined_jit", "joined_step")


class Script:
    """The script of a seed; `without` are features that are left out, which changes nothing else."""

    def __init__(self, seed, without=(), dtype=None):
        self.seed, draw = seed, random.Random(f"jax {seed}")
        self.rows, drawn = draw.choice((8, 12)), draw.choice(("float32", "float32", "float64"))
        self.dtype, self.form = dtype or drawn, draw.choice(("two", "two", "state", "train_state", "nnx"))
        tables = (("stem", STEMS), ("criterion", CRITERIA), ("optimizer", OPTIMIZERS), ("batch", BATCHES))
        self.drawn = {kind: draw.choice(list(table)) for kind, table in tables}
        if self.form != "two":
            self.drawn["batch"] = "a dictionary"
        own_step = {
            name for name, part in FEATURES.items() if set(part) & {"grads", "after", "carry", "params", "hyper", "aux"}
        }
        fit = {
            name
            for name, part in FEATURES.items()
            if self.form in ("two", "state")
            or self.form == "train_state"
            and name not in own_step
            and "h @" not in part.get("loss", "")
            and "carry" not in str(part.get("change"))
            and not part.get("evaluates")
            or self.form == "nnx"
            and part.get("plain")
        }
        self.features = [name for name in draw.sample(sorted(fit), draw.choice((1, 2, 2, 3, 4))) if name not in without]
        names = ["stem", "criterion", "optimizer", "batch", *self.features]
        self.parts = [
            STEMS[self.drawn["stem"]],
            CRITERIA[self.drawn["criterion"]],
            OPTIMIZERS[self.drawn["optimizer"]],
            BATCHES[self.drawn["batch"]],
            *map(FEATURES.get, self.features),
        ]
        self.changes = {}
        for name, part in zip(names, self.parts):
            own = random.Random(f"jax {seed} {name}")
            if (
                part.get("change")
                and (part.get("evaluates") or own.random() < 0.8)
                and (self.form in ("two", "state") or name in self.features)
            ):
                self.changes.setdefault(own.randrange(EPOCHS - 1), []).append(own.choice(part["change"]))
        self.drops = draw.random() < 0.3  # a network of nnx
        self.metrics = {name: value for part in self.parts for name, value in part.get("metrics", {}).items()}

    def __str__(self):
        drawn = {"criterion": self.drawn["criterion"]} if self.form == "nnx" else self.drawn
        return ", ".join([self.form, *(f"{kind} {name}" for kind, name in drawn.items()), *self.features])

    def ways(self):
        if self.form == "nnx":
            return ["step", "joined_step"]
        changes = [change for chosen in self.changes.values() for change in chosen]
        # Arrays of numpy among those of a mesh make JAX trace anew, which reads a global as it is by then.
        traces_anew = "gains[0] = 0.2" in changes and len(changes) > 1
        unfit = {"fit"} if self.changes or self.hyper else set()
        unfit |= {"platform"} if traces_anew else set()
        return [way for way in WAYS if way not in unfit]

    @property
    def hyper(self):
        return {name: value for part in self.parts for name, value in part.get("hyper", {}).items()}

    def text(self, way, ranks=1):
        return (Modules if self.form == "nnx" else TrainState if self.form == "train_state" else Text)(
            self, way, ranks
        ).text()


def indented(text, depth=1):
    return textwrap.indent(text, "    " * depth)


class Text:
    """A step of parameters and what else it carries, as two arguments or as one."""

    def __init__(self, script, way, ranks):
        self.script, self.joined, self.ranks = script, way.startswith("joined_"), ranks
        self.way = "platform" if way.startswith("platform") else way.removeprefix("joined_")

    def lines(self, place):
        return "\n".join(part[place] for part in self.script.parts if part.get(place))

    def text(self):
        body = "\n\n".join(
            part.strip("\n")
            for part in (self._values(), self.lines("top"), self._step(), self._ds(), self._loop())
            if part.strip()
        )
        return f'"""{self.script}."""\n' + self._imports(body) + "\n\n" + body + "\n"

    def _imports(self, body):
        modules = "".join(f"import {name}\n" for name in ("collections", "functools") if f"{name}." in body)
        lines = [modules, "import jax", "import jax.numpy as jnp", "import numpy as np", "import optax"]
        lines += ["import optax.contrib"] if "contrib" in body else []
        lines += ["from flax import linen"] if "linen." in body else []
        lines += ["from flax import nnx"] if "nnx." in body else []
        lines += ["from flax.training import train_state"] if "train_state." in body else []
        lines += ["from jax import lax"] if "lax." in body else []
        lines += ["from jax.sharding import AxisType, NamedSharding, PartitionSpec"] if "NamedSharding" in body else []
        lines += ["\nimport dstep as ds"] if "ds.jax" in body else []
        wide = ['\njax.config.update("jax_enable_x64", True)'] if self.script.dtype == "float64" else [""]
        return (
            "\n".join(filter(None, lines[:-1] + [lines[-1]]))
            + "\n"
            + "\n".join([*wide, f"dtype = np.{self.script.dtype}"])
        )

    def _values(self):
        lines = [f"random = np.random.default_rng({self.script.seed})", "", "", "def normal(*shape):"]
        return "\n".join([*lines, "    return (random.normal(size=shape) * 0.4).astype(dtype)"])

    def _hyper(self, prefix=", "):
        return "".join(f"{prefix}{name}" for name in self.script.hyper)

    def _step(self):
        aux = "".join(f", {name}" for part in self.script.parts for name in part.get("aux", ()))
        take = BATCHES[self.script.drawn["batch"]]["take"]
        loss = [
            f"def loss_of(params, carry, batch{self._hyper()}):",
            f"    {take}",
            "    new = {}",
            indented(self.lines("forward")),
            '    scores = h @ params["head"]',
            indented(self.lines("loss")),
            f"    return loss, (new{aux})" if aux else "    return loss, (new,)",
        ]
        state = self.script.form == "state"
        step = [f"def step({'state' if state else 'params, carry'}, batch{self._hyper()}):"]
        step += ['    params, carry = state["params"], state["carry"]'] if state else []
        step += [
            f"    (loss, (new{aux or ','})), grads = jax.value_and_grad(loss_of, has_aux=True)(params, carry, "
            f"batch{self._hyper()})",
            indented(self.lines("grads")),
            '    updates, new["opt"] = optimizer.update(grads, carry["opt"], params)',
            "    params = optax.apply_updates(params, updates)",
            indented(self.lines("after")),
        ]
        metrics = (
            "loss"
            if not self.script.metrics
            else "{"
            + ", ".join(f'"{name}": {value}' for name, value in {"loss": "loss", **self.script.metrics}.items())
            + "}"
        )
        step += [
            (
                f'    return {{"params": params, "carry": carry | new}}, {metrics}'
                if state
                else f"    return params, carry | new, {metrics}"
            )
        ]
        evaluate = (
            [
                "",
                "",
                "@jax.jit",
                "def evaluate(params, carry, batch):",
                f"    return loss_of(params, carry, batch{self._hyper_now()})[0]",
            ]
            if "evaluate(" in str(self.script.changes)
            else []
        )
        return "\n".join(line for line in [*loss, "", "", *step, *evaluate] if line.strip() or not line)

    def _hyper_now(self):
        return "".join(f", {value}" for value in self.script.hyper.values())

    def _ds(self):
        made = f"optimizer = {OPTIMIZERS[self.script.drawn['optimizer']]['make']}"
        params = {name: value for part in self.script.parts for name, value in part.get("params", {}).items()}
        carry = {name: value for part in self.script.parts for name, value in part.get("carry", {}).items()}
        table = lambda values: "{" + ", ".join(f'"{name}": {value}' for name, value in values.items()) + "}"
        lines = [
            made,
            f"params = {table(params | {'head': 'normal(8, 3)'})}",
            f"carry = {table(carry | {'opt': 'jax.jit(optimizer.init)(params)'})}".replace(
                "{seed}", str(self.script.seed)
            ),
            self.lines("setup"),
            self._batches(),
        ]
        lines += [f"{name} = {value}" for name, value in self.script.hyper.items()]
        state = self.script.form == "state"
        return "\n".join(
            filter(
                None,
                [
                    *lines,
                    *self._train(
                        "0" if state else "(0, 1)",
                        "1" if state else "2",
                        'params="state.params", ' if state else "params=0, state=1, ",
                    ),
                ],
            )
        )

    def _batches(self):
        x, y = (
            text.replace("{rows}", str(self.script.rows))
            for text in (STEMS[self.script.drawn["stem"]]["x"], CRITERIA[self.script.drawn["criterion"]]["y"])
        )
        batch = BATCHES[self.script.drawn["batch"]]["batch"].format(x=x, y=y)
        return f"batches = [{batch} for _ in range(3)]\nheld_out = batches.pop()"

    def _train(self, donated, batch, roles):
        ranks = "" if self.joined else f", ranks={self.ranks}"
        if self.way == "platform":
            return [
                'mesh = jax.make_mesh((len(jax.devices()),), ("data",), axis_types=(AxisType.Auto,))',
                'samples = NamedSharding(mesh, PartitionSpec("data"))',
                f"train = jax.jit(step, donate_argnums={donated})",
            ]
        if self.way == "eager":
            return [f"train = jax.jit(step, donate_argnums={donated})"]
        if self.way == "jit":
            return [f"train = ds.jax.jit(step, donate_argnums={donated}, batch={batch}{ranks})"]
        return [f"train = ds.jax.data_parallel(step, {roles}batch={batch}{ranks})"]

    def _place(self):
        return "jax.device_put(batch, samples)" if self.way == "platform" else "batch"

    def _loop(self):
        state = self.script.form == "state"
        loss = 'metrics["loss"]' if self.script.metrics else "metrics"
        begin = ["history = []"] + (['state = {"params": params, "carry": carry}'] if state else [])
        if self.way == "fit":
            held = "state" if state else "params, carry"
            return "\n".join(
                [
                    *begin,
                    f'{held}, epochs = train.fit({held}, batches[0], data=batches, epochs={EPOCHS}, progress="none")',
                    'history = [metrics["loss"] for metrics in epochs]',
                    "trained = state" if state else 'trained = {"params": params, "carry": carry}',
                ]
            )
        call = f"train({'state' if state else 'params, carry'}, {self._place()}{self._hyper()})"
        lines = [
            *begin,
            f"for epoch in range({EPOCHS}):",
            "    losses = []",
            "    for batch in batches:",
            f"        {'state' if state else 'params, carry'}, metrics = {call}",
            f"        losses.append(float({loss}))",
            "    history.append(sum(losses) / len(losses))",
        ]
        for epoch, changes in sorted(self.script.changes.items()):
            inside = (
                [*changes]
                if not state
                else [
                    'params, carry = state["params"], dict(state["carry"])',
                    *changes,
                    'state = {"params": params, "carry": carry}',
                ]
            )
            lines += [f"    if epoch == {epoch}:", indented("\n".join(inside), 2)]
        return "\n".join([*lines, "trained = state" if state else 'trained = {"params": params, "carry": carry}'])


class TrainState(Text):
    """Flax's TrainState, whose function is of its own."""

    def _step(self):
        take = BATCHES[self.script.drawn["batch"]]["take"]
        return "\n".join(
            [
                "def scores_of(params, x):",
                "    new = {}",
                indented(self.lines("forward")),
                '    return h @ params["head"]',
                "",
                "",
                "def step(state, batch):",
                f"    {take}",
                "",
                "    def loss_of(params):",
                "        scores = state.apply_fn(params, x)",
                indented(self.lines("loss"), 2),
                "        return loss",
                "",
                "    loss, grads = jax.value_and_grad(loss_of)(state.params)",
                "    return state.apply_gradients(grads=grads), loss",
            ]
        )

    def _ds(self):
        params = {name: value for part in self.script.parts for name, value in part.get("params", {}).items()}
        table = (
            "{" + ", ".join(f'"{name}": {value}' for name, value in {**params, "head": "normal(8, 3)"}.items()) + "}"
        )
        lines = [
            f"params = {table}",
            self.lines("setup"),
            f"state = train_state.TrainState.create(apply_fn=scores_of, params=params, "
            f"tx={OPTIMIZERS[self.script.drawn['optimizer']]['make']})",
            self._batches(),
        ]
        return "\n".join(filter(None, [*lines, *self._train("0", "1", 'params="state.params", ')]))

    def _loop(self):
        tail = 'trained = {"params": state.params, "opt": state.opt_state, "step": state.step}'
        if self.way == "fit":
            return "\n".join(
                [
                    f'state, epochs = train.fit(state, batches[0], data=batches, epochs={EPOCHS}, progress="none")',
                    'history = [metrics["loss"] for metrics in epochs]',
                    tail,
                ]
            )
        lines = [
            "history = []",
            f"for epoch in range({EPOCHS}):",
            "    losses = []",
            "    for batch in batches:",
            f"        state, loss = train(state, {self._place()})",
            "        losses.append(float(loss))",
            "    history.append(sum(losses) / len(losses))",
        ]
        for epoch, changes in sorted(self.script.changes.items()):
            inside = ["params = state.params", *changes, "state = state.replace(params=params)"]
            lines += [f"    if epoch == {epoch}:", indented("\n".join(inside), 2)]
        return "\n".join([*lines, tail])


class Modules(Text):
    """Flax NNX, whose step changes the objects in place."""

    def _step(self):
        drop = self.script.drops
        net = [
            "class Net(nnx.Module):",
            "    def __init__(self, rngs):",
            "        self.stem = nnx.Linear(6, 8, param_dtype=dtype, rngs=rngs)",
            "        self.head = nnx.Linear(8, 3, param_dtype=dtype, rngs=rngs)",
            "        self.norm = nnx.BatchNorm(8, param_dtype=dtype, rngs=rngs)",
            *(["        self.drop = nnx.Dropout(0.2, rngs=rngs)"] if drop else []),
            "",
            "    def __call__(self, x):",
            "        h = self.norm(jnp.tanh(self.stem(x)))",
            *(["        h = self.drop(h)"] if drop else []),
            indented("\n".join(part["forward"] for part in self.script.parts[4:] if part.get("forward")), 2),
            "        return self.head(h)",
        ]
        step = [
            "def step(net, optimizer, batch):",
            '    x, y = batch["x"], batch["y"]',
            "",
            "    def loss_of(net):",
            "        scores = net(x)",
            indented(CRITERIA[self.script.drawn["criterion"]]["loss"], 2),
            "        return loss",
            "",
            "    loss, grads = nnx.value_and_grad(loss_of)(net)",
            "    optimizer.update(net, grads)",
            "    return loss",
        ]
        return "\n".join([*net, "", "", *step])

    def _ds(self):
        y = CRITERIA[self.script.drawn["criterion"]]["y"].replace("{rows}", str(self.script.rows))
        lines = [
            f"net = Net(nnx.Rngs({self.script.seed}))",
            "optimizer = nnx.Optimizer(net, optax.adam(0.02), wrt=nnx.Param)",
            f'batches = [{{"x": normal({self.script.rows}, 6), "y": {y}}} for _ in range(2)]',
        ]
        train = ["train = nnx.jit(step)"] if self.way == "eager" else self._train("0", "2", "params=0, state=1, ")
        return "\n".join([*lines, *train])

    def _loop(self):
        lines = [
            "history = []",
            f"for epoch in range({EPOCHS}):",
            "    losses = [float(train(net, optimizer, batch)) for batch in batches]",
            "    history.append(sum(losses) / len(losses))",
        ]
        for epoch, changes in sorted(self.script.changes.items()):
            lines += [f"    if epoch == {epoch}:", indented("\n".join(changes), 2)]
        return "\n".join([*lines, "trained = nnx.state((net, optimizer))"])
