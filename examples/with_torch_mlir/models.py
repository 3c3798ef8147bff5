"""Small training steps of many kinds of models, for export.py: MODELS[name]() returns (step, parameters, state,
batch)."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad_and_value


# Optimizers: (parameters, state, gradients) to (parameters, state), and the state that they begin with.

def sgd(rate=0.1):
    return lambda parameters, state, gradients: ({key: value - rate * gradients[key]
                                                  for key, value in parameters.items()}, state), lambda parameters: {}


def momentum(rate=0.05, keep=0.9, decay=1e-4):
    def update(parameters, state, gradients):
        state = {"m." + key: keep * state["m." + key] + gradients[key] + decay * value
                 for key, value in parameters.items()}
        return {key: value - rate * state["m." + key] for key, value in parameters.items()}, state
    return update, lambda parameters: {"m." + key: torch.zeros_like(value) for key, value in parameters.items()}


def adam(rate=1e-2, first=0.9, second=0.99, decay=0.0, clip=None):
    def update(parameters, state, gradients):
        if clip:
            norm = torch.sqrt(sum((gradient * gradient).sum() for gradient in gradients.values()))
            gradients = {key: gradient * torch.clamp(clip / (norm + 1e-6), max=1.0)
                         for key, gradient in gradients.items()}
        count = state["count"] + 1
        new, moved = {"count": count}, {}
        for key, value in parameters.items():
            mean = new["m." + key] = first * state["m." + key] + (1 - first) * gradients[key]
            square = new["v." + key] = second * state["v." + key] + (1 - second) * gradients[key] * gradients[key]
            # 1e-3, so that a gradient that is zero but for rounding does not become a step of size 1
            change = mean / (1 - first**count) / (torch.sqrt(square / (1 - second**count)) + 1e-3)
            moved[key] = value - rate * (change + decay * value)
        return moved, new
    return update, lambda parameters: {"count": torch.zeros(()),
                                       **{prefix + key: torch.zeros_like(value) for key, value in parameters.items()
                                                                     for prefix in ("m.", "v.")}}


def training(model, loss, optimizer, batch):
    """The whole step of a model: loss(model, batch) with the model called by its parameters; buffers are states."""
    update, begin = optimizer
    parameters = {key: value.detach() for key, value in model.named_parameters()}
    buffers = {key: value for key, value in model.named_buffers() if value.is_floating_point()}
    counts = {key: value for key, value in model.named_buffers() if key not in buffers}
    optimizer_state = begin(parameters)

    def step(parameters, state, batch):
        def value(parameters):
            # batch normalisation writes in place
            changing = {key: state.get(key, count).clone() for key, count in {**buffers, **counts}.items()}
            measured = loss(lambda *inputs: functional_call(model, {**parameters, **changing}, inputs), batch)
            return measured, {key: changing[key] for key in buffers}
        gradients, (measured, changed) = grad_and_value(value, has_aux=True)(parameters)
        parameters, moved = update(parameters, {key: state[key] for key in optimizer_state}, gradients)
        return parameters, {**changed, **moved}, {"loss": measured}

    return step, parameters, {**buffers, **optimizer_state}, batch


def classify(model, batch):
    return F.cross_entropy(model(batch["x"]), batch["y"])


def regress(model, batch):
    return F.mse_loss(model(batch["x"]), batch["y"])


def next_token(model, batch):
    return F.cross_entropy(model(batch["x"]).flatten(0, 1), batch["y"].flatten())


def images(channels=1, size=8, classes=5, rows=8):
    return {"x": torch.randn(rows, channels, size, size), "y": torch.randint(0, classes, (rows,))}


def tokens(length=6, words=11, rows=8):
    return {"x": torch.randint(0, words, (rows, length)), "y": torch.randint(0, words, (rows, length))}


class Residual(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


class Attention(nn.Module):
    def __init__(self, width, heads, causal=False):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        q, k, v = (part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in self.mix(x).chunk(3, 2))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3])
        if self.causal:
            length = x.shape[1]
            scores = torch.where(torch.arange(length) <= torch.arange(length)[:, None], scores, -1e9)
        return self.out((scores.softmax(3) @ v).transpose(1, 2).flatten(2))


def block(width, heads, causal):
    return nn.Sequential(Residual(nn.Sequential(nn.LayerNorm(width), Attention(width, heads, causal))),
                         Residual(nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(),
                                                nn.Linear(2 * width, width))))


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.weight


class SwiGLU(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(width, 2 * width,
                                                  False), nn.Linear(width, 2 * width, False), nn.Linear(2 * width,
                                                                                                        width, False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Recurrent(nn.Module):
    def __init__(self, cell, width, classes):
        super().__init__()
        self.cell, self.head = cell, nn.Linear(width, classes)
        self.width = width

    def forward(self, x):
        hidden = x.new_zeros(x.shape[0], self.width)
        for t in range(x.shape[1]):
            hidden = self.cell(x[:, t], hidden)
        return self.head(hidden)


class Mixer(nn.Module):
    def __init__(self, patches, width):
        super().__init__()
        self.along, self.across = nn.Linear(patches, patches), nn.Linear(width, width)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        x = x + self.along(self.first(x).transpose(1, 2)).transpose(1, 2)
        return x + F.gelu(self.across(self.second(x)))


class Variational(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Sequential(nn.Linear(12, 16), nn.Tanh(),
                                                 nn.Linear(16, 8)), nn.Sequential(nn.Linear(4, 16), nn.Tanh(),
                                                                                  nn.Linear(16, 12))

    def forward(self, x, noise):
        mean, spread = self.encode(x).chunk(2, 1)
        return self.decode(mean + noise * torch.exp(0.5 * spread)), mean, spread


def variational(model, batch):
    again, mean, spread = model(batch["x"], batch["noise"])
    return F.mse_loss(again, batch["x"]) - 0.05 * (1 + spread - mean * mean - spread.exp()).mean()


class Recommender(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.things, self.head = nn.Embedding(13, 6), nn.Embedding(9, 6), nn.Linear(7, 1)

    def forward(self, user, thing):
        u, t = self.users(user), self.things(thing)
        return self.head(torch.cat([u * t, (u * t).sum(1, keepdim=True)], 1)).squeeze(1)


def contrast(model, batch):
    """Every row against all rows of the batch."""
    left, right = F.normalize(model(batch["x"]), dim=1), F.normalize(model(batch["z"]), dim=1)
    return F.cross_entropy(left @ right.T / 0.5, torch.arange(left.shape[0]))


MODELS = {
    "linear": lambda: training(nn.Linear(6, 1), regress, sgd(), {"x": torch.randn(8, 6), "y": torch.randn(8, 1)}),
    "mlp": lambda: training(nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 4)), classify, momentum(),
                            {"x": torch.randn(8, 12), "y": torch.randint(0, 4, (8,))}),
    "deep_tanh": lambda: training(nn.Sequential(*(layer for _ in range(6) for layer in (nn.Linear(8, 8), nn.Tanh()))),
                                  regress, adam(),
                                  {"x": torch.randn(8, 8), "y": torch.randn(8, 8)}),
    "cnn": lambda: training(nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                          nn.Conv2d(4, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Flatten(),
                                          nn.Linear(32, 5)), classify, adam(), images()),
    "resnet": lambda: training(nn.Sequential(nn.Conv2d(1, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.ReLU(),
                                             Residual(nn.Sequential(nn.Conv2d(4, 4, 3, padding=1, bias=False),
                                                                    nn.BatchNorm2d(4), nn.ReLU())),
                                             nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 5)), classify,
                               momentum(), images()),
    "convnext": lambda: training(nn.Sequential(nn.Conv2d(1, 8, 2, stride=2),
                                               Residual(nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.GroupNorm(1, 8),
                                               nn.Conv2d(8, 16, 1), nn.GELU(), nn.Conv2d(16, 8, 1))),
                                               nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5)),
                                 classify, adam(decay=0.01), images()),
    "unet": lambda: training(nn.Sequential(nn.Conv2d(1, 4, 3, stride=2, padding=1), nn.SiLU(),
                                           nn.Upsample(scale_factor=2), nn.SiLU(), nn.Conv2d(4, 1, 1)), regress,
                             adam(), {"x": torch.randn(8, 1, 8, 8), "y": torch.randn(8, 1, 8, 8)}),
    "encoder": lambda: training(nn.Sequential(nn.Embedding(11, 8), block(8, 2, False), nn.Linear(8, 11)), next_token,
                                adam(clip=1.0), tokens()),
    "gpt": lambda: training(nn.Sequential(nn.Embedding(11, 8), block(8, 2, True), block(8, 2, True), nn.LayerNorm(8),
                                          nn.Linear(8, 11, bias=False)), next_token,
                            adam(decay=0.01, clip=1.0), tokens()),
    "llama": lambda: training(nn.Sequential(nn.Embedding(11, 8),
                                            Residual(nn.Sequential(RMSNorm(8), Attention(8, 2, True))),
                                            Residual(nn.Sequential(RMSNorm(8), SwiGLU(8))),
                                            RMSNorm(8), nn.Linear(8, 11, bias=False)), next_token, adam(), tokens()),
    "gru": lambda: training(Recurrent(nn.GRUCell(4, 6), 6, 3), classify, adam(),
                            {"x": torch.randn(8, 5, 4), "y": torch.randint(0, 3, (8,))}),
    "rnn": lambda: training(Recurrent(nn.RNNCell(4, 6), 6, 3), classify, momentum(),
                            {"x": torch.randn(8, 5, 4), "y": torch.randint(0, 3, (8,))}),
    "mixer": lambda: training(nn.Sequential(nn.Conv2d(1, 8, 2, stride=2), nn.Flatten(2), nn.Linear(16, 16),
                                            Mixer(8, 16), nn.Flatten(), nn.Linear(128, 5)), classify, adam(),
                              images()),
    "vae": lambda: training(Variational(), variational, adam(), {"x": torch.randn(8, 12), "noise": torch.randn(8, 4)}),
    "recommender": lambda: training(Recommender(), lambda model, batch: F.binary_cross_entropy_with_logits(model(batch[
        "user"], batch["thing"]), batch["y"]), adam(),
                                    {"user": torch.randint(0, 13, (8,)), "thing": torch.randint(0, 9, (8,)),
                                     "y": torch.rand(8)}),
    "contrastive": lambda: training(nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 6)), contrast, sgd(),
                                    {"x": torch.randn(8, 12), "z": torch.randn(8, 12)}),
}
