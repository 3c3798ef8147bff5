"""Steps of modules and of typed keys: Flax NNX (in place and by its states), Equinox, TrainState with a key."""
import os
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from flax.training import train_state

import dstep as ds
from dstep.jax import modules

RNG = np.random.default_rng(0)
BATCH = {"x": RNG.normal(size=(16, 6)).astype(np.float32), "y": RNG.integers(0, 3, 16).astype(np.int32)}
TRAIN = dict(params=0, state=1, batch=2)


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def close(got, expected):
    bits = lambda x: jax.random.key_data(x) if jax.dtypes.issubdtype(getattr(x, "dtype", float),
                                                                     jax.dtypes.prng_key) else x
    jax.tree.map(lambda a, b: np.testing.assert_allclose(bits(a), bits(b), rtol=2e-4, atol=2e-5), got, expected)


class Net(nnx.Module):
    def __init__(self, rngs):
        self.a, self.norm = nnx.Linear(6, 8, use_bias=False, rngs=rngs), nnx.BatchNorm(8, rngs=rngs)
        self.b, self.drop = nnx.Linear(8, 3, rngs=rngs), nnx.Dropout(0.2, rngs=rngs)

    def __call__(self, x):
        return self.b(self.drop(nnx.relu(self.norm(self.a(x)))))


def net_and_optimizer():
    net = Net(nnx.Rngs(0))
    return net, nnx.Optimizer(net, optax.adam(1e-2), wrt=nnx.Param)


def in_place(net, optimizer, batch):
    loss, grads = nnx.value_and_grad(lambda net: cross_entropy(net(batch["x"]), batch["y"]))(net)
    optimizer.update(net, grads)
    return loss


class Tower(eqx.Module):
    a: eqx.nn.Linear
    b: eqx.nn.Linear
    drop: eqx.nn.Dropout
    activation: callable
    scale: float

    def __init__(self, key):
        first, second = jax.random.split(key)
        self.a, self.b, self.drop, self.activation = eqx.nn.Linear(6, 8,
                                                                   key=first), eqx.nn.Linear(8, 3,
                                                                                             key=second), eqx.nn.Dropout(0.2), jnp.tanh
        self.scale = 2.0

    def __call__(self, x, key):
        return self.b(self.drop(self.activation(self.a(x)), key=key)) * self.scale


class Nnx(unittest.TestCase):
    def test_a_step_in_place_changes_the_callers_objects(self):
        wanted, got = net_and_optimizer(), net_and_optimizer()
        loss = in_place(*wanted, BATCH)
        train = ds.jax.data_parallel(nnx.jit(in_place), ranks=2, **TRAIN)
        np.testing.assert_allclose(train(*got, BATCH), loss, rtol=1e-5)
        close(nnx.state(got), nnx.state(wanted))
        seen = []
        history, = train.fit(*got, BATCH, data=BATCH, epochs=2, progress="none",
                             callbacks=[lambda *told: seen.append((*told, int(got[1].step.value)))])
        self.assertEqual(seen, [(0, history[0], 2), (1, history[1], 3)])

    def test_states_are_trained_and_only_params_are_parameters(self):
        graph, state = nnx.split(net_and_optimizer())

        @jax.jit
        def step(state, batch):
            net, optimizer = nnx.merge(graph, state)
            loss = in_place(net, optimizer, batch)
            return nnx.state((net, optimizer)), loss

        train = ds.jax.data_parallel(step, ranks=2, params=0, batch=1)
        close(train(state, BATCH), step(state, BATCH))
        roles = {a["name"].removesuffix(".value"): a["role"] for a in train.exported((state, BATCH)).manifest["args"]}
        self.assertEqual({name for name, role in roles.items() if role == "param"},
                         {f"state.0.{name}" for name in ("a.kernel", "b.bias", "b.kernel", "norm.bias", "norm.scale")})
        self.assertEqual((roles["state.0.norm.mean"], roles["state.0.drop.rngs.key"],
                          roles["state.1.opt_state.0.mu.a.kernel"]), ("state",) * 3)

    def test_objects_that_share_variables_stay_one(self):
        def step(net, optimizer, batch):  # the optimizer's model is the net
            loss, grads = nnx.value_and_grad(lambda net: cross_entropy(net(batch["x"]), batch["y"]))(net)
            optimizer.update(grads)
            return loss

        def make():
            net = nnx.Linear(6, 3, rngs=nnx.Rngs(0))
            return net, nnx.ModelAndOptimizer(net, optax.sgd(0.1))

        wanted, got = make(), make()
        step(*wanted, BATCH)
        ds.jax.data_parallel(step, ranks=2, **TRAIN)(*got, BATCH)
        self.assertIs(got[0].kernel, got[1].model.kernel)
        close(nnx.state(got), nnx.state(wanted))

        returns_new = lambda net, optimizer, batch: (*nnx.clone((net, optimizer)), step(net, optimizer, batch))
        with self.assertRaisesRegex(ds.jax.FrontendError, "'net' and 'optimizer' have a variable of nnx in two places, "
                                    "of which the step returns two values; change the "
                                                          r"objects in place, or split them together \(nnx.split\)"):
            ds.jax.export(returns_new, (*make(), BATCH), **TRAIN)

    def test_new_objects_are_results_as_pytrees_are(self):
        def step(net, batch):
            loss, grads = nnx.value_and_grad(lambda net: cross_entropy(net(batch["x"]), batch["y"]))(net)
            nnx.update(net, jax.tree.map(lambda p, g: p - 0.1 * g, nnx.state(net, nnx.Param), grads))
            return net, loss

        make = lambda: nnx.Linear(6, 3, rngs=nnx.Rngs(0))
        wanted, loss = step(make(), BATCH)
        for form in (jax.jit(step), step):
            net = make()
            got, value = ds.jax.data_parallel(form, ranks=2, params=0, batch=1)(net, BATCH)
            self.assertEqual(got is net, form is step)  # in place without jit
            close((nnx.state(got), value), (nnx.state(wanted), loss))

    def test_what_is_no_array_of_an_object_must_stay(self):
        def step(net, optimizer, batch):
            loss = in_place(net, optimizer, batch)
            net.eval()
            return loss

        with self.assertRaisesRegex(ds.jax.FrontendError, r"the step changes more of an object of nnx than the values "
                                    r"of its variables \(its mode, another attribute, new "
                                                          r"ones as sow makes\), expected that before the step, or "
                                    r"nnx.pop in it"):
            ds.jax.export(step, (*net_and_optimizer(), BATCH), **TRAIN)


class Equinox(unittest.TestCase):
    def test_what_is_no_array_in_a_module_stays_outside(self):
        optimizer = optax.adam(1e-2)

        @eqx.filter_jit
        def step(model, opt_state, batch, key):
            loss = lambda model: cross_entropy(jax.vmap(model)(batch["x"], jax.random.split(key, 16)), batch["y"])
            value, grads = eqx.filter_value_and_grad(loss)(model)
            updates, opt_state = optimizer.update(grads, opt_state)
            return eqx.apply_updates(model, updates), opt_state, value

        model = Tower(jax.random.key(0))
        args = model, optimizer.init(eqx.filter(model, eqx.is_array)), BATCH, jax.random.key(1)
        train = ds.jax.data_parallel(step, ranks=2, seed=3, **TRAIN)
        got, wanted = train(*args), step(*args)
        self.assertIs(got[0].activation, jnp.tanh)
        close(*(eqx.filter(result, eqx.is_array) for result in (got, wanted)))
        still = (eqx.nn.inference_mode(model), *args[1:])  # another flag is another step
        self.assertIsNot(train.exported(still), train.exported(args))

    def test_arrays_and_the_rest_are_joined_again(self):
        tree = {"model": Tower(jax.random.key(0)), "x": np.ones(2)}
        arrays, rest = modules.divided(tree)
        self.assertTrue(all(map(modules.is_array, jax.tree.leaves(arrays))))
        self.assertEqual(jax.tree.leaves(rest), [0.2, False, jnp.tanh, 2.0])
        self.assertTrue(eqx.tree_equal(modules.joined(arrays, rest), tree))


class Keys(unittest.TestCase):
    def test_typed_keys_are_carried_by_every_algorithm(self):
        def step(state, batch):
            key, own = jax.random.split(state["key"])
            keep = jax.random.bernoulli(own, 0.9, batch["x"].shape)
            loss, grad = jax.value_and_grad(lambda w: (((keep * batch["x"]) @ w - batch["y"]) ** 2).mean())(state["w"])
            return {"w": state["w"] - 0.1 * grad, "key": key}, loss

        for impl, params in (("rbg", "state.w"), ("unsafe_rbg", 0)):
            with self.subTest(impl):
                state = {"w": np.zeros(6, np.float32), "key": jax.random.key(0, impl=impl)}
                (first, _), (second, loss) = ds.jax.data_parallel(step, ranks=2, params=params,
                                                                  batch=1).run([(state, BATCH)] * 2)
                wanted = step(step(state, BATCH)[0], BATCH)
                self.assertEqual(first["key"].dtype, state["key"].dtype)
                close((second, loss), wanted)

    def test_a_train_state_holds_a_key(self):
        class State(train_state.TrainState):
            key: jax.Array

        class Model(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(nn.Dropout(0.2, deterministic=False)(x))

        def step(state, batch):
            rngs = {"dropout": jax.random.fold_in(state.key, state.step)}
            loss, grads = jax.value_and_grad(lambda p: cross_entropy(state.apply_fn(p, batch["x"], rngs=rngs),
                                                                     batch["y"]))(state.params)
            return state.apply_gradients(grads=grads), loss

        params = Model().init({"params": jax.random.key(0), "dropout": jax.random.key(1)}, BATCH["x"])
        tx = optax.MultiSteps(optax.inject_hyperparams(optax.adam)(optax.cosine_decay_schedule(1e-2, 9)), 2)
        state = State.create(apply_fn=Model().apply, params=params, tx=tx, key=jax.random.key(2))
        train = ds.jax.data_parallel(step, ranks=2, params="state.params", batch=1)
        *_, (got, loss) = train.run([(state, BATCH)] * 2)
        close((got, loss), step(step(state, BATCH)[0], BATCH))


if __name__ == "__main__":
    unittest.main()
