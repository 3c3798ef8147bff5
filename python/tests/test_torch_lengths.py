"""torch.compile with backend="dstep": shapes that change, and what of them is said by the user's names."""
import gc
import inspect
import unittest
import warnings
import weakref

import numpy as np
import torch
import torch.nn.functional as F

import dstep as ds
import dstep.torch
from dstep.session.run import RunError
from dstep.torch import backend


class Lengths(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()

    def test_no_number_of_shapes_ends_a_training(self):
        """Those of the last calls are kept, with what passes of others that are open need; the memory of others is
        free."""
        model = torch.nn.Sequential(torch.nn.Linear(20, 16), torch.nn.Tanh(), torch.nn.Linear(16, 5))
        compute = torch.compile(model, backend=backend.ds, dynamic=True, options={"ranks": 2, "shapes": 2})
        count, instances = len(backend.compiled), []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for k, size in enumerate((8, 4, 8, 6, 8, 10, 12, 14)):
                x = torch.randn(size, 20)
                found = compute(x)
                instances.append(weakref.ref(backend.compiled[-1].forward.instance))
                if k == 1:
                    held, of_held = found, x  # until its shape is no longer kept
                gradients = [torch.autograd.grad(f.sum(), model.parameters(), retain_graph=k == 1)
                             for f in (found, model(x))]
                for got, expected in zip(*gradients, strict=True):
                    torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)
        texts = [str(w.message) for w in caught if "shapes of its inputs" in str(w.message)]
        self.assertRegex(texts[0], r"called with 3 shapes of its inputs so far, compiled in \d+\.\d s; the 2 of the "
                         r"last calls are kept, .*dstep.torch.padded")
        self.assertRegex(texts[1], "called with 6 shapes")
        self.assertEqual(len(texts), 2)
        self.assertEqual(len(backend.compiled), count + 2)
        alive = lambda: (gc.collect(), len({id(made) for each in instances if (made := each()) is not None}))[1]
        self.assertEqual(alive(), 3)
        for got, expected in zip(torch.autograd.grad(held.sum(), model.parameters()),
                                 torch.autograd.grad(model(of_held).sum(), model.parameters()), strict=True):
            torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)
        del held, found
        self.assertEqual(alive(), 2)

    def test_an_evaluation_has_lengths_of_its_own(self):
        """Dynamo makes a length that changes symbolic; graphs without gradients get it, too, and draw masks where the
        model trains."""
        class Tokens(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.words, self.places, self.head = torch.nn.Embedding(20, 8), torch.nn.Embedding(32,
                                                                                                   8), torch.nn.Linear(
                                                                                                       8, 20)

            def forward(self, tokens):
                tokens = tokens.view(-1, tokens.shape[-1])
                x = self.words(tokens) + self.places(torch.arange(tokens.shape[1]).unsqueeze(0).expand(tokens.shape))
                x = F.scaled_dot_product_attention(x, x, x, is_causal=True)
                return self.head(F.dropout(x, 0.5, self.training))
        model = Tokens()
        compute = torch.compile(model, backend=backend.ds, options={"ranks": 2})
        for mode in ("train", "eval", "masks"):
            model.train(mode != "eval")
            for length in (8, 9, 10):
                tokens = torch.randint(0, 20, (4, length))
                with torch.set_grad_enabled(mode == "train"):
                    found = compute(tokens)
                if mode == "train":
                    found.sum().backward()
                if mode == "eval":
                    torch.testing.assert_close(found, model(tokens))
                else:
                    self.assertFalse(torch.equal(found, compute(tokens)))

    def test_more_ranks_than_samples(self):
        model = torch.nn.Linear(12, 4)
        compute, x = torch.compile(model, backend=backend.ds, options={"ranks": 64}), torch.randn(8, 12)
        with self.assertWarnsRegex(UserWarning, "^a batch of 8 samples runs on 8 of 64 ranks, which divide it; "
                                   "expected a multiple of 64$"):
            found = compute(x)
        self.assertEqual(backend.compiled[-1].ranks, 8)
        torch.testing.assert_close(found, model(x))

    def test_names_and_lines_are_those_of_the_user(self):
        model = torch.nn.Linear(20, 5)

        def loss_of(batch, seed):
            return F.cross_entropy(model(batch["x"]) * seed, batch["labels"])
        x, compute = torch.randn(8, 20), torch.compile(loss_of, backend=backend.ds, options={"ranks": 2})
        compute({"x": x, "labels": torch.zeros(8, dtype=torch.long)}, torch.ones(5)).backward()
        step = backend.compiled[-1].forward.instance
        self.assertEqual({a["name"] for a in step.arguments},
                         {"number of calls", "seed of the call", "model.weight", "model.bias", "batch.x",
                          "batch.labels", "seed"})
        line = inspect.getsourcelines(loss_of)[1] + 1
        self.assertIn(f"{__file__}:{line}", backend.compiled[-1].places.values())
        with self.assertRaisesRegex(RunError, "^'batch.labels' holds 7"):
            compute({"x": x, "labels": torch.full((8,), 7)}, torch.ones(5))

    def test_numbers_that_an_operation_takes_are_constants_of_a_shape(self):
        """Dynamo gives a number that has changed as a tensor, which the slope of leaky_relu and the beta of a loss
        cannot be."""
        model, criterion, x, y = torch.nn.Linear(6, 3), torch.nn.SmoothL1Loss(), torch.randn(8, 6), torch.randn(8, 3)
        compute = torch.compile(lambda x, y, slope: criterion(F.leaky_relu(model(x), slope), y), backend=backend.ds,
                                options={"ranks": 2})
        for beta, slope in ((0.5, 0.1), (1.5, 0.2), (0.7, 0.2), (1.5, 0.2)):
            criterion.beta = beta
            got, expected = compute(x, y, slope), F.smooth_l1_loss(F.leaky_relu(model(x), slope), y, beta=beta)
            torch.testing.assert_close(got, expected)
            torch.testing.assert_close(*(torch.autograd.grad(loss, model.weight)[0] for loss in (got, expected)))

    def test_scalars_of_numpy_that_change(self):
        """Dynamo takes their values by a function of its own; a slope and a size of a shape are constants."""
        model, x = torch.nn.Linear(6, 8), torch.randn(8, 6)
        for function in (lambda h, gain, count: h * float(gain), lambda h, gain, count: h * gain.item(),
                         lambda h, gain, count: h * int(count),
                         lambda h, gain, count: F.leaky_relu(h, float(gain)),
                         lambda h, gain, count: h.reshape(int(count), -1).sum(1)):
            compute = torch.compile(lambda gain, count: function(model(x), gain, count).square().mean(),
                                    backend=backend.ds, options={"ranks": 2})
            for gain, count in ((1.3, 2), (0.4, 4), (2.0, 8)):
                got, expected = compute(np.float64(gain), np.int64(count)), function(model(x), np.float64(gain),
                                                                                     np.int64(count)).square().mean()
                torch.testing.assert_close(got, expected)
                torch.testing.assert_close(*(torch.autograd.grad(loss, model.weight)[0] for loss in (got, expected)))

    def test_padded_batches(self):
        tokens = torch.arange(10).reshape(2, 5) + 1
        padded, mask = ds.torch.padded(tokens, 4, value=-1)
        self.assertEqual(padded.tolist(), [[1, 2, 3, 4, 5, -1, -1, -1], [6, 7, 8, 9, 10, -1, -1, -1]])
        self.assertTrue(torch.equal(padded[mask].reshape(2, 5), tokens))
        images, mask = ds.torch.padded(torch.ones(2, 3, 6, 6), 4, dim=-2)
        self.assertEqual((images.shape, mask.shape, int(images.sum()), int(mask.sum())),
                         ((2, 3, 8, 6), (2, 3, 8), 216, 36))
        whole, mask = ds.torch.padded(tokens, 5)
        self.assertTrue(torch.equal(whole, tokens) and mask.all())


if __name__ == "__main__":
    unittest.main()
