"""Training scripts that each break one assumption of a capture: NAME -> (plant, sentence). `plant()` gives (model,
optimizer, loss_fn, options of the export), and the export ends with an error in which the sentence stands, the line
that is marked with `# HERE` in the plant's own code among it."""
import collections
import itertools
import random
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

PLANTS = {}


def plant(sentence):
    def keep(function):
        PLANTS[function.__name__] = function, sentence
        return function
    return keep


def sgd(model, **options):
    return torch.optim.SGD(model.parameters(), **{"lr": 0.1} | options)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 8), nn.Linear(8, 5)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def trained(model, loss_fn=F.cross_entropy, optimizer=None, **options):
    return model, optimizer or sgd(model), loss_fn, options


def of_forward(forward, **attributes):
    """A network with attributes, whose hidden values go through `forward(self, h)`."""
    class Planted(Net):
        def forward(self, x):
            return self.b(forward(self, torch.tanh(self.a(x))))
    model = Planted()
    for name, value in attributes.items():
        setattr(model, name, value)
    return trained(model)


@plant("random numbers of numpy at HERE")
def numpy_noise():
    def forward(self, h):
        return h + torch.from_numpy(np.random.randn(8).astype(np.float32))  # HERE
    return of_forward(forward)


@plant("random numbers of Python's module random at HERE")
def a_branch_that_is_rarely_taken():
    def loss_fn(scores, labels):
        rare = random.random() < 0.001  # HERE
        return F.cross_entropy(scores, labels) * (2 if rare else 1)
    return trained(Net(), loss_fn)


@plant("the loop writes 'rng' at HERE")
def a_generator_of_numpy():
    def forward(self, h):
        return h * float(self.rng.uniform())  # HERE
    return of_forward(forward, rng=np.random.default_rng(0))


@plant("the loop writes 'calls' at HERE")
def warmup_of_three_steps():
    def forward(self, h):
        self.calls += 1  # HERE
        return h * min(1.0, self.calls / 3)
    return of_forward(forward, calls=0)


@plant("the loop writes 'calls' at HERE")
def a_switch_after_many_steps():
    def forward(self, h):
        self.calls = self.calls + 1  # HERE
        return h * 2 if self.calls > 500 else h
    return of_forward(forward, calls=0)


@plant("the loop writes 'calls' at HERE")
def a_switch_of_the_gradient_alone():
    class Reversed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale):
            ctx.scale = scale
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            return -ctx.scale * gradient, None

    def forward(self, h):
        self.calls += 1  # HERE
        return Reversed.apply(h, min(1.0, 0.5 + self.calls // 100))
    return of_forward(forward, calls=0)


@plant("the loop writes 'before' at HERE")
def hidden_state():
    def forward(self, h):
        h = h if self.before is None else h + 0.5 * self.before
        self.before = h.detach()  # HERE
        return h
    return of_forward(forward, before=None)


@plant("the step writes a tensor at HERE that it does not carry")
def a_bank_in_a_plain_tensor():
    def forward(self, h):
        h = h + self.bank.mean(0)
        self.bank[:2] = h.detach()[:2]  # HERE
        return h
    return of_forward(forward, bank=torch.zeros(4, 8))


@plant("the loop writes 'queue' at HERE")
def a_queue():
    def forward(self, h):
        h = h + sum(self.queue)
        self.queue.append(h.detach().mean(0))  # HERE
        return h
    return of_forward(forward, queue=collections.deque([torch.zeros(8)], maxlen=2))


@plant("the loop writes 'queue' at HERE, from which something follows, though not in its first steps")
def a_queue_that_is_read_when_it_is_full():
    def forward(self, h):
        self.queue.append(h.detach().mean(0))  # HERE
        return h + sum(self.queue) if len(self.queue) == 100 else h
    return of_forward(forward, queue=collections.deque(maxlen=100))


@plant("the loop writes 'turn' at HERE, from which something follows, though not in its first steps")
def a_tensor_that_counts():
    def forward(self, h):
        self.turn = self.turn + 1  # HERE
        return torch.where(self.turn > 100, h * 2, h)
    return of_forward(forward, turn=torch.zeros((), dtype=torch.int64))


@plant("the loop writes 'turn' at HERE, from which something follows, though not in its first steps")
def a_tensor_that_counts_in_place():
    def forward(self, h):
        self.turn += 1  # HERE
        return torch.where(self.turn > 100, h * 2, h)
    return of_forward(forward, turn=torch.zeros((), dtype=torch.int64))


@plant("the loop writes 'memo..h..' at HERE")
def a_dictionary():
    def forward(self, h):
        h = h + self.memo.get("h", 0.0)
        self.memo["h"] = h.detach().mean()  # HERE
        return h
    return of_forward(forward, memo={})


@plant("the loop writes 'begun' at HERE")
def an_initialisation_in_the_first_step():
    def forward(self, h):
        if not self.begun:
            self.begun = True  # HERE
            with torch.no_grad():
                self.a.bias.copy_(-h.mean(0))
        return h
    return of_forward(forward, begun=False)


COUNT = 0


@plant("the loop writes 'COUNT' at HERE")
def a_global():
    def loss_fn(scores, labels):
        global COUNT
        COUNT += 1  # HERE
        return F.cross_entropy(scores, labels) / COUNT
    return trained(Net(), loss_fn)


@plant("the loop writes 'count' at HERE")
def a_variable_of_the_function_around():
    count = 0

    def loss_fn(scores, labels):
        nonlocal count
        count += 1  # HERE
        return F.cross_entropy(scores, labels) / count
    return trained(Net(), loss_fn)


@plant("the loop writes .*count' at HERE")
def an_attribute_of_the_class():
    class Counting(Net):
        count = 0

        def forward(self, x):
            Counting.count += 1  # HERE
            return super().forward(x) / Counting.count
    return trained(Counting())


@plant("the loop writes 'drop.p' at HERE")
def dropout_that_grows():
    def forward(self, h):
        self.drop.p += 0.2  # HERE
        return self.drop(h)
    return of_forward(forward, drop=nn.Dropout(0.1))


@plant("the loop takes values from 'scales' at HERE")
def an_iterator():
    def forward(self, h):
        return h * next(self.scales)  # HERE
    return of_forward(forward, scales=itertools.count(1.0))


@plant("the loop writes .*'calls'.*at HERE")
def a_function_that_counts_in_backward():
    memo = {"calls": 0}

    class Halved(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            memo["calls"] += 1  # HERE
            return gradient / memo["calls"]
    return of_forward(lambda self, h: Halved.apply(h))


@plant("the loop writes 'calls' at HERE")
def a_property_that_counts():
    class Counting(Net):
        calls = 0

        @property
        def scale(self):
            Counting.calls += 1  # HERE
            return 1 / Counting.calls

        def forward(self, x):
            return super().forward(x) * self.scale
    return trained(Counting())


@plant("'a' is made by torch.jit, expected the module that it was made of")
def a_layer_of_torchscript():
    model = Net()
    with warnings.catch_warnings(action="ignore"):
        model.a = torch.jit.script(model.a)
    return trained(model)


@plant("the model is made by torch.jit, expected the module that it was made of")
def a_model_of_torchscript():
    with warnings.catch_warnings(action="ignore"):
        return trained(torch.jit.trace(Net(), torch.randn(8, 6)))


@plant("in step 2 the gradient of 'a.weight' is a value, the loop has none: the loop writes 'begun' at HERE")
def a_layer_that_is_frozen_after_a_step():
    def forward(self, h):
        self.a.weight.requires_grad_(not self.begun)
        self.begun = True  # HERE
        return h
    return of_forward(forward, begun=False)


@plant("the loop writes 'loss_fn.count' at HERE, from which something follows, though not in its first steps")
def a_loss_that_is_an_object():
    class Loss:
        count = 0

        def __call__(self, scores, labels):
            self.count += 1  # HERE
            return F.cross_entropy(scores, labels) * (2 if self.count > 50 else 1)
    return trained(Net(), Loss())


@plant("puts another object in the place of the parameter 'c.weight'")
def weights_that_forward_ties():
    class Tied(Net):
        def __init__(self):
            super().__init__()
            self.c = nn.Linear(8, 5)

        def forward(self, x):
            self.c.weight = self.b.weight
            return self.c(torch.tanh(self.a(x)))
    return trained(Tied())


@plant("puts another object in the place of the parameter 'w'")
def a_parameter_that_is_replaced():
    def forward(self, h):
        self.w = nn.Parameter(self.w.detach() * 0.5)
        return h * self.w
    return of_forward(forward, w=nn.Parameter(torch.ones(8)))
