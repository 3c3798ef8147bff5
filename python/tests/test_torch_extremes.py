"""Values and gradients where nothing is valid, at zero, at infinity and of what is no number: a step that ds-run runs
gives what PyTorch's kernels give."""
import itertools
import unittest

import torch
from torch import nn

import dstep as ds
import test_torch_lowering
import torch_extreme_cases


class Extremes(unittest.TestCase):
    check = test_torch_lowering.Lowering.check


for _name in [name for name in torch_extreme_cases.GROUPS if name.startswith("extremes_")]:
    setattr(Extremes, f"test_{_name}", lambda self, name=_name: self.check(name))


def cofactors(a):
    """Signed determinants of what is left without a row and a column, as sums over all orders of the columns."""
    n = len(a)

    def minor(i, j):
        rows, columns, total = [r for r in range(n) if r != i], [c for c in range(n) if c != j], 0.0
        for order in itertools.permutations(range(n - 1)):
            sign = (-1) ** sum(first > second for first, second in itertools.combinations(order, 2))
            total += sign * torch.stack([a[r, columns[c]] for r, c in zip(rows, order)]).prod()
        return total
    return torch.tensor([[(-1) ** (i + j) * minor(i, j) for j in range(n)] for i in range(n)], dtype=torch.float64)


def singular():
    """Matrices of ranks 4 to 0, with zeros where elimination divides, and with a determinant that is rounding or no
    number of f32."""
    generator = torch.Generator().manual_seed(3)
    random = lambda *dims: torch.randn(*dims, generator=generator)
    held = torch.zeros(4, 4)
    held[:3, :3], held[3, 3] = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 1.0]]), 1
    without_column = random(4, 4)
    without_column[:, 0] = 0
    return torch.stack([random(4, 4), held, without_column,
                        *(random(4, rank) @ random(rank, 4) for rank in (3, 3, 2, 1)), torch.diag(torch.ones(3), 1),
                        torch.diag(torch.tensor([1e-15, 1e-15, 1e-15, 1.0])),
                        torch.diag(torch.tensor([1.0, 2.0, 1e-40, 3.0])), torch.zeros(4, 4)])


class Determinant(nn.Module):
    def __init__(self, values):
        super().__init__()
        self.w = nn.Parameter(values.clone())

    def forward(self, x):
        return torch.linalg.det(self.w).sum() * x.mean()


class Determinants(unittest.TestCase):
    """The gradient is the matrix of cofactors, whatever the rank. PyTorch's own is no measure: it puts a small number
    in the place of each pivot of zero."""

    def setUp(self):
        self.given = singular()
        self.wanted = torch.stack([cofactors(a.double()) for a in self.given])

    def check(self, gradient):
        # Elements of the matrices are of order 1, so rounding of three factors is.
        for given, got, wanted in zip(self.given, gradient.double(), self.wanted):
            with self.subTest(a=given):
                torch.testing.assert_close(got, wanted, rtol=1e-5,
                                           atol=2e-6 * float(given.abs().max().clamp(min=1e-3)) ** 3)

    def test_of_a_captured_step(self):
        for ranks in (1, 2):
            model = Determinant(torch.zeros_like(self.given))
            with torch.no_grad():
                model.w.copy_(self.given)
            train = ds.torch.data_parallel(model, torch.optim.SGD(model.parameters(), lr=1.0, momentum=0.9),
                                           lambda found, y: found + 0 * y.mean(), ranks=ranks)
            train((torch.ones(4, 1), torch.ones(4)))
            self.check(train.optimizer.state[model.w]["momentum_buffer"])

    def test_of_a_compiled_function(self):
        for given in (self.given, self.given.mT):
            w = nn.Parameter(self.given.clone())
            loss = torch.compile(lambda x: torch.linalg.det(w if given is self.given else w.mT).sum() * x.mean(),
                                 backend="dstep", options={"ranks": 2})
            loss(torch.ones(4, 1)).backward()
            self.check(w.grad)


if __name__ == "__main__":
    unittest.main()
