"""What a mask picks, against PyTorch, and in a step on ranks."""
import unittest

import torch
import torch.nn.functional as F
from torch import nn

from torch.fx.experimental.proxy_tensor import make_fx

from dstep.frontend import FrontendError
from dstep.torch import decompositions
from dstep.torch.base import graph
from dstep.torch.functions import StepFunctions

TABLE = decompositions.table()
EQUAL = {
    "mean": lambda x, y, z, m: (x[m] - y[m]).square().mean(),
    "sum of the loss": lambda x, y, z, m: F.l1_loss(x, y, reduction="none")[m].sum(),
    "mse": lambda x, y, z, m: F.mse_loss(x[m], y[m]),
    "huber": lambda x, y, z, m: F.huber_loss(x[m], y[m], reduction="sum"),
    "binary": lambda x, y, z, m: F.binary_cross_entropy_with_logits(x[m], (y[m] > 0).float()),
    "none": lambda x, y, z, m: F.smooth_l1_loss(x[m], y[m], reduction="none").mean(),
    "divergence": lambda x, y, z, m: F.kl_div(x[m].log_softmax(-1), y[m].softmax(-1), reduction="batchmean"),
    "classes": lambda x, y, z, m: F.cross_entropy(x[m], z[m]),
    "views": lambda x, y, z, m: F.cross_entropy(x.view(-1, 5)[m.view(-1)], z.view(-1)[m.view(-1)]),
    "smoothed, summed": lambda x, y, z, m: nn.CrossEntropyLoss(reduction="sum", label_smoothing=0.1)(x[m].view(-1, 5),
                                                                                                     z[m].view(-1)),
    "roots": lambda x, y, z, m: torch.where(m.unsqueeze(-1), x.abs(), 0)[m].sqrt().log().mean(),
    "rows": lambda x, y, z, m: (2 * x[m].sum(-1) + x[m].mean(dim=1)).square().sum() / m.sum(),
    "columns": lambda x, y, z, m: (x[m].mean(0) - y[m].sum(0)).square().sum(),
    "numel": lambda x, y, z, m: -x[m].pow(2).sum() / x[m].numel(),
    "scores of classes": lambda x, y, z, m: -x.log_softmax(-1)[m].gather(1, z[m].unsqueeze(1)).squeeze(1).mean(),
    "column": lambda x, y, z, m: (x[m][:, 1] * y[m][..., 2]).exp().mean(),
    "masked_select": lambda x, y, z, m: torch.masked_select(x, y > 0).mean() + x.masked_select(m.unsqueeze(-1)).sum(),
    "elements": lambda x, y, z, m: (x[y > 0] - y[y > 0]).abs().mean(),
    "layers": lambda x, y, z, m: F.gelu(F.linear(x[m], y[0, :, :], y[1, :3, 0])).square().mean(),
    "norms": lambda x, y, z, m: (F.layer_norm(x[m], (5,), y[0, 0]) * F.embedding(z[m], y[0, 0].diag())).square().mean(),
    "loss by hand": lambda x, y, z, m: (1 - x[m].sigmoid()).clamp(min=1e-3).log().neg().mean(),
}
REDUCED = {
    "shared": lambda x, y, z, m: ((x[m] - y[m]).square().sum(-1).sqrt() * x[0, 0, 0].exp()).mean(),
    "least": lambda x, y, z, m: x[m].min() + x[m].amin(0).sum() + x[m].min(dim=0).values.sum()
    + x[m].min(dim=-1)[0].mean(),
    "greatest": lambda x, y, z, m: x[m].max() * x[m].amax() + torch.max(x[m], 0)[0].square().sum()
    + torch.max(x[m], y[m]).sum() + x[m].max(0, keepdim=True)[0].sum(),
    "where it is greatest": lambda x, y, z, m: x[m].sum()
    * (x[m][:, 0].argmax() + x[m].max(0).indices.sum() + x[m].argmin(1).sum()),
    "deviation": lambda x, y, z, m: x[m].std() + x[m].var(0).sum() + x[m].std(0, unbiased=False).sum()
    + torch.var(x[m], correction=0) + x[m].var(True) + x[m].std(-1).sum(),
    "norm": lambda x, y, z, m: x[m].norm() + x[m].norm(2) + x[m].norm(dim=-1).sum() + torch.linalg.vector_norm(x[m], 1)
    + torch.linalg.norm(x[m][:, 0]) + x[m].norm(3, 0).sum(),
    "product": lambda x, y, z, m: x[m].prod() + x[m].prod(0).sum() + x[m].cumsum(0).square().mean()
    + x[m].cumprod(0).sum(),
    "middle": lambda x, y, z, m: x[m].median() + x[m][:, 1].median() + torch.median(x[m][:, 2] * 2),
    "logsumexp": lambda x, y, z, m: torch.logsumexp(x[m], 0).sum() + x[m][:, 0].logsumexp(0)
    + (x[m].softmax(0) * y[m]).sum() + (x[m].log_softmax(dim=0) * y[m]).mean(),
    "any": lambda x, y, z, m: x[m].sum() * ((x[m] > 1).any() + (x[m] > -9).all() + torch.count_nonzero(x[m] > 0)
                                            + (x[m] > 1).any(0).sum()),
    "angles": lambda x, y, z, m: (x[m].tanh().acos() + x[m].sigmoid().asin() + torch.atan2(x[m], y[m])
                                  + (x[m].square() + 1.5).acosh() + x[m].erf().atanh()).mean(),
    "pairs": lambda x, y, z, m: F.cosine_similarity(x[m], y[m]).mean() + F.normalize(x[m], dim=-1).mean()
    + F.pairwise_distance(x[m], y[m]).sum(),
    "parts": lambda x, y, z, m: sum((k + 1) * part.sum() for k, part in enumerate(x[m].unbind(-1)))
    + x[m].chunk(2, dim=1)[0].square().mean() + x[m].flip(-1)[:, 0].sum(),
    "joined": lambda x, y, z, m: torch.cat([x[m], y[m]], -1).square().mean() + torch.cat([x[m], y[~m]]).exp().mean()
    + torch.stack([x[m][:, 0], y[m][:, 1]], 1).prod(-1).sum(),
    "shape": lambda x, y, z, m: x[m].sum() / x[m].shape[0] + x[m].abs().sum() / x[m].size(0) / x[m].shape[1]
    + x[m].view(x[m].shape[0], 1, -1).mean(),
    "column of rows": lambda x, y, z, m: x[m, 1].mean() + x[m, 1:3].square().sum() + x[m, ..., 0].mean(),
    "product with a matrix": lambda x, y, z, m: (x[m] @ y[0].T).square().mean(),
    "changed": lambda x, y, z, m: changed(x[m]).mean(),
    "whole": lambda x, y, z, m: x[m].reshape(-1).square().mean() + x[m].flatten().sum()
    + x[m].float().view(-1, 5).sum(),
}


def changed(part):
    part = part * 2
    part.mul_(3)
    part += 1
    return part.relu_()


EQUAL |= REDUCED


def written(x, y, z, m):
    result = torch.zeros(4, 3, 2)
    result[m] = F.linear(x[m], y[0, :2])
    result[m] *= 3
    return result.square().sum()


EQUAL["written"] = written
REFUSED = {
    "'setitem' reads elements": lambda x, y, z, m: torch.zeros(4, 3, 5).__setitem__((slice(None), 0), x[m]),
    "'sort' reads elements that a mask picks": lambda x, y, z, m: x[m].sort()[0].sum(),
    "'cat' reads elements": lambda x, y, z, m: torch.cat([x[m], y[0]]).sum(),
    "'len' reads elements": lambda x, y, z, m: x[m].sum() / len(x[m]),
    "the step asks for the value of a tensor": lambda x, y, z, m: x[m].sum()
    / (x[m].shape[0] if x[m].shape[0] > 3 else 3),
    "'quantile' reads elements": lambda x, y, z, m: x[m].quantile(0.5),
    "'mul' reads elements": lambda x, y, z, m: (x[m] * torch.ones(2, 3, 5)).sum(),
    "'reshape' reads elements": lambda x, y, z, m: x[m].reshape(-1, 3).sum(),
    "'cross_entropy' reads elements": lambda x, y, z, m: F.cross_entropy(x.unsqueeze(-1)[m], z.unsqueeze(-1)[m]),
    "'linear' reads elements": lambda x, y, z, m: F.linear(x[m][:, 0], y[0, :, :3]).sum(),
    "'layer_norm' reads elements": lambda x, y, z, m: F.layer_norm(x[m], (3, 5)).sum(),
    "given elements that different masks pick": lambda x, y, z, m: (x[m] - y[~m]).sum(),
}


class Picked(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.x, self.y, self.z = torch.randn(4, 3, 5), torch.randn(4, 3, 5), torch.randint(0, 5, (4, 3))
        self.mask = torch.tensor([[1, 0, 1], [0, 0, 0], [1, 1, 1], [0, 1, 0]], dtype=torch.bool)
        self.z[~self.mask] = -7  # no class

    def with_gradient(self, function):
        def both(x, y, z, mask):
            with torch.enable_grad():
                x = x.detach().requires_grad_()
                loss = function(x, y, z, mask)
                return loss.detach(), torch.autograd.grad(loss, x)[0]
        return both

    def traced(self, function):
        """The step, of masks that are data; outside of a trace masks pick as in PyTorch."""
        with StepFunctions(torch.tensor([1, 2], dtype=torch.int32)):
            return make_fx(graph.functional(function), decomposition_table=TABLE,
                           tracing_mode="real")(self.x, self.y, self.z, self.mask)

    def test_values_and_gradients_are_those_of_pytorch(self):
        for name, function in EQUAL.items():
            function = self.with_gradient(function)
            step = self.traced(function)
            for mask in (self.mask, torch.ones(4, 3, dtype=torch.bool)):
                labelled = torch.where(mask, self.z.clamp(min=0), self.z)
                with self.subTest(name):
                    torch.testing.assert_close(step(self.x, self.y, labelled, mask),
                                               function(self.x, self.y, labelled, mask))

    def test_nothing_picked_has_no_mean(self):
        """Its gradient is 0, as in PyTorch; so is that of what all elements share."""
        for name in ("mean", "mse", "classes", "shared"):
            with self.subTest(name):
                loss, gradient = self.traced(self.with_gradient(EQUAL[name]))(self.x, self.y, self.z,
                                                                              torch.zeros(4, 3, dtype=torch.bool))
                self.assertTrue(loss.isnan())
                self.assertTrue(torch.equal(gradient, torch.zeros_like(gradient)))

    def test_what_depends_on_their_number_is_refused(self):
        for message, function in REFUSED.items():
            with self.subTest(message), self.assertRaisesRegex(FrontendError, message):
                graph.traced(lambda: self.traced(function), [])

    def test_labels_in_one_row(self):
        """As transformers writes the CTC loss of its speech models."""
        scores, labels = torch.randn(9, 4, 6).log_softmax(-1), torch.tensor(
            [[1, 2, -1], [3, -1, -1], [4, 4, 1], [-1, 5, 2]])

        def loss(scores, labels):
            mask = labels >= 0
            return F.ctc_loss(scores, labels.masked_select(mask), torch.full((4,), 9), mask.sum(-1), blank=0)
        with StepFunctions(torch.tensor([1, 2], dtype=torch.int32)):
            beside = loss(scores, labels)  # as the check of a capture runs it
            traced = make_fx(graph.functional(lambda scores, given: loss(scores, given)),
                             decomposition_table=TABLE)(scores, labels)
        torch.testing.assert_close(traced(scores, labels), loss(scores, labels))
        torch.testing.assert_close(beside, loss(scores, labels))


if __name__ == "__main__":
    unittest.main()
