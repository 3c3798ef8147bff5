"""What scripts of JAX are drawn from: tables of lines. A part is {place: lines}: `params` and `carry` are
{name: initial value}, `forward` makes the hidden values h, 8 of each sample, `new` says what is carried on, `grads`
comes after the gradients, `after` after the update, and `change` are changes between two epochs, of which one is drawn.
`plain` parts need neither parameters nor a carry, so modules of Flax NNX may have them, too.
"""

STEMS = {
    "dense": dict(x="normal({rows}, 6)", params={"stem": "normal(6, 8)"}, forward='h = jnp.tanh(x @ params["stem"])'),
    "bias": dict(
        x="normal({rows}, 6)",
        params={"stem": '{"w": normal(6, 8), "b": normal(8)}'},
        forward='h = jax.nn.gelu(x @ params["stem"]["w"] + params["stem"]["b"])',
    ),
    "einsum": dict(
        x="normal({rows}, 3, 4)",
        params={"stem": "normal(3, 4, 8)"},
        forward='h = jax.nn.silu(jnp.einsum("nij,ijk->nk", x, params["stem"]))',
    ),
    "samples": dict(
        x="normal({rows}, 6)",
        params={"stem": "normal(6, 8)"},
        forward='h = jax.vmap(lambda row: jnp.sin(row @ params["stem"]))(x)',
    ),
    "convolution": dict(
        x="normal({rows}, 6, 6, 1)",
        params={"conv": "normal(3, 3, 1, 4)", "stem": "normal(64, 8)"},
        forward='h = jax.nn.relu(lax.conv_general_dilated(x, params["conv"], (1, 1), "VALID", '
        'dimension_numbers=("NHWC", "HWIO", "NHWC")))\n'
        'h = jnp.tanh(h.reshape(len(x), -1) @ params["stem"])',
    ),
    "tokens": dict(
        x="random.integers(0, 11, ({rows}, 5))",
        params={"embed": "normal(11, 8)"},
        forward='h = params["embed"][x].mean(1)',
    ),
    "attention": dict(
        x="random.integers(0, 11, ({rows}, 5))",
        params={"embed": "normal(11, 8)", "mix": "normal(8, 8)"},
        forward='h = params["embed"][x]\nscores = jnp.einsum("nik,kl,njl->nij", h, params["mix"], h) / 8 ** 0.5\n'
        "scores = jnp.where(jnp.tril(jnp.ones((5, 5), bool)), scores, -1e9)\nh = (h + jax.nn.softmax(scores) @ "
        "h).mean(1)",
    ),
    "recurrent": dict(
        x="normal({rows}, 4, 3)",
        params={"into": "normal(3, 8)", "again": "normal(8, 8)"},
        forward='def cell(h, row):\n    h = jnp.tanh(row @ params["into"] + h @ params["again"])\n    return h, '
        "h.mean()\n\n"
        "h, _ = lax.scan(cell, jnp.zeros((len(x), 8), x.dtype), x.swapaxes(0, 1))",
    ),
    "linen": dict(
        x="normal({rows}, 6)",
        params={"net": 'jax.jit(net.init)(jax.random.key(1), normal(2, 6))["params"]'},
        forward='h = net.apply({"params": params["net"]}, x)',
        top="net = linen.Sequential([linen.Dense(8, param_dtype=dtype), linen.LayerNorm(param_dtype=dtype), "
        "jnp.tanh, linen.Dense(8, param_dtype=dtype)])",
    ),
}
LABELS, VALUES = "random.integers(0, 3, {rows})", "normal({rows}, 3)"
CRITERIA = {
    "integer labels": dict(y=LABELS, loss="loss = optax.softmax_cross_entropy_with_integer_labels(scores, y).mean()"),
    "one hot": dict(y=LABELS, loss="loss = -(jax.nn.log_softmax(scores) * jax.nn.one_hot(y, 3)).sum(1).mean()"),
    "taken": dict(y=LABELS, loss="loss = -jnp.take_along_axis(jax.nn.log_softmax(scores), y[:, None], 1).mean()"),
    "labels that are ignored": dict(
        y="np.where(np.arange({rows}) % 3 == 1, -1, random.integers(0, 3, {rows}))",
        loss="kept = y >= 0\nlosses = optax.softmax_cross_entropy_with_integer_labels(scores, jnp.maximum(y, 0))\n"
        "loss = (losses * kept).sum() / jnp.maximum(kept.sum(), 1)",
    ),
    "squares": dict(y=VALUES, loss="loss = ((scores - y) ** 2).mean()"),
    "sum": dict(y=VALUES, loss="loss = 0.1 * ((scores - y) ** 2).sum()"),
    "huber": dict(y=VALUES, loss="loss = optax.huber_loss(scores, y, delta=0.5).mean()"),
    "signs": dict(
        y="(normal({rows}, 3) > 0).astype(dtype)", loss="loss = optax.sigmoid_binary_cross_entropy(scores, y).mean()"
    ),
    "correlation": dict(
        # the squares give the bias of the head a gradient that is more than rounding, which Adam would scale up
        y=VALUES,
        loss="loss = -((scores - scores.mean(0)) * (y - y.mean(0))).mean() / (scores.std() * y.std() + 0.1)\n"
        "loss = loss + 0.1 * ((scores - 0.2) ** 2).mean()",
    ),
}
OPTIMIZERS = {
    "sgd": dict(make="optax.sgd(0.1)"),
    "momentum": dict(make="optax.sgd(0.05, momentum=0.9, nesterov=True)"),
    "adam": dict(make="optax.adam(0.02)"),
    "adamw": dict(
        make="optax.adamw(optax.cosine_decay_schedule(0.03, 5), weight_decay=0.01, mask=lambda params: "
        "jax.tree.map(lambda p: p.ndim > 1, params))"
    ),
    "clip": dict(make="optax.chain(optax.clip_by_global_norm(0.3), optax.adam(0.02))"),
    "every second": dict(make="optax.MultiSteps(optax.adam(0.02), every_k_schedule=2)"),
    "injected": dict(
        make="optax.inject_hyperparams(optax.adam)(learning_rate=0.02)",
        change=['carry["opt"].hyperparams["learning_rate"] = np.asarray(0.001, dtype)'],
    ),
    "rmsprop": dict(make="optax.rmsprop(0.01, momentum=0.5)"),
    "lamb": dict(make="optax.lamb(0.02)"),
    "radam": dict(make="optax.radam(0.02)"),
    "adabelief": dict(make="optax.adabelief(0.02)"),
    "adagrad": dict(make="optax.adagrad(0.05)"),
    "if finite": dict(make="optax.apply_if_finite(optax.sgd(0.1, momentum=0.5), 3)"),
    "parts": dict(
        make='optax.partition({"a": optax.adam(0.02), "b": optax.set_to_zero()}, lambda params: {name: "b" if name '
        '== "head" else "a" for name in params})'
    ),
    "chain": dict(
        make="optax.chain(optax.add_decayed_weights(0.01), optax.trace(0.8), optax.scale_by_schedule(lambda k: 1 / "
        "(1 + k)), optax.scale(-0.05))"
    ),
    "flattened": dict(make="optax.flatten(optax.adam(0.02))"),
    "average of updates": dict(make="optax.chain(optax.adam(0.02), optax.ema(0.5))"),
    "without schedule": dict(make="optax.contrib.schedule_free_sgd(0.1)"),
}
BATCHES = {
    "a dictionary": dict(batch='{{"x": {x}, "y": {y}}}', take='x, y = batch["x"], batch["y"]', names=("x", "y")),
    "a tuple": dict(batch="({x}, {y})", take="x, y = batch"),
    "a named tuple": dict(
        top='Batch = collections.namedtuple("Batch", "x y")', batch="Batch({x}, {y})", take="x, y = batch"
    ),
}
FEATURES = {
    # Plain ones.
    "checkpoint": dict(forward="h = jax.checkpoint(lambda h: jnp.sin(h) * h)(h)", plain=True),
    "stopped": dict(forward="h = h + lax.stop_gradient(jnp.abs(h)).mean()", plain=True),
    "the largest": dict(forward="h = h + lax.top_k(h, 3)[0].mean(1, keepdims=True)", plain=True),
    "sorted": dict(forward="h = h + 0.1 * jnp.sort(h, axis=1)", plain=True),
    "cumulative": dict(forward="h = h + 0.1 * jnp.cumsum(h, axis=1)", plain=True),
    "similarities": dict(forward="h = h + 0.1 * jax.nn.softmax(h @ h.T) @ h", plain=True),
    "a mask": dict(forward="h = jnp.where(h > 0.1, h, 0.2 * h)", plain=True),
    "statistics": dict(forward="h = (h - h.mean(0)) / jnp.sqrt(h.var(0) + 0.1)", plain=True),
    "a loop": dict(forward="h = lax.fori_loop(0, 3, lambda k, h: h + 0.1 * jnp.sin(h), h)", plain=True),
    # Means may be zero but for rounding, where h was normalised; sizes are not.
    "a branch": dict(
        forward="h = lax.cond(jnp.abs(h).mean() > 0.3, lambda h: 0.9 * h, lambda h: 1.1 * h, h)", plain=True
    ),
    "an update at": dict(forward="h = h.at[:, 0].set(0.3).at[:, 1].multiply(2)", plain=True),
    "a rule of its own": dict(
        forward="h = rounded(h)",
        plain=True,
        top="""
@jax.custom_vjp
def rounded(h):
    return jnp.round(h * 4) / 4


rounded.defvjp(lambda h: (rounded(h), None), lambda _, gradient: (gradient,))
""",
    ),
    "a tangent of its own": dict(
        forward="h = doubled(h)",
        plain=True,
        top="""
@jax.custom_jvp
def doubled(h):
    return 2 * h


doubled.defjvp(lambda primals, tangents: (doubled(primals[0]), 1.5 * tangents[0]))
""",
    ),
    "a constant of numpy": dict(
        top="TABLE = np.linspace(0.5, 1.5, 8)", forward="h = h * TABLE.astype(h.dtype)", plain=True
    ),
    "a global": dict(
        top="gains = [1.3]", forward="h = h * gains[0]", change=["gains[0] = 0.2"], plain=True
    ),  # of the trace, as under jax.jit
    # With parameters, and with what one step hands to the next.
    "layers in a loop": dict(
        params={"layers": "normal(3, 8, 8)"},
        forward='h, _ = lax.scan(lambda h, w: (h + jnp.tanh(h @ w), None), h, params["layers"])',
    ),
    "a list of layers": dict(
        params={"list": "[normal(8, 8), normal(8, 8)]"}, forward='for w in params["list"]:\n    h = h + jnp.tanh(h @ w)'
    ),
    "tied": dict(params={"tied": "normal(8, 8)"}, forward='h = jnp.tanh(h @ params["tied"]) @ params["tied"].T'),
    "a residue": dict(params={"gain": "np.asarray(0.7, dtype)"}, forward='h = h * params["gain"]'),
    "unused": dict(params={"unused": "normal(3)"}),
    "a running mean": dict(
        carry={"mean": "np.zeros(8, dtype)"},
        forward='h = h - carry["mean"]\nnew["mean"] = 0.8 * carry["mean"] + 0.2 * lax.stop_gradient(h).mean(0)',
        change=['carry["mean"] = np.full(8, 0.1, dtype)'],
    ),
    "a counter": dict(
        carry={"count": "np.asarray(0, np.int32)"},
        forward='h = h / (1 + 0.1 * carry["count"])\nnew["count"] = carry["count"] + 1',
        change=['carry["count"] = np.asarray(0, np.int32)'],
    ),
    "every second step": dict(
        carry={"turn": "np.asarray(False)"},
        forward='h = lax.cond(carry["turn"], lambda h: h, lambda h: 0.5 * h, h)\nnew["turn"] = ~carry["turn"]',
    ),
    "a key": dict(
        carry={"key": "jax.random.key({seed})"},
        forward='new["key"], now = jax.random.split(carry["key"])\nh = h * jax.random.bernoulli(now, 0.7, h.shape) '
        "/ 0.7",
    ),
    "a raw key": dict(
        carry={"raw": "np.asarray([3, {seed}], np.uint32)"},
        forward='new["raw"], now = jax.random.split(carry["raw"])\nh = h + 0.1 * jax.random.normal(now, h.shape, '
        "h.dtype)",
    ),
    "a key of the step": dict(
        carry={"step": "np.asarray(0, np.int32)"},
        forward='now = jax.random.fold_in(jax.random.key(3), carry["step"])\nnew["step"] = carry["step"] + 1\n'
        "h = h + 0.1 * jax.random.uniform(now, h.shape, h.dtype)",
    ),
    "a queue": dict(
        carry={"queue": "normal(4, 8)"},
        forward='h = h + 0.3 * carry["queue"].mean(0)\n'
        'new["queue"] = jnp.concatenate([carry["queue"][1:], lax.stop_gradient(h).mean(0, keepdims=True)])',
    ),
    "an average": dict(
        carry={"average": "jax.tree.map(np.array, params)"},
        after='new["average"] = jax.tree.map(lambda a, p: 0.9 * a + 0.1 * p, carry["average"], params)',
    ),
    "a loss that scales": dict(
        carry={"scale": "np.asarray(8, dtype)"},
        loss='loss = loss * carry["scale"]',
        grads='grads = jax.tree.map(lambda g: g / carry["scale"], grads)\nloss = loss / carry["scale"]\n'
        'new["scale"] = jnp.where(optax.global_norm(grads) < 10, carry["scale"] * 2, carry["scale"] / 2)',
    ),
    # The step and the loop.
    "a norm": dict(grads="norm = optax.global_norm(grads)", metrics={"norm": "norm"}),
    "an accuracy": dict(
        loss="accuracy = (scores.argmax(1) == scores.argmin(1)).mean()\nsize = jnp.abs(scores).max()",
        aux=("accuracy", "size"),
        metrics={"accuracy": "accuracy", "size": "size"},
    ),
    "noise of gradients": dict(grads="grads = jax.tree.map(lambda g: g * (1 + 0.1 * jnp.sign(g)), grads)"),
    "a rate": dict(
        hyper={"rate": "0.7"},
        grads="grads = jax.tree.map(lambda g: g * rate, grads)",
        change=["rate = 0.2", "rate = np.float32(0.4)"],
    ),
    "a flag": dict(
        hyper={"doubles": "False"}, loss="loss = jnp.where(doubles, 2 * loss, loss)", change=["doubles = True"]
    ),
    "a weight of the loss": dict(
        hyper={"alpha": "0.1"}, loss='loss = loss + alpha * (params["head"] ** 2).sum()', change=["alpha = 0.5"]
    ),
    "shrinking": dict(change=["params = jax.tree.map(lambda p: np.asarray(p) * np.asarray(0.9, dtype), params)"]),
    "a head that is reset": dict(change=['params = params | {"head": np.full((8, 3), 0.1, dtype)}']),
    "an optimizer that is reset": dict(change=['carry = carry | {"opt": jax.jit(optimizer.init)(params)}']),
    "values that are loaded": dict(
        setup="saved = jax.tree.map(np.array, params)", change=["params = jax.tree.map(np.array, saved)"]
    ),
    "another size": dict(change=["batches = [jax.tree.map(lambda rows: rows[:4], batch) for batch in batches]"]),
    "evaluation": dict(evaluates=True, change=["history.append(evaluate(params, carry, held_out))"]),
    "a penalty": dict(loss="loss = loss + 1e-2 * sum((p ** 2).sum() for p in jax.tree.leaves(params))"),
    "second derivatives": dict(
        loss="loss = loss + 0.01 * sum((g ** 2).sum() for g in jax.tree.leaves(jax.grad(lambda w: jnp.tanh(h @ "
        'w).mean())(params["head"])))'
    ),
}
