"""A captured step beside PyTorch's own loop: both take the same steps, and every parameter, buffer and state is compared after each."""
import contextlib

import torch
import torch.nn.functional as F
from torch import nn

from dstep.torch.step.capture import Capture
from dstep.torch.functions import StepFunctions
from dstep.torch.optimizers import structure

torch.set_num_threads(1)


class MLP(nn.Module):
    def __init__(self, hidden=4):
        super().__init__()
        self.a, self.b = nn.Linear(3, hidden), nn.Linear(hidden, 2)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def batches(count=4, size=6):
    return [(torch.randn(size, 3), torch.randint(0, 2, (size,))) for _ in range(count)]


def sgd(model, lr=0.5, **options):
    return torch.optim.SGD(model.parameters(), lr=lr, **options)


def eager_step(model, optimizer, loss_fn, batch, key=None):
    """`key`: dropout and other random functions are those of the exported step."""
    optimizer.zero_grad()
    with contextlib.nullcontext() if key is None else StepFunctions(key):
        loss = loss_fn(model, batch) if isinstance(batch, dict) else loss_fn(model(batch[0]), batch[1])
        torch.autograd.backward(loss)
    optimizer.step()
    return loss


def beside(model, optimizer, steps, loss_fn=F.cross_entropy, random=False, hyper=(), tolerance=2e-5):
    """Returns the Capture, and the model and the optimizer that PyTorch trained; `random`: with the step's masks."""
    own = structure.copied((model, optimizer))
    capture = Capture(model, optimizer, loss_fn, steps[0], hyper=hyper)
    graph = capture.graph(by_shapes=False)
    carried = [v.clone() for _, v in capture.leaves()]
    names = [n for n, _ in capture.leaves()]
    model, optimizer = own
    for number, batch in enumerate(steps):
        values = list(batch.values()) if isinstance(batch, dict) else list(batch)
        results = graph(*carried, *capture.inputs(dict(zip(capture.batch, values)), 0, number))
        carried = [r.detach().clone() for r in results[:len(carried)]]
        eager_step(model, optimizer, loss_fn, batch, torch.tensor([0, number], dtype=torch.int32) if random else None)
        parameters = dict(model.named_parameters())
        expected = parameters | dict(model.named_buffers()) | {".".join(key): v for key, v in capture.pure.held(optimizer, parameters).items()}
        for name, got in zip(names, carried):
            torch.testing.assert_close(got.double(), expected[name].detach().double(), rtol=tolerance, atol=tolerance, equal_nan=True,
                                       msg=lambda said: f"step {number + 1}, '{name}': {said}")
    return capture, model, optimizer
