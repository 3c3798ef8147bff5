"""Steps of JAX on GPUs that are not there: their driver executes the PTX."""
import os
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import gpu

import jax
import jax.numpy as jnp
import numpy as np

import dstep as ds
from dstep.base import dlpack
from dstep.training import samples
from dstep.session.run import RunError


def step(params, velocity, batch, lr):
    x, y = batch
    loss, gradient = jax.value_and_grad(lambda p: jnp.mean((jnp.tanh(x @ p["w"] + p["b"]) - y) ** 2))(params)
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, gradient)
    return jax.tree.map(lambda p, v: p - lr * v, params, velocity), velocity, loss


def start(inputs=6, outputs=3, samples=8):
    rng = np.random.default_rng(0)
    params = {"w": jnp.asarray(rng.normal(size=(inputs, outputs)).astype(np.float32)), "b": jnp.zeros(outputs)}
    batches = [(rng.normal(size=(samples, inputs)).astype(np.float32),
                rng.normal(size=(samples, outputs)).astype(np.float32)) for _ in range(4)]
    return params, jax.tree.map(jnp.zeros_like, params), batches


def close(got, expected):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(np.asarray(a), b, rtol=1e-4, atol=1e-6), got, expected)


def trained(train, batches, count=4):
    params, velocity, _ = start()
    for batch in batches[:count]:
        params, velocity, loss = train(params, velocity, batch, 0.1)
    return params, velocity, loss


@unittest.skipUnless(gpu.IS_THERE, "the fake driver is not built")
class OnGpu(unittest.TestCase):
    def expected(self):
        return trained(jax.jit(step), start()[2])

    def test_steps_are_jaxs(self):
        for ranks, device in ((1, "cuda"), (2, "cuda:3"), (2, "cuda:0,1")):
            train = ds.jax.data_parallel(step, ranks=ranks, params=0, state=1, batch=2, device=device)
            self.assertIn(f"device='{device}'", repr(train))
            close(trained(train, start()[2]), self.expected())

    def test_what_a_call_returns_stays_there(self):
        params, velocity, batches = start()
        train = ds.jax.data_parallel(step, ranks=2, params=0, state=1, batch=2, device="cuda")
        first = train(params, velocity, batches[0], 0.1)
        self.assertIsInstance(first[0]["w"], ds.HeldArray)
        self.assertEqual((first[0]["w"].shape, first[0]["w"].dtype, repr(first[0]["w"])),
                         ((6, 3), np.float32, "dstep.HeldArray('params.w', float32[6, 3], cuda:0)"))
        np.testing.assert_allclose(jnp.sum(jnp.asarray(first[0]["w"])), np.asarray(first[0]["w"]).sum(), rtol=1e-6)
        kept = np.asarray(first[0]["w"])
        second = train(first[0], first[1], batches[1], 0.1)
        with self.assertRaisesRegex(RunError, "'params.w' is what step 1 has returned, and a later step has written "
                                    "its memory"):
            np.asarray(first[0]["w"])
        self.assertFalse(np.array_equal(kept, np.asarray(second[0]["w"])))
        np.testing.assert_array_equal(np.asarray(train.parameters()["params.w"]), np.asarray(second[0]["w"]))
        self.assertEqual(sorted(train.states()), ["velocity.b", "velocity.w"])
        # Values from elsewhere are copied in.
        again = train(params, velocity, batches[0], 0.1)
        np.testing.assert_array_equal(np.asarray(again[0]["w"]), kept)

    def test_jit_donates(self):
        params, velocity, batches = start()
        train = ds.jax.jit(step, donate_argnums=(0, 1), batch=2, ranks=2, device="cuda")
        given = params["w"]
        for batch in batches:
            params, velocity, loss = train(params, velocity, batch, 0.1)
        self.assertTrue(given.is_deleted())
        close((params, velocity, loss), self.expected())

    def test_a_function_that_updates_nothing(self):
        forward = ds.jax.jit(lambda p, x: jnp.tanh(x @ p), device="cuda")
        x, p = np.ones((4, 6), np.float32), np.full((6, 3), 0.1, np.float32)
        np.testing.assert_allclose(forward(p, x), np.tanh(x @ p), rtol=1e-5)

    def test_fit_has_the_bits_of_steps_one_by_one(self):
        params, velocity, _ = start(64, 64)
        rng = np.random.default_rng(1)
        x, y = (rng.normal(size=(1024, 64)).astype(np.float32) for _ in range(2))
        for ranks in (1, 2):
            args, options = (params, velocity, (x[:512], y[:512]), 0.1), {"ranks": ranks, "params": 0, "state": 1,
                                                                          "batch": 2, "device": "cuda:0"}
            fitting = ds.jax.data_parallel(step, **options)
            new, momentum, epochs = fitting.fit(*args, data={"0": x, "1": y}, epochs=2, seed=3, progress="none")
            self.assertEqual(len(epochs), 2)
            # 512 samples of 512 bytes are copied beside the step before; what each step has got is given to another
            # one, which copies it first.
            ahead, first = (ds.jax.data_parallel(step, **options) for _ in range(2))
            made = ahead.exported(args)
            instance = ahead.runner.instance(made)
            for slot, leaf in enumerate(made.flatten(args)):
                instance.write(slot, np.asarray(leaf, np.float32))
            data, described = samples.Data(instance, {"0": x, "1": y}, seed=3), [a["name"] for a in instance.arguments]
            held = params, velocity
            for number in range(4):
                data.run(number)
                batch = tuple(instance.read(described.index(name)) for name in ("0", "1"))
                self.assertNotEqual(batch[0].tobytes(), x[:512].tobytes())
                held = first(*held, batch, 0.1)[:2]
            data.close()
            for name, value in first.parameters().items():
                np.testing.assert_array_equal(instance.read(described.index(name)), np.asarray(value))
            np.testing.assert_array_equal(np.asarray(new["w"]), np.asarray(held[0]["w"]))

    def test_many_steps_in_one_call_have_the_bits_of_single_ones(self):
        params, velocity, batches = start()
        for ranks in (1, 2):
            one, many = (ds.jax.data_parallel(step, ranks=ranks, params=0, state=1, batch=2, device="cuda")
                         for _ in range(2))
            expected = trained(one, batches)
            given = [(params, velocity, tuple(np.array(value) for value in batch), 0.1) for batch in batches]
            # each batch goes to the GPU while the step before computes
            losses = [float(results[2]) for results in many.run(given)]
            self.assertEqual(losses[-1], float(expected[2]))
            for name, value in one.parameters().items():
                np.testing.assert_array_equal(np.asarray(many.parameters()[name]), np.asarray(value))
            self.assertEqual(len(set(losses)), 4)

    def test_a_batch_of_the_gpu_is_taken_where_it_is(self):
        for ranks in (1, 2, 4):
            train = ds.jax.data_parallel(step, ranks=ranks, params=0, state=1, batch=2, device="cuda:1")
            on_gpu = [tuple(gpu.Array(value, device=1) for value in batch) for batch in start()[2]]
            close(trained(train, on_gpu), self.expected())
            same = ds.jax.data_parallel(step, ranks=ranks, params=0, state=1, batch=2, device="cuda:1")
            for got, other in zip(jax.tree.leaves(trained(train, on_gpu)), jax.tree.leaves(trained(same, start()[2]))):
                np.testing.assert_array_equal(np.asarray(got), np.asarray(other))
            asked = [stream for batch in on_gpu for array in batch for stream in array.streams]
            self.assertTrue(any(stream > 2 for stream in asked), asked)  # that of the ranks

    def test_a_batch_of_another_gpu_is_refused(self):
        params, velocity, batches = start()
        train = ds.jax.data_parallel(step, ranks=2, params=0, state=1, batch=2, device="cuda:0,1")
        with self.assertRaisesRegex(RunError, r"'0' lies on GPU 1, but rank 0 computes on GPU 0; expected a value "
                                    r"there, or on the host"):
            train(params, velocity, tuple(gpu.Array(value, device=1) for value in batches[0]), 0.1)
        one = ds.jax.data_parallel(step, ranks=1, params=0, state=1, batch=2, device="cuda")
        with self.assertRaisesRegex(RunError, "'1' lies on GPU 0 with gaps or in another order of its dimensions, "
                                    "expected a dense array"):
            one(params, velocity, (batches[0][0], gpu.Array(batches[0][1], strides=(1, 8))), 0.1)

    def test_capsules_have_the_devices_address(self):
        params, velocity, batches = start()
        train = ds.jax.data_parallel(step, ranks=1, params=0, state=1, batch=2, device="cuda:2")
        w = train(params, velocity, batches[0], 0.1)[0]["w"]
        self.assertEqual(w.__dlpack_device__(), (dlpack.CUDA, 2))
        for stream in (None, 1, 2, -1):
            given = dlpack.Given(w, stream)
            self.assertEqual((given.device, given.shape, given.dtype, given.is_dense),
                             ((2, 2), (6, 3), np.float32, True))
            np.testing.assert_array_equal(gpu.Driver().read(given.address, (6, 3), np.float32, device=2), np.asarray(w))
        del given
        self.assertEqual(dlpack._given, {})  # each capsule that nobody took
        for stream in (0, -2, True, "s"):
            with self.assertRaisesRegex(BufferError, "names no stream of CUDA"):
                w.__dlpack__(stream=stream)
        with self.assertRaisesRegex(BufferError, r"'params.w' lies on device \(2, 2\), expected that one, or the CPU"):
            w.__dlpack__(dl_device=(2, 0))
        with self.assertRaisesRegex(BufferError, "where ds makes no copies"):
            w.__dlpack__(copy=True)

        class OnHost:  # a consumer that wants it there
            __dlpack_device__ = staticmethod(lambda: (1, 0))
            __dlpack__ = staticmethod(lambda **options: w.__dlpack__(dl_device=(1, 0),
                                                                     max_version=options.get("max_version")))

        np.testing.assert_array_equal(np.from_dlpack(OnHost()), np.asarray(w))

    def test_refusals(self):
        for device in ("gpu", "cuda:", "cuda:x", "hip"):
            with self.assertRaisesRegex(ValueError, f"device='{device}', expected 'cpu', 'cuda', or 'cuda' with "
                                        "numbers of GPUs"):
                ds.jax.data_parallel(step, ranks=1, params=0, state=1, batch=2, device=device)
        params, velocity, batches = start()
        with self.assertRaisesRegex(RunError, "there is no GPU 9: this machine has 8, numbers 0 to 7"):
            ds.jax.data_parallel(step, ranks=1, params=0, state=1, batch=2, device="cuda:9")(params, velocity,
                                                                                             batches[0], 0.1)


if __name__ == "__main__":
    unittest.main()
