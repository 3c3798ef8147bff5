"""The same with JAX (test_jax_shared.py): joined_shared_jax.py FOLDER RANKS[,RANKS..]."""
import hashlib
import json
import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import numpy as np  # noqa: E402

import dstep.jax  # noqa: E402
from dstep.base.errors import FrontendError  # noqa: E402
from dstep.session.launch import ranks_here, started_by  # noqa: E402

folder, EACH, STEPS = pathlib.Path(sys.argv[1]), 4, 3
process = (started_by() or (0,))[0]


def step(params, state, batch, key):
    x, y = batch

    def loss_of(params):
        hidden = jax.nn.tanh(x @ params["w"] + params["b"]) * jax.random.bernoulli(key, 0.8, (x.shape[0], 8))
        return ((hidden @ params["v"] - y) ** 2).mean()

    loss, gradients = jax.value_and_grad(loss_of)(params)
    state = jax.tree_util.tree_map(lambda m, g: 0.9 * m + g, state, gradients)
    return jax.tree_util.tree_map(lambda p, m: p - 0.05 * m, params, state), state, loss


def trained(ranks, config, each):
    """`each`: the samples that a process passes for each of its ranks; None: all that there are."""
    random = np.random.default_rng(0)
    draw = lambda *shape: random.standard_normal(shape).astype(np.float32)
    params = {"w": draw(3, 8), "b": draw(8), "v": draw(8)}
    state = jax.tree_util.tree_map(np.zeros_like, params)
    here = ranks_here(ranks) if started_by() and each else range(ranks)
    train = dstep.jax.data_parallel(step, ranks=ranks, params=0, state=1, batch=2, seed=3, config=config)
    losses = []
    for number in range(STEPS):
        x, y = draw(EACH * ranks, 3), draw(EACH * ranks)
        part = slice(EACH * here[0], EACH * here[0] + (EACH * len(here) if each != 1 else 1))
        params, state, loss = train(params, state, (x[part], y[part]), jax.random.PRNGKey(number))
        losses.append(float(loss))
    found = hashlib.sha256()
    for value in jax.tree_util.tree_leaves((params, state)):
        found.update(np.asarray(value).tobytes())
    held = {name: np.asarray(value).tolist() for name, value in train.parameters().items()}
    return {"hash": found.hexdigest(), "losses": losses, "held": held}


for ranks in map(int, sys.argv[2].split(",")):
    local = {"batch": "local", "gradients_mean": True, "decorrelate_seeds": True}
    found = {"local": trained(ranks, local, EACH), "global": trained(ranks, {"batch": "global"}, None)}
    if started_by() and len(ranks_here(ranks)) > 1:
        try:
            trained(ranks, {"batch": "local"}, 1)
        except FrontendError as error:
            found["told"] = str(error)
    (folder / f"{ranks}.{process}.json").write_text(json.dumps(found))
