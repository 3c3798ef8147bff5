"""What an exported step of PyTorch says about itself; and what is refused, with the sentence that says so."""
import unittest

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.frontend import FrontendError
from torch_models import ALL


class Case(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)


class Exports(Case):
    def test_names_roles_and_initial_values(self):
        model, optimizer, loss_fn, batches, options = ALL["dropout"]()
        exported = ds.torch.export(model, optimizer, loss_fn, batches[0], **options)
        described = [(a["role"], a["name"]) for a in exported.manifest["args"]]
        self.assertEqual(described[:2], [("param", "0.weight"), ("param", "0.bias")])
        self.assertIn(("state", "0.weight.exp_avg_sq"), described)
        self.assertEqual(described[-4:], [("batch", "x"), ("batch", "y"), ("seed", "seed"), ("hyper", "lr")])
        self.assertEqual([r["role"] for r in exported.manifest["results"]][-3:], ["metric:loss", "metric:accuracy", "metric:grad_norm"])
        np.testing.assert_array_equal(exported.initial_values()["0.weight"], model[0].weight.detach().numpy())

    def test_what_does_not_train_stays(self):
        """A frozen parameter, one that the loss does not use, and one that the optimizer does not hold."""
        model = nn.ModuleDict({name: nn.Linear(3, 3) for name in ("used", "frozen", "unused", "foreign")})
        model["frozen"].requires_grad_(False)
        held = [p for name in ("used", "frozen", "unused") for p in model[name].parameters()]
        loss_fn = lambda model, batch: model["foreign"](model["frozen"](model["used"](batch["x"]))).square().mean()
        exported = ds.torch.export(model, torch.optim.AdamW(held, lr=0.1, weight_decay=0.5), loss_fn, {"x": torch.randn(4, 3)})
        start = exported.initial_values()
        results = next(exported.train([{"x": torch.randn(4, 3)}]))
        for argument, result in zip(exported.manifest["args"], results):
            if argument["role"] == "param":
                changed = not np.array_equal(start[argument["name"]], result)
                self.assertEqual(changed, argument["name"].startswith("used"), argument["name"])
        self.assertFalse([a for a in exported.manifest["args"] if a["name"].startswith("unused") and a["role"] == "state"])


def linear():
    model = nn.Linear(4, 3)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


class Assertions(Case):
    """What a step makes sure of is asked of the example batch, and is no part of it."""

    def export(self, loss_fn):
        model, optimizer = linear()
        self.batch = torch.randn(8, 4), torch.randint(0, 3, (8,))
        return ds.torch.export(model, optimizer, loss_fn, self.batch)

    def test_assertions_leave_no_trace(self):
        def in_range(labels):
            return bool((labels >= 0).all()) and labels.max().item() < 3

        def checked(scores, labels):
            assert in_range(labels), "a label is out of range"
            assert (
                labels.min() >= 0
            ).all() and not torch.equal(labels, labels + 1)
            if not torch.isfinite(scores).all():
                raise ValueError("the scores diverge")
            return F.cross_entropy(scores, labels)

        exported = self.export(checked)
        self.assertEqual(exported.mlir.count("arith.cmpi"), self.export(F.cross_entropy).mlir.count("arith.cmpi"))
        loss = next(exported.train([self.batch]))[-1]
        self.assertTrue(np.isfinite(loss))

    def test_one_that_fails_raises_what_it_raises(self):
        def wrong(scores, labels):
            if labels.max() < 100:
                raise ValueError("the labels are small")
            return F.cross_entropy(scores, labels)

        with self.assertRaisesRegex(ValueError, "the labels are small"):
            self.export(wrong)

    def test_a_condition_that_does_more_is_refused(self):
        def depends(scores, labels):
            if labels.max() < 100:
                scores = scores * 2
            return F.cross_entropy(scores, labels)

        with self.assertRaisesRegex(FrontendError, "asks for the value of a tensor at .*test_torch_export.py"):
            self.assertTrue(self.export(depends))  # nor does it matter who asks for the export
        with self.assertRaisesRegex(FrontendError, "asks for the value of a tensor at .*test_torch_export.py"):
            assert self.export(depends)


class Refusals(Case):
    def refused(self, sentence, model=None, optimizer=None, loss_fn=F.cross_entropy, batch=None, **options):
        plain_model, plain_optimizer = linear()
        model = plain_model if model is None else model
        if optimizer is None:
            optimizer = plain_optimizer if model is plain_model else torch.optim.SGD(model.parameters(), lr=0.1)
        batch = (torch.randn(8, 4), torch.randint(0, 3, (8,))) if batch is None else batch
        with self.assertRaises(FrontendError) as raised:
            ds.torch.export(model, optimizer, loss_fn, batch, **options)
        self.assertRegex(str(raised.exception), sentence)

    def test_model(self):
        self.refused("the model is a function, expected a torch.nn.Module", model=linear, optimizer=linear()[1])
        self.refused("evaluation mode.*call model.train", model=nn.Linear(4, 3).eval())
        self.refused("wrapped in DataParallel", model=nn.DataParallel(nn.Linear(4, 3)))
        self.refused("'weight' has no shape yet", model=nn.LazyLinear(3), optimizer=linear()[1])
        self.refused("no parameter to train", model=nn.Linear(4, 3).requires_grad_(False))
        self.refused("'weight' is torch.complex64", model=nn.Linear(4, 3, dtype=torch.complex64))
        self.refused("'weight' is on meta, expected cpu", model=nn.Linear(4, 3, device="meta"))

    def test_optimizer(self):
        model, _ = linear()
        self.refused("the optimizer is a dict", optimizer={})
        self.refused("LBFGS is not supported: it calls the loss", model, torch.optim.LBFGS(model.parameters()))
        self.refused("differentiable=True", model, torch.optim.Adam(model.parameters(), differentiable=True))
        self.refused("no parameter of the model", model, linear()[1])
        self.refused("no number 'momentun'", hyper=("momentun",))

    def test_batch(self):
        x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
        self.refused("leading sizes of the batch disagree: 'y' has 7, 'x' has 8, which is no multiple", batch=(x, y[:7]))
        self.refused("the batch is a Tensor, expected a dictionary", batch=x)
        self.refused("the batch is empty", batch={})
        self.refused(r"batch\['y'\] is a list", batch=(x, [1]))
        self.refused(r"batch\['y'\] is a scalar", batch=(x, torch.tensor(1)))
        self.refused(r"batch\['x'\] holds no samples: its shape is \(0, ", batch=(x[:0], y[:0]))

    def test_states_of_samples(self):
        norm = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3))
        sgd = torch.optim.SGD(norm.parameters(), lr=0.1)
        self.refused("samples= names 'h', expected one of 1.running_mean, 1.running_var", norm, sgd, samples="h")
        self.refused(r"'1.running_mean' has the shape \(3,\), expected a multiple of the 8 samples", norm, sgd, samples=["1.running_mean"])
        self.refused("apart= names 'z', expected one of x, y", apart="z")
        model, optimizer = linear()
        train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=2, config={"batch": "local"}, samples=["h"])
        with self.assertRaisesRegex(FrontendError, "samples= needs batch=global"):
            train((torch.randn(8, 4), torch.randint(0, 3, (8,))))

    def test_a_hidden_state_holds_samples(self):
        class Leaky(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(4, 3)
                self.register_buffer("h", torch.zeros(8, 3))

            def forward(self, x):
                h = self.h.clone() / 2 + self.layer(x)
                self.h.copy_(h.detach())
                return h

        model = Leaky()
        exported = ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=0.1), F.cross_entropy, (torch.randn(8, 4), torch.randint(0, 3, (8,))),
                                   samples="h")
        self.assertRegex(exported.mlir, r'tensor<8x3xf32> {ds.batch = 0 : i64, ds.state = "h"}')
        self.assertRegex(exported.mlir, r'tensor<8x3xf32> {ds.batch = 0 : i64, ds.updates = "h"}')

    def test_loss(self):
        self.refused("the loss function returned a float", loss_fn=lambda scores, y: 1.0)
        self.refused(r"the loss has the shape \(8,\)", loss_fn=lambda scores, y: F.cross_entropy(scores, y, reduction="none"))
        self.refused("the loss depends on no parameter", loss_fn=lambda scores, y: y.float().mean())
        self.refused("the metric 'all' is", loss_fn=lambda scores, y: (F.cross_entropy(scores, y), {"all": scores}))
        self.refused("the metric 'loss' has a name that ds uses", loss_fn=lambda scores, y: (F.cross_entropy(scores, y), {"loss": scores.sum()}))

    def test_random_numbers_without_a_form(self):
        self.refused("poisson", loss_fn=lambda scores, y: scores.sum() * torch.poisson(torch.ones(3)).sum())

    def test_data_dependent_steps(self):
        self.refused("depends? on the values|asks for the value of a tensor at .*test_torch_export", loss_fn=lambda scores, y: scores[torch.nonzero(y > 1)[:, 0]].mean())
        self.refused("'sort' reads elements that a mask picks, whose number is data", loss_fn=lambda scores, y: scores[y > 1].sort(0)[0].mean())
        self.refused("asks for the value of a tensor at .*test_torch_export.py", loss_fn=lambda scores, y: scores.mean() * float(y.sum()))
        self.refused("linalg_ldl_factor_ex.* has no form in StableHLO", loss_fn=lambda scores, y: scores.sum() + torch.linalg.ldl_factor((scores.mT @ scores).detach())[0].sum())
        self.refused("torch.linalg.eigvals has no form that ds knows: .* those of a symmetric one are torch.linalg.eigh",
                     loss_fn=lambda scores, y: torch.linalg.eigvals(scores.mT @ scores).abs().sum())
        self.refused("torch.bincount has as many counts as the largest value of a batch says", loss_fn=lambda scores, y: scores.sum() + torch.bincount(scores.abs().flatten().long()).sum())

    def test_libraries_that_do_less_when_exported(self):
        class Masked(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(4, 3)

            def forward(self, x):
                mask = None if torch.compiler.is_compiling() else torch.ones(x.shape[0])
                return self.linear(x) * mask[:, None]
        model = Masked()
        ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=0.1), lambda scores, y: scores.square().mean() + y.sum(), (torch.randn(4, 4), torch.randn(4)))

    def test_gradients_that_a_function_writes(self):
        weight = nn.Parameter(torch.ones(4))

        class Writes(torch.autograd.Function):
            @staticmethod
            def forward(context, x):
                return x * 2

            @staticmethod
            def backward(context, gradient):
                weight.grad = gradient.sum(0)
                return gradient

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear, self.weight = nn.Linear(4, 4), weight

            def forward(self, x):
                return Writes.apply(self.linear(x))
        model = Model()
        model.__deepcopy__ = lambda memo: model
        with self.assertRaisesRegex(FrontendError, "the gradient of 'weight' is written by an autograd function of the model"):
            ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=0.1), lambda scores, y: scores.mean() + y.sum(), (torch.randn(4, 4), torch.randn(4)))

    def test_sparse_gradients(self):
        for layer in (nn.Embedding(5, 3, sparse=True), nn.EmbeddingBag(5, 3, sparse=True, mode="sum")):
            model = nn.Sequential(layer, nn.Flatten())
            self.refused("has sparse=True", model, torch.optim.SGD(model.parameters(), lr=0.1), lambda scores, y: scores.sum(),
                         batch=(torch.zeros(4, 2, dtype=torch.int64), torch.zeros(4)))

    def test_buffers_that_are_not_dense_are_not_read(self):
        """Whisper has one, of which its own decoding makes use and its training none."""
        class Held(nn.Linear):
            def __init__(self, buffer, use=lambda heads, x: x):
                super().__init__(4, 3)
                self.register_buffer("heads", buffer, persistent=False)
                self.use = use

            def forward(self, x):
                return super().forward(self.use(self.heads, x))

        def written(heads, x):
            heads.mul_(2)
            return x

        eye, batch = torch.eye(4), (torch.randn(4, 4), torch.randn(4, 3))
        nested = torch.nested.nested_tensor([eye, eye[:2]])
        quantized = [torch.quantize_per_tensor(eye, 0.1, 0, dtype) for dtype in (torch.quint8, torch.qint8, torch.qint32)]
        quantized.append(torch.quantize_per_channel(eye, torch.ones(4), torch.zeros(4), 0, torch.quint8))
        for buffer in (eye.to_sparse(), eye.to_sparse_csr(), eye.to_sparse_bsc((2, 2)), eye.to_mkldnn(), nested, *quantized):
            model = Held(buffer)
            train = ds.torch.data_parallel(model, torch.optim.SGD(model.parameters(), lr=0.1), F.mse_loss, ranks=2)
            train(batch)
            loss = torch.compile(lambda x, y: F.mse_loss(model(x), y), backend="dstep", options={"ranks": 2})(*batch)
            self.assertAlmostEqual(float(loss), train(batch)["loss"], places=6)
            self.assertIs(model.heads, buffer)
        options = {"loss_fn": lambda scores, y: F.mse_loss(scores, y), "batch": batch}
        for buffer in (eye.to_sparse(), eye.to_sparse_csr()):
            read = Held(buffer, lambda heads, x: torch.sparse.mm(heads, x.T).T)
            self.refused(rf"'_sparse_addmm' at .*test_torch_export.py:\d+ reads 'heads', which is {str(buffer.layout)[6:]}, expected dense tensors: its to_dense\(\)", read, **options)
        for buffer in quantized:
            self.refused(rf"'dequantize' at .*test_torch_export.py:\d+ reads 'heads', which is quantized \({str(buffer.dtype)[6:]}\), expected dense tensors: its dequantize\(\)",
                         Held(buffer, lambda heads, x: x @ heads.dequantize()), **options)
        self.refused("'mul_?' at .* reads 'heads', which is sparse_coo", Held(eye.to_sparse(), written), **options)
        model = nn.Linear(4, 3)
        model.weight = nn.Parameter(eye[:3].to_sparse())
        self.refused("the parameter 'weight' is sparse_coo, expected a dense tensor", model, **options)
        self.refused(r"batch\['x'\] is sparse_coo, expected a dense tensor", nn.Linear(4, 3), loss_fn=options["loss_fn"], batch=(batch[0].to_sparse(), batch[1]))

    def test_unknown_operation_is_named_with_its_line(self):
        class Factorised(nn.Linear):
            def forward(self, x):
                found = super().forward(x)
                return found + torch.linalg.ldl_factor_ex((found.mT @ found).detach())[0].sum()

        self.refused(r"'linalg_ldl_factor_ex' at .*test_torch_export.py:\d+ has no form", model=Factorised(4, 3), loss_fn=lambda scores, y: scores.sum())


if __name__ == "__main__":
    unittest.main()
