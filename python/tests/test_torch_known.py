"""Values that no argument of a step reaches are known while it is traced; those that one reaches are refused."""
import itertools
import unittest

import torch
import torch.nn.functional as F
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx

import dstep as ds
from dstep.frontend import FrontendError
from dstep.torch import decompositions
from dstep.torch.base import graph
from dstep.torch.functions import StepFunctions

TABLE = decompositions.table()


def filled(x):
    result = torch.zeros(4, 4)
    result[torch.eye(4, dtype=torch.bool)] = x[0]
    result[~torch.eye(4, dtype=torch.bool)] += 2
    result[torch.arange(4) > 2] = x[1:2]
    return result


def written(x):
    held = torch.ones(3)
    held[1] = 0
    held += 1
    return x * held.sum().item() if held[1] else x


OFF = lambda n: ~torch.eye(n, dtype=torch.bool)
KNOWN = {
    "item": lambda x: x * torch.ones(3).sum().item() * float(torch.tensor([[2.0]])) * int(torch.arange(5)[3]),
    "tolist": lambda x: x.unsqueeze(2).sum(torch.arange(1, x.dim() + 1).tolist()),
    "condition": lambda x: x.exp() if torch.arange(4).sum() == 6 and not torch.zeros(2).any() else x,
    "written": written,
    "range": lambda x: sum(x[k] for k in range(torch.tensor(2))) + sum(x[int(k)] for k in torch.tensor([0, 3])),
    "slices": lambda x: x[:torch.tensor(3)].sum() + x[torch.tensor(1)].sum()
    + x.narrow(0, int(torch.tensor(1)), 2).mean(),
    "shapes": lambda x: x.view(int(torch.tensor(2)), -1)
    @ torch.ones(int(torch.tensor([8])), int(torch.linspace(1, 3, 3).max())),
    "off the diagonal": lambda x: x[OFF(4)].view(4, -1).logsumexp(1),
    "rows of several lengths": lambda x: x[torch.ones(4, 4, dtype=torch.bool).tril()] * torch.arange(10),
    "rows": lambda x: x[torch.arange(4) % 2 == 0].exp(),
    "columns": lambda x: x[:, torch.tensor([True, False, True, True])].exp() + x[1, torch.arange(4) > 0],
    "masked_select": lambda x: torch.masked_select(x, OFF(4)) * x.masked_select(torch.arange(4) < 3).sum(),
    "numpy": lambda x: x * float(torch.arange(3).numpy().sum()),
    "nonzero": lambda x: x[OFF(4).nonzero()[:, 0]] + x[torch.where(OFF(4))].unsqueeze(1)
    + x[0, torch.tensor([0, 1, 1]).nonzero(as_tuple=True)[0]].sum(),
    "unique": lambda x: x[torch.tensor([3, 1, 3]).unique()] * len(torch.tensor([1, 1, 2]).unique_consecutive()),
    "repeats": lambda x: x.repeat_interleave(torch.tensor([1, 0, 2, 1]), 0)
    + torch.repeat_interleave(torch.tensor([4])).sum(),
    "one_hot": lambda x: x[:3] * F.one_hot(torch.tensor([0, 3, 1])) + torch.bincount(torch.tensor([1, 3])),
    "split": lambda x: torch.stack([p.sum() for p in x.split(torch.tensor([1, 3]).tolist())])
    + x.tensor_split(torch.tensor([1, 2]))[1].sum(),
    "filled": filled,
    "equal": lambda x: x if torch.equal(torch.arange(3), torch.arange(3))
    and torch.allclose(torch.ones(2), torch.ones(2)) else -x,
}
REFUSED = {
    "item": lambda x: x * x.sum().item(), "a shape of values": lambda x: x[x.argmax(1).unique()],
    "condition": lambda x: x if x.sum() > 0 else -x,
    "random": lambda x: x * torch.bernoulli(torch.full((3,), 0.5)).sum().item(),
    "positions": lambda x: x[(x > 0).nonzero()[:, 0]],
    "both": lambda x: x * (x.sum() * 0 + torch.ones(())).item(), "numpy": lambda x: x.detach().numpy().sum() * x,
}


class Known(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.x = torch.randn(4, 4)

    def traced(self, function, by_shapes):
        def both(x, seed):
            with torch.enable_grad(), StepFunctions(seed):
                x = x.detach().requires_grad_()
                y = function(x)
                return y.detach(), torch.autograd.grad(y.square().sum(), x)[0]
        made = make_fx(graph.functional(both), decomposition_table=TABLE, tracing_mode="real")
        return graph.traced(made, [self.x, torch.tensor([1, 2], dtype=torch.int32)], by_shapes)

    def test_what_is_known_is_answered(self):
        for (name, function), by_shapes in itertools.product(KNOWN.items(), (False, True)):
            with self.subTest(name, by_shapes=by_shapes):
                step = self.traced(function, by_shapes)
                other = torch.randn(4, 4).requires_grad_()  # what the trace has seen of x counts nothing
                expected = function(other)
                got = step(other.detach(), torch.zeros(2, dtype=torch.int32))
                torch.testing.assert_close(got,
                                           (expected.detach(), torch.autograd.grad(expected.square().sum(), other)[0]))

    def test_what_an_argument_reaches_is_refused(self):
        for (name, function), by_shapes in itertools.product(REFUSED.items(), (False, True)):
            with self.subTest(name, by_shapes=by_shapes), self.assertRaisesRegex(FrontendError,
                                                                                 r"the step asks for the value of a "
                                                                                 r"tensor at "
                                                                                 r".*test_torch_known.py:\d+|makes "
                                                                                 r"the step depend on the values of "
                                                                                 r"a tensor"):
                graph.refuse(self.traced(function, by_shapes))

    def test_two_ranks_compute_what_one_device_does(self):
        """Each sample beside all others, as contrastive losses do; axes that a list of values names."""
        def loss(model, batch):
            z = F.normalize(model(batch["x"]), dim=1)
            own = torch.eye(len(z), dtype=torch.bool)
            others = (z @ z.T)[~own].view(len(z), -1)
            image = model(batch["x"]).view(len(z), 2, 2)
            weights = torch.ones(4)[torch.tensor([True, False, True, True])]
            return (others.logsumexp(1).mean() + image.square().mean(torch.arange(1, 3).tolist()).sum()
                    + (model.weight[:, torch.arange(6) % 2 == 0] * weights).sum())

        models = []
        for ranks in (0, 2):
            torch.manual_seed(0)
            model, batch = nn.Linear(6, 4), {"x": torch.randn(8, 6)}
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            models.append(model)
            if ranks:
                ds.torch.data_parallel(model, optimizer, loss, ranks=ranks).run([batch] * 2)
            for _ in range(0 if ranks else 2):
                optimizer.zero_grad()
                loss(model, batch).backward()
                optimizer.step()
        torch.testing.assert_close(dict(models[1].named_parameters()), dict(models[0].named_parameters()), rtol=1e-4,
                                   atol=1e-5)


if __name__ == "__main__":
    unittest.main()
