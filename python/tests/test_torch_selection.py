"""What a mask picks, against PyTorch, and in a step on ranks."""
import unittest

import torch
import torch.nn.functional as F
from torch import nn

from ds.frontend import FrontendError
from ds.torch.functions import StepFunctions

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
    "smoothed, summed": lambda x, y, z, m: nn.CrossEntropyLoss(reduction="sum", label_smoothing=0.1)(x[m].view(-1, 5), z[m].view(-1)),
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


def written(x, y, z, m):
    result = torch.zeros(4, 3, 2)
    result[m] = F.linear(x[m], y[0, :2])
    result[m] *= 3
    return result.square().sum()


EQUAL["written"] = written
REFUSED = {
    "'setitem' reads elements": lambda x, y, z, m: torch.zeros(4, 3, 5).__setitem__((slice(None), 0), x[m]),
    "'sort' reads elements that a mask picks": lambda x, y, z, m: x[m].sort()[0].sum(),
    "'cat' reads elements": lambda x, y, z, m: torch.cat([x[m], y[m]]).sum(),
    "'shape' reads elements": lambda x, y, z, m: x[m].sum() / x[m].shape[0],
    "'mul' reads elements": lambda x, y, z, m: (x[m] * torch.ones(2, 3, 5)).sum(),
    "'reshape' reads elements": lambda x, y, z, m: x[m].reshape(-1, 3).sum(),
    "'softmax' reads elements": lambda x, y, z, m: x[m].softmax(0).sum(),
    "'norm' reads elements": lambda x, y, z, m: x[m].norm(2),
    "'var' reads elements": lambda x, y, z, m: x[m].var(True),
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

    def value(self, function, mask):
        x = self.x.clone().requires_grad_()
        loss = function(x, self.y, self.z, mask)
        return loss.detach(), torch.autograd.grad(loss, x)[0]

    def test_values_and_gradients_are_those_of_pytorch(self):
        for name, function in EQUAL.items():
            for mask in (self.mask, torch.ones(4, 3, dtype=torch.bool)):
                if name in ("classes", "views", "smoothed, summed", "scores of classes", "norms"):
                    self.z = torch.where(mask, self.z.clamp(min=0), self.z)
                expected = self.value(function, mask)
                with self.subTest(name), StepFunctions(torch.tensor([1, 2], dtype=torch.int32)):
                    torch.testing.assert_close(self.value(function, mask), expected)

    def test_nothing_picked_has_no_mean(self):
        with StepFunctions(torch.tensor([1, 2], dtype=torch.int32)):
            self.assertTrue(self.x[torch.zeros(4, 3, dtype=torch.bool)].mean().isnan())

    def test_what_depends_on_their_number_is_refused(self):
        for message, function in REFUSED.items():
            with self.subTest(message), StepFunctions(torch.tensor([1, 2], dtype=torch.int32)), self.assertRaisesRegex(FrontendError, message):
                function(self.x, self.y, self.z, self.mask)

    def test_labels_in_one_row(self):
        """As transformers writes the CTC loss of its speech models."""
        scores, labels = torch.randn(9, 4, 6).log_softmax(-1), torch.tensor([[1, 2, -1], [3, -1, -1], [4, 4, 1], [-1, 5, 2]])

        def loss(scores):
            mask = labels >= 0
            return F.ctc_loss(scores, labels.masked_select(mask), torch.full((4,), 9), mask.sum(-1), blank=0)
        expected = loss(scores)
        with StepFunctions(torch.tensor([1, 2], dtype=torch.int32)):
            torch.testing.assert_close(loss(scores), expected)


if __name__ == "__main__":
    unittest.main()
