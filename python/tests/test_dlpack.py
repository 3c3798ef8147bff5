"""DLPack in and out of steps on the CPU: with NumPy, JAX or PyTorch at the other end, whichever is there."""
import gc
import importlib.util
import os
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import ml_dtypes
import numpy as np

from dstep.base import dlpack
from dstep.base.errors import RunError

IS_THERE = {name: importlib.util.find_spec(name) is not None for name in ("jax", "torch")}


class Memory:
    """An array that DLPack alone reads; `form` is what it speaks."""

    def __init__(self, value, form="versioned"):
        self.value, self.form, self.shape, self.dtype = np.ascontiguousarray(value), form, value.shape, value.dtype

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **options):
        if self.form == "old" and "max_version" in options:
            raise TypeError("no such option")
        return dlpack.capsule(self.value.ctypes.data, (1, 0), self.dtype, self.shape, self,
                              options.get("max_version") is not None)


class Capsules(unittest.TestCase):
    def consumers(self):
        yield "numpy", np.from_dlpack
        if IS_THERE["torch"]:
            import torch
            yield "torch", lambda value: torch.from_dlpack(value).numpy()
        if IS_THERE["jax"]:
            import jax
            yield "jax", lambda value: np.asarray(jax.dlpack.from_dlpack(value))

    def test_others_read_them(self):
        for name, read in self.consumers():
            for form in ("versioned", "old"):
                for dtype in (np.float32, np.float64, np.int32, np.int8, np.bool_, np.uint16):
                    if name == "jax" and dtype is np.float64:  # which JAX narrows
                        continue
                    for shape in ((3, 4), (), (5,), (2, 1, 3)):
                        value = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 3).astype(dtype)
                        with self.subTest(name, form=form, dtype=dtype, shape=shape):
                            found = read(Memory(value, form))
                            self.assertEqual((found.dtype, found.shape), (value.dtype, value.shape))
                            np.testing.assert_array_equal(found, value)
        del found
        gc.collect()
        self.assertEqual(dlpack._given, {})  # all of them have been given back

    def test_they_read_others(self):
        value = np.arange(12, dtype=np.float32).reshape(3, 4)
        given = [value, Memory(value), Memory(value, "old")]
        if IS_THERE["torch"]:
            import torch
            given.append(torch.from_numpy(value))
        if IS_THERE["jax"]:
            import jax
            given.append(jax.numpy.asarray(value))
        for each in given:
            found = dlpack.Given(each)
            self.assertEqual((found.device, found.shape, found.dtype, found.is_dense),
                             ((1, 0), (3, 4), np.float32, True))
            np.testing.assert_array_equal(found.array(), value)
        self.assertEqual(dlpack.Given(value).address, value.ctypes.data)
        self.assertEqual(dlpack.Given(value[1:]).address, value[1:].ctypes.data)
        self.assertFalse(dlpack.Given(value.T).is_dense)
        with self.assertRaisesRegex(RunError, "an array that is read by DLPack has gaps or another order of its "
                                    "dimensions"):
            dlpack.Given(value.T).array()

    def test_bfloat16(self):
        value = np.arange(4).astype(ml_dtypes.bfloat16)
        np.testing.assert_array_equal(dlpack.Given(Memory(value)).array(), value)
        if IS_THERE["torch"]:
            import torch
            self.assertEqual(torch.from_dlpack(Memory(value)).dtype, torch.bfloat16)

    def test_what_is_none_is_refused(self):
        class Wrong:
            __dlpack_device__ = staticmethod(lambda: (1, 0))
            __dlpack__ = staticmethod(lambda **options: 7)

        with self.assertRaisesRegex(RunError, r"Wrong.__dlpack__ returns no capsule that is called dltensor"):
            dlpack.Given(Wrong())

        class Elsewhere(Memory):
            def __dlpack_device__(self):
                return 10, 3

        with self.assertRaisesRegex(RunError, r"Elsewhere lies on device \(10, 3\), expected the CPU, or the GPU that "
                                    r"ranks compute on"):
            dlpack.on_host(Elsewhere(np.ones(3)))
        self.assertFalse(dlpack.is_on_gpu(Elsewhere(np.ones(3))))


class StepsOfJax(unittest.TestCase):
    def test_batches_and_parameters(self):
        import jax
        import jax.numpy as jnp

        import dstep as ds

        def step(params, batch):
            x, y = batch
            loss, gradient = jax.value_and_grad(lambda p: jnp.mean((x @ p - y) ** 2))(params)
            return params - 0.1 * gradient, loss

        rng = np.random.default_rng(0)
        x, y, p = (rng.normal(size=size).astype(np.float32) for size in ((8, 3), (8,), (3,)))
        for ranks in (1, 2):
            train = ds.jax.data_parallel(step, ranks=ranks, params=0, batch=1)
            with self.assertRaisesRegex(RunError, "hold nothing yet"):
                train.parameters()
            params, loss = train(jnp.asarray(p), (Memory(x), Memory(y, "old")))
            np.testing.assert_allclose(loss, jax.jit(step)(p, (x, y))[1], rtol=1e-5)
            held = train.parameters()["params"]
            self.assertEqual(held.__dlpack_device__(), (1, 0))
            view = np.from_dlpack(held)
            np.testing.assert_array_equal(view, params)
            params, _ = train(params, (Memory(x), Memory(y)))
            np.testing.assert_array_equal(view, params)  # it is the ranks' memory
            np.testing.assert_array_equal(jax.dlpack.from_dlpack(held), params)
            copy = np.from_dlpack(held, copy=True)
            train(params, (x, y))
            self.assertFalse(np.array_equal(copy, view))
            with self.assertRaisesRegex(BufferError, "which has no streams, got stream=1"):
                held.__dlpack__(stream=1)
            # A parameter of one step as that of another.
            np.testing.assert_allclose(train(held, (x, y))[1], jax.jit(step)(np.asarray(held), (x, y))[1], rtol=0.5)


if __name__ == "__main__":
    unittest.main()
