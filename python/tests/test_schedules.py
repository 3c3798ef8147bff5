"""fit of JAX under schedules that are functions, and trainings that end where nothing gets better."""
import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
import optax

import dstep as ds

RNG = np.random.default_rng(0)
X = RNG.standard_normal((72, 5)).astype(np.float32)
Y = X @ RNG.standard_normal((5, 2)).astype(np.float32)
PARAMS, BATCH = {"w": np.zeros((5, 2), np.float32)}, {"x": X[:8], "y": Y[:8]}
BATCHES = [{"x": X[k:k + 8], "y": Y[k:k + 8]} for k in range(0, 72, 8)]


def step(params, batch, lr):
    value, grads = jax.value_and_grad(lambda params: ((batch["x"] @ params["w"] - batch["y"]) ** 2).mean())(params)
    return {"w": params["w"] - lr * grads["w"]}, value


def made(step=step):
    return ds.jax.data_parallel(step, ranks=2, params=0, batch=1)


def piecewise(number):
    return 0.1 if number < 5 else 0.02


class Schedules(unittest.TestCase):
    def by_hand(self, schedule, batches, epochs):
        params, parallel = PARAMS, made()
        for number in range(epochs * len(batches)):
            params, _ = parallel(params, batches[number % len(batches)], np.float32(schedule(number)))
        return params["w"]

    def test_functions_give_the_rate_of_each_step(self):
        """A loop that gives the same numbers; batches as they come are more than one portion of the schedule has
        steps."""
        schedules = {"python": piecewise, "cosine": optax.cosine_decay_schedule(0.1, 15),
                     "warmup": optax.warmup_cosine_decay_schedule(0.0, 0.1, 4, 15),
                     "pieces": optax.piecewise_constant_schedule(0.1, {4: 0.5, 12: 0.1})}
        for name, schedule in schedules.items():
            for epochs, batches in ((2, BATCHES), (1, BATCHES * 5)):
                with self.subTest(name, epochs=epochs):
                    parallel = made()
                    params, _ = parallel.fit(PARAMS, BATCH, 7.0, data=batches, epochs=epochs, progress="none",
                                             schedule=schedule)
                    expected = self.by_hand(schedule, batches, epochs)
                    # XLA fuses what Optax computes
                    np.testing.assert_allclose(params["w"], expected, rtol=1e-4, atol=1e-6)
                    if schedule is piecewise:
                        np.testing.assert_array_equal(params["w"], expected)
                    self.assertEqual(parallel.position.step, epochs * len(batches))

    def test_arrays_and_a_second_call(self):
        """One step has all samples, in any order. The numbers go on in the next call."""
        whole = [{"x": X, "y": Y}]
        for schedule in (piecewise, {"lr": piecewise}):
            parallel, params = made(), PARAMS
            for _ in range(2):
                params, _ = parallel.fit(params, whole[0], 7.0, data=whole[0], epochs=4, progress="none",
                                         schedule=schedule)
            np.testing.assert_allclose(params["w"], self.by_hand(piecewise, whole, 8), rtol=1e-5)

    def test_the_example_of_the_page(self):
        text = (pathlib.Path(__file__).resolve().parents[2] / "docs/JAX.md").read_text()
        example = next(block for block in re.findall(r"```python\n(.*?)```", text, re.S)
                       if "optax.cosine_decay_schedule" in block)
        found = {"parallel": made(), "params": PARAMS, "batch": BATCH, "lr": 0.1, "data": BATCHES, "optax": optax}
        exec(example.replace("epochs=20", "epochs=20, progress='none'"), found)
        self.assertTrue(4 < len(found["epochs"]) <= 20)

    def test_mistakes(self):
        def fit(schedule, step=step, *more):
            return made(step).fit(PARAMS, BATCH, *(more or (0.1,)), data=BATCHES, progress="none", schedule=schedule)

        two = lambda params, batch, lr, decay: step({"w": params["w"] * decay}, batch, lr)
        for sentence, args in {
                "^schedule= is a float, expected a function of the step's number, or {hyper-parameter: function}$": (
                    0.1,),
                "^schedule= names 'rate', expected one of the step's hyper-parameters lr$": ({"rate": piecewise},),
                "^schedule= has for 'lr' a float, expected a function of the step's number$": ({"lr": 0.1},),
                "^schedule= is one function, but the step has the hyper-parameters lr, decay, expected": (piecewise,
                                                                                                          two, 0.1,
                                                                                                          0.9),
                "^schedule= gives for 'lr' None at step 0, expected a number$": (lambda number: None,)}.items():
            with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                fit(*args)
        plain = ds.jax.data_parallel(lambda params, batch: step(params, batch, 0.1), ranks=2, params=0, batch=1)
        with self.assertRaisesRegex(ValueError, "^schedule= is given, but the step has no hyper-parameter, expected an "
                                    "argument of the step such as a learning rate$"):
            plain.fit(PARAMS, BATCH, data=BATCHES, schedule=piecewise)


class EarlyStopping(unittest.TestCase):
    def fit(self, early_stopping, values=None, **options):
        """The number of epochs; validation= gives `values` one by one."""
        given = iter(values or [])
        validation = {"validation": lambda params: {"val": next(given)}} if values else {}
        return made().fit(PARAMS, BATCH, 0.0, data=BATCHES, epochs=20, early_stopping=early_stopping,
                          **{"progress": "none"} | validation | options)[-1]

    def test_it_ends_where_nothing_gets_better(self):
        for text, values, epochs in (("val,patience=2", [3, 2, 2, 1, 1, 1, 0], 6),
                                     ("val:max,patience=1", [1, 2, 3, 3, 4], 4),
                                     ("val,patience=1,min_delta=0.5", [3, 2, 1.6, 1], 3),
                                     ("val", [1, float("nan"), 2, 2, 0], 4)):
            with self.subTest(text):
                self.assertEqual(len(self.fit(text, values)), epochs)
        self.assertEqual(len(self.fit("loss,min_delta=1e9")), 4)  # the first one is better than none

    def test_it_is_told(self):
        for progress in ("lines", "bar"):
            told = io.StringIO()
            with contextlib.redirect_stderr(told):
                self.fit("val,patience=2", [3, 2, 2, 2], progress=progress)
            self.assertRegex(told.getvalue(), r"early stopping: val was no better than 2.0000 in 2 epochs")

    def test_what_was_counted_survives_a_resumption(self):
        """Two epochs, and the others by another call; a training that has ended does not go on."""
        values = [3, 2, 2, 2, 1, 1]
        with tempfile.TemporaryDirectory() as folder:
            file, rest = f"{folder}/w.safetensors", iter(values)
            train = lambda epochs: made().fit(PARAMS, BATCH, 0.0, data=BATCHES, epochs=epochs,
                                              early_stopping="val,patience=2", progress="none", save=file, resume=True,
                                              validation=lambda params: {"val": next(rest)})[-1]
            self.assertEqual(len(train(3)), 3)
            self.assertEqual([m["val"] for m in train(20)], [3, 2, 2, 2])
            self.assertEqual(len(train(20)), 4)
            self.assertEqual(list(rest), [1, 1])

    def test_mistakes(self):
        for text in (":max", "loss,patience=0", "loss,patience=x", "loss,min_delta=-1", "loss,min_delta=nan", "loss,",
                     "loss,mode=max"):
            with self.subTest(text), self.assertRaisesRegex(ValueError, r"^early_stopping='.*', expected "
                                                            r"METRIC\[:min\|max\]\[,patience=N\]\[,min_delta=D\] with "
                                                            r"N from 1 and D from 0$"):
                self.fit(text)
        with self.assertRaisesRegex(ValueError, r"^early_stopping= names 'los', which is no metric of this training "
                                    r"\(loss\)$"):
            self.fit("los")
        with self.assertRaisesRegex(ValueError, r"^early_stopping= names 'v', which is no metric of this training "
                                    r"\(loss, val\)$"):
            self.fit("v", [1])
        with self.assertRaisesRegex(ValueError, "^early_stopping= is an int, expected a text such as"):
            self.fit(3)


if __name__ == "__main__":
    unittest.main()
