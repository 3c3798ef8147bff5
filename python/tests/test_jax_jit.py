"""ds.jax.jit: a step that is called as what jax.jit gives, with donated arguments."""
import gc
import os
import pathlib
import threading
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

import dstep as ds
from dstep.frontend import FrontendError


def step(params, velocity, batch, lr):
    x, y = batch
    loss, gradient = jax.value_and_grad(lambda p: jnp.mean((jnp.tanh(x @ p["w"] + p["b"]) - y) ** 2))(params)
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, gradient)
    return jax.tree.map(lambda p, v: p - lr * v, params, velocity), velocity, loss


def start(inputs=200, outputs=150):
    """Parameters of which one is larger than what is copied with others, and batches."""
    rng = np.random.default_rng(0)
    params = {"w": jnp.asarray(rng.normal(size=(inputs, outputs)).astype(np.float32) / 9), "b": jnp.zeros(outputs)}
    batches = [(rng.normal(size=(8, inputs)).astype(np.float32), rng.normal(size=(8, outputs)).astype(np.float32)) for _ in range(5)]
    return params, jax.tree.map(jnp.zeros_like, params), batches


def close(got, expected):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6), got, expected)
    assert jax.tree.map(lambda a: (a.dtype, a.shape), got) == jax.tree.map(lambda a: (a.dtype, a.shape), expected)


class Jit(unittest.TestCase):
    def test_a_donating_step_is_that_of_jax(self):
        for ranks, sizes in ((1, (200, 150)), (2, (200, 150)), (2, (600, 500))):  # these are copied one by one
            params, velocity, batches = start(*sizes)
            expected = jax.jit(step, donate_argnums=(0, 1))
            theirs = jax.tree.map(jnp.copy, (params, velocity))
            train = ds.jax.jit(step, donate_argnums=(0, 1), batch=2, ranks=ranks)
            for batch in batches:
                given = params, velocity
                params, velocity, loss = train(params, velocity, batch, 0.05)
                *theirs, wanted = expected(*theirs, batch, 0.05)
                close((params, velocity, loss), (*theirs, wanted))
                for leaf in jax.tree.leaves(given):
                    self.assertTrue(leaf.is_deleted())
                    with self.assertRaisesRegex(RuntimeError, "deleted"):
                        np.asarray(leaf)
                self.assertTrue(all(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves((params, velocity, loss))))
            with self.assertRaisesRegex(RuntimeError, "deleted"):
                train(*given, batches[0], 0.05)
            close(train(params, velocity, batches[0], 0.05), expected(*theirs, batches[0], 0.05))

    def test_results_that_hold_an_entry_per_sample(self):
        """In any dimension, beside results that look as the state does; nobody has to name them."""
        def rows(state, x, k):
            a, b = state["a"], state["b"]
            y = x @ jnp.outer(a, b)
            return (y, y.T * k, y), {"a": b, "b": a - (x.mean(0) * k)}, (x.sum(), jnp.argmax(y, 1))
        for ranks in (1, 2, 4):
            state, theirs = ({"a": jnp.arange(3.0), "b": jnp.ones(3)} for _ in range(2))
            train, expected = ds.jax.jit(rows, donate_argnums=0, batch=1, ranks=ranks), jax.jit(rows)
            called = ds.jax.data_parallel(rows, params=0, batch=1, ranks=ranks)
            self.assertEqual(called.plan(state, np.ones((8, 3), np.float32), 2.0).ranks, ranks)
            for k in range(3):
                x = np.random.default_rng(k).normal(size=(8, 3)).astype(np.float32)
                wanted = expected(theirs, x, 0.5)
                close(called(theirs, x, 0.5), wanted)
                close(train(state, x, 0.5), wanted)
                state, theirs = jax.tree.map(jnp.copy, wanted[1]), wanted[1]

    def test_small_results_of_all_types_of_four_bytes(self):
        """They are cut from one piece of memory."""
        def counted(params, count, x):
            return jax.tree.map(lambda p: p + x.sum(), params), {"n": count["n"] + 1, "bits": count["bits"] ^ jnp.uint32(0x80000001)}, (x.max(), params["w"][1, :1])
        params, count = {"w": jnp.arange(6.0).reshape(2, 3)}, {"n": jnp.int32(3), "bits": jnp.full(5, 0xF0000000, jnp.uint32)}
        theirs = jax.tree.map(jnp.copy, (params, count))
        train, expected = ds.jax.jit(counted, donate_argnums=(0, 1), batch=2), jax.jit(counted)
        for k in range(3):
            x = np.full(4, k, np.float32)
            params, count, more = train(params, count, x)
            *theirs, wanted = expected(*theirs, x)
            close((params, count, more), (*theirs, wanted))

    def test_the_memory_of_what_is_donated_is_used_again(self):
        params, velocity, batches = start()
        train = ds.jax.jit(step, donate_argnums=(0, 1), batch=2)
        params, velocity, _ = train(params, velocity, batches[0], 0.05)
        before = [leaf.unsafe_buffer_pointer() for leaf in jax.tree.leaves((params, velocity))]
        for batch in batches:
            params, velocity, _ = train(params, velocity, batch, 0.05)
        self.assertEqual(sorted(before), sorted(leaf.unsafe_buffer_pointer() for leaf in jax.tree.leaves((params, velocity))))

    def test_what_numpy_looks_at_stays_as_it_was(self):
        params, velocity, batches = start()
        train = ds.jax.jit(step, donate_argnums=(0, 1), batch=2, ranks=2)
        seen = []
        for batch in batches:
            params, velocity, loss = train(params, velocity, batch, 0.05)
            seen += [(np.asarray(leaf), np.array(leaf)) for leaf in jax.tree.leaves((params, velocity, loss))]
        for view, copy in seen:
            np.testing.assert_array_equal(view, copy)

    def test_values_from_elsewhere_are_taken(self):
        params, velocity, batches = start()
        kept = jax.tree.map(np.array, (params, velocity))
        train = ds.jax.jit(step, donate_argnames=("params", "velocity"), batch="batch", ranks=2)
        first = train(params, velocity, batches[0], 0.05)
        first = jax.tree.map(np.array, first)
        again = train(*kept, batches[0], 0.05)  # arrays of NumPy, which nobody can delete
        jax.tree.map(np.testing.assert_array_equal, again, first)
        jax.tree.map(np.testing.assert_array_equal, kept, jax.tree.map(np.array, start()[:2]))
        other = {"w": again[0]["w"] + 1, "b": again[0]["b"]}
        close(train(jax.tree.map(jnp.copy, other), again[1], batches[1], 0.01)[2], step(other, kept[1], batches[1], 0.01)[2])

    def test_a_train_state_of_flax_is_donated(self):
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(nn.relu(nn.Dense(16)(x)))

        net = Net()
        rng = np.random.default_rng(1)
        batches = [{"x": rng.normal(size=(12, 5)).astype(np.float32), "y": rng.integers(0, 3, 12, np.int32)} for _ in range(4)]

        def train(state, batch):
            def loss_of(params):
                return optax.softmax_cross_entropy_with_integer_labels(state.apply_fn({"params": params}, batch["x"]), batch["y"]).mean()
            loss, gradients = jax.value_and_grad(loss_of)(state.params)
            return state.apply_gradients(grads=gradients), loss

        made = lambda: train_state.TrainState.create(apply_fn=net.apply, params=net.init(jax.random.key(0), batches[0]["x"])["params"], tx=optax.adam(0.01))
        for ranks in (1, 2):
            ours, theirs = made(), made()
            fast, slow = ds.jax.jit(train, donate_argnums=0, batch=1, ranks=ranks), jax.jit(train)
            for batch in batches:
                ours, loss = fast(ours, batch)
                theirs, wanted = slow(theirs, batch)
                close(loss, wanted)
            close(ours.params, theirs.params)
            self.assertEqual(int(ours.step), 4)
            roles = {a["name"]: a["role"] for a in next(iter(fast.exports.values())).manifest["args"]}
            self.assertEqual((roles["state.params.Dense_0.kernel"], roles["state.opt_state.0.mu.Dense_0.kernel"], roles["state.step"]), ("param", "state", "state"))

    def test_results_of_one_structure_are_told_apart_by_type(self):
        def through(state, x, k):
            y = x - x
            return (y, y + k, y), (state[1], state[2], state[0]), x.sum()

        for ranks in (1, 2):
            train = ds.jax.jit(through, donate_argnums=0, batch=1, ranks=ranks, samples={"0": 0, "1": 0, "2": 0})
            got = tuple(jnp.arange(3.0) + 10 * i for i in range(3))
            expected = jax.tree.map(np.array, got)
            for k in range(3):
                rows, got, total = train(got, jnp.ones((8, 3)) * k, 1.5)
                wanted, expected, wanted_total = through(expected, np.ones((8, 3), np.float32) * k, 1.5)
                close((rows, got, total), (wanted, expected, wanted_total))
        state, x = (jnp.zeros(3),), jnp.ones((8, 3))
        with self.assertRaisesRegex(FrontendError, r"results 1, 2 could each be the new value of 'state'; results=\('state', 'loss', \.\.\) names them"):
            ds.jax.jit(lambda state, x: (x.sum(), state, (state[0] + 1,)), donate_argnums=0, batch=1)(state, x)
        with self.assertRaisesRegex(FrontendError, r"'state.0' is float32\[3\] but its new value is float32\[8,3\]; .*, for which result 0 is taken \(results= names another\)"):
            ds.jax.jit(lambda state, x: ((state[0] * x,), x.sum()), donate_argnums=0, batch=1)(state, x)

    def test_what_is_no_step_runs_on_one_device(self):
        function = ds.jax.jit(lambda tree, n: {"sum": tree["a"] + tree["b"] * n, "sorted": jnp.sort(tree["b"])})
        tree = {"a": np.arange(6, dtype=np.float32), "b": np.array([3, 1, 2, 5, 4, 0], np.float32)}
        for n in (2.0, 3.0):
            close(function(tree, n), jax.jit(function.step)(tree, n))
        whole = ds.jax.jit(lambda x: (x, x, jnp.argmax(x), x > 1))
        close(whole(np.arange(4, dtype=np.uint32)), jax.jit(whole.step)(np.arange(4, dtype=np.uint32)))
        key = ds.jax.jit(lambda key: jax.random.split(key)[0])(jax.random.key(3))
        self.assertEqual(jax.random.key_data(key).tolist(), jax.random.key_data(jax.random.split(jax.random.key(3))[0]).tolist())

    def test_calls_do_not_grow(self):
        resident = lambda: int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024
        params, velocity, batches = start(20, 8)
        batch = batches[0]
        train = ds.jax.jit(step, donate_argnums=(0, 1), batch=2)
        for count in (500, 3000):
            gc.collect()
            before = resident()
            for _ in range(count):
                params, velocity, _ = train(params, velocity, batch, 0.01)
        self.assertLess(resident() - before, 1024)

    def test_threads_call_in_turn(self):
        """Each trains a model of its own with the same function, as with jax.jit."""
        expected, trained, batches = jax.jit(step), {}, start()[2] * 4
        donating = ds.jax.jit(step, donate_argnums=(0, 1), batch=2, ranks=2)
        plain = ds.jax.data_parallel(step, params=0, state=1, batch=2, ranks=2)

        def train(name, function, params, velocity):
            for batch in batches:
                params, velocity, _ = function(params, velocity, batch, 0.05)
            trained[name] = params, velocity

        def model(number):
            params, velocity, _ = start()
            return jax.tree.map(lambda p: p + 0.01 * number, params), velocity

        for function in (donating, plain):
            threads = [threading.Thread(target=train, args=(number, function, *model(number))) for number in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for number in range(3):
                train("alone", expected, *model(number))
                close(trained.pop(number), trained["alone"])

    def test_mistakes(self):
        params, velocity, batches = start(20, 8)
        with self.assertRaisesRegex(ValueError, "nothing is donated, so the function updates nothing and runs on one device"):
            ds.jax.jit(step, ranks=2)
        with self.assertRaisesRegex(FrontendError, "batch= is missing: it names the arguments"):
            ds.jax.jit(step, donate_argnums=0, ranks=2)
        with self.assertRaisesRegex(FrontendError, "the donated argument 7 is none of the step's 4: params, velocity, batch, lr"):
            ds.jax.jit(step, donate_argnums=7)(params, velocity, batches[0], 0.1)
        with self.assertRaisesRegex(FrontendError, "the donated argument 'weights' is none of the step's 4"):
            ds.jax.jit(step, donate_argnames="weights")(params, velocity, batches[0], 0.1)
        with self.assertRaisesRegex(FrontendError, "donate_argnums= holds -1, expected positions of arguments from 0 on"):
            ds.jax.jit(step, donate_argnums=-1)
        with self.assertRaisesRegex(FrontendError, "params= is not an option of jit"):
            ds.jax.jit(step, donate_argnums=0, params=0)
        with self.assertRaisesRegex(FrontendError, "no result has the structure of 'batch', so its new value is unknown"):
            ds.jax.jit(step, donate_argnums=(0, 1, 2))(params, velocity, batches[0], 0.1)
        with self.assertRaisesRegex(FrontendError, "arguments of the step are given in their order, got lr by name"):
            ds.jax.jit(step, donate_argnums=(0, 1))(params, velocity, batches[0], lr=0.1)
        self.assertFalse(any(leaf.is_deleted() for leaf in jax.tree.leaves((params, velocity))))


if __name__ == "__main__":
    unittest.main()
