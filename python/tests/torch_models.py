"""Training steps as people write them in PyTorch: NAME() -> (model, optimizer, loss_fn, [batch of step 1, of step 2],
options of export). Sizes are small; structure is real."""
import torch
import torch.nn.functional as F
from torch import distributions, nn
from torch.nn.utils import parametrizations


def images(batch, *shape, classes=10):
    return [(torch.randn(batch, *shape), torch.randint(0, classes, (batch,))) for _ in range(2)]


def mlp():
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 24), nn.ReLU(), nn.Linear(24, 10))
    return model, torch.optim.SGD(model.parameters(), lr=0.1), F.cross_entropy, images(16, 64), {}


def dropout():
    """Masks, the learning rate as an argument, clipping, a second metric."""
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 24), nn.Dropout(0.5),
                          nn.Linear(24, 10))

    def loss_fn(scores, labels):
        return F.cross_entropy(scores, labels), {"accuracy": (scores.argmax(1) == labels).float().mean()}

    return model, torch.optim.Adam(model.parameters(), lr=1e-3), loss_fn, images(16, 64), {"clip": 1.0,
                                                                                           "hyper": ("lr",)}


def cnn():
    """Overlapping and disjoint pooling windows, a grouped convolution, an average pool, a batch in a dictionary."""
    model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                          nn.Conv2d(8, 16, 3, stride=2, padding=1, groups=4),
                          nn.GELU(), nn.MaxPool2d(3, 2, 1), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(16, 10))
    loss_fn = lambda model, batch: F.cross_entropy(model(batch["image"]), batch["label"], label_smoothing=0.1)
    return model, torch.optim.Adam(model.parameters(), lr=1e-3), loss_fn, [{"image": x, "label": y}
                                                                           for x, y in images(8, 1, 14, 14)], {}


def unet():
    """Group and instance normalisation, transposed convolution, upsampling, a target per pixel."""
    model = nn.Sequential(nn.Conv2d(2, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.SiLU(), nn.Conv2d(8, 8, 3, 2, 1),
                          nn.ConvTranspose2d(8, 4, 2, 2),
                          nn.InstanceNorm2d(4, affine=True), nn.LeakyReLU(), nn.Upsample(scale_factor=2),
                          nn.Conv2d(4, 1, 1))
    batches = [(torch.randn(8, 2, 8, 8), (torch.rand(8, 1, 16, 16) > 0.5).float()) for _ in range(2)]
    return model, torch.optim.SGD(model.parameters(), lr=1e-2,
                                  momentum=0.9), F.binary_cross_entropy_with_logits, batches, {}


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2)
                   for part in self.qkv(self.norm1(x)).split(width, 2))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).contiguous().view(batch, length,
                                                                                                          width)
        x = x + self.project(mixed)
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    """Tied embeddings."""

    def __init__(self, words=50, width=32, heads=4, length=12, layers=2):
        super().__init__()
        self.word, self.position = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.head.weight = self.word.weight

    def forward(self, tokens):
        x = self.word(tokens) + self.position(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def gpt():
    """Weight decay by group, clipping, ignored targets, of which samples have different numbers and one has none."""
    model = GPT()

    def loss_fn(model, batch):
        scores = model(batch["tokens"])
        return F.cross_entropy(scores.view(-1, scores.shape[-1]), batch["targets"].view(-1), ignore_index=-1)

    def batch():
        targets = torch.randint(0, 50, (8, 12))
        for i in range(8):
            targets[i, :i] = -1
        targets[0] = -1
        return {"tokens": torch.randint(0, 50, (8, 12)), "targets": targets}

    groups = [{"params": [p for p in model.parameters() if p.dim() >= 2], "weight_decay": 0.1},
              {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0}]
    return model, torch.optim.AdamW(groups, lr=1e-3), loss_fn, [batch(), batch()], {"clip": 1.0}


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs)
        self.conv2, self.norm2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs)
        self.skip = nn.Identity() if stride == 1 and inputs == outputs else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return F.relu(self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x))))) + self.skip(x))


def resnet():
    model = nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), Residual(8, 8, 1),
                          Residual(8, 16, 2),
                          nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4, nesterov=True)
    return model, optimizer, F.cross_entropy, images(8, 3, 16, 16), {}


class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.word = nn.Embedding(30, 12)
        self.lstm, self.out = nn.LSTM(12, 16, num_layers=2, batch_first=True, dropout=0.1), nn.Linear(16, 5)

    def forward(self, tokens):
        return self.out(self.lstm(self.word(tokens))[0][:, -1])


def lstm():
    model = LSTM()
    batches = [(torch.randint(0, 30, (8, 3)), torch.randint(0, 5, (8,))) for _ in range(2)]
    return model, torch.optim.RMSprop(model.parameters(), lr=1e-3), F.cross_entropy, batches, {}


class Transformer(nn.Module):
    """Spatial transformer network (Jaderberg et al. 2015), whose rows are read by an LSTM with a projection."""

    def __init__(self):
        super().__init__()
        self.where, self.rows, self.out = nn.Linear(64, 6), nn.LSTM(8, 12, proj_size=5, batch_first=True), nn.Linear(5,
                                                                                                                     3)
        nn.init.zeros_(self.where.weight)
        # No sample lies within 0.2 pixels of a pixel's centre: there the derivative jumps, and a rounding picks its
        # side.
        self.where.bias.data.copy_(torch.tensor([0.98, 0.05, 0.13, -0.05, 1.02, -0.13]))

    def forward(self, x):
        grid = F.affine_grid(self.where(x.flatten(1)).view(-1, 2, 3), x.shape, align_corners=False)
        return self.out(self.rows(F.grid_sample(x, grid, align_corners=False)[:, 0])[0][:, -1])


def spatial_transformer():
    model = Transformer()
    batches = [(torch.randn(8, 1, 8, 8), torch.randint(0, 3, (8,))) for _ in range(2)]
    return model, torch.optim.SGD(model.parameters(), lr=0.1), F.cross_entropy, batches, {}


class Variational(nn.Module):
    """An autoencoder of distributions, with an orthogonal map (matrix_exp), a spectral norm, and the nuclear norm of a
    weight in its loss."""

    def __init__(self):
        super().__init__()
        self.turn = parametrizations.orthogonal(nn.Linear(6, 6), orthogonal_map="matrix_exp")
        self.encode, self.decode = nn.Linear(6, 8), parametrizations.spectral_norm(nn.Linear(4, 6))

    def forward(self, x):
        mean, spread = self.encode(self.turn(x)).chunk(2, 1)
        hidden = distributions.Normal(mean, F.softplus(spread))
        divergence = distributions.kl_divergence(hidden, distributions.Normal(torch.zeros(4), torch.ones(4))).sum(1)
        return self.decode(hidden.rsample()), divergence, torch.linalg.matrix_norm(self.encode.weight, "nuc")


def variational():
    model = Variational()
    loss_fn = lambda found, x: F.mse_loss(found[0], x) + 0.1 * found[1].mean() + 0.01 * found[2]
    batches = [(x, x) for x in (torch.randn(8, 6) for _ in range(2))]
    return model, torch.optim.Adam(model.parameters(), lr=1e-2), loss_fn, batches, {}


def likelihoods():
    """Angles by von Mises' distribution, times that are gamma-distributed or only known to be longer, and values that
    are cut off: their normalisations are Bessel's, the incomplete gamma function, of which some samples take the series
    and some the fraction, and that of the normal."""
    model = nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 4))

    def loss_fn(model, batch):
        turn, sharp, rate, level = model(batch["x"]).unbind(1)
        sharp, time = F.softplus(sharp), F.softplus(rate) * batch["time"]
        angles = torch.log(torch.special.i0e(sharp)) + sharp * (1 - torch.cos(batch["angle"] - turn))
        longer = -torch.log(torch.special.gammaincc(torch.full_like(time, 2.5), time))
        return (angles + longer - torch.special.log_ndtr(level - batch["time"])).mean()

    batches = [{"x": torch.randn(8, 5), "angle": torch.rand(8) * 6, "time": torch.rand(8) * 6 + 0.1} for _ in range(2)]
    return model, torch.optim.Adam(model.parameters(), lr=1e-2), loss_fn, batches, {}


def picked():
    """A tagger that computes its scores for the words that have labels, and a penalty on elements that a threshold
    picks."""
    body, head = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 8), nn.Tanh()), nn.Linear(8, 5)

    def loss_fn(model, batch):
        labelled = batch["label"] != -100
        hidden = model[0](batch["word"])
        large = hidden.abs() > 0.5
        tagged = F.cross_entropy(model[1](hidden.view(-1, 8)[labelled.view(-1)]),
                                 batch["label"].view(-1)[labelled.view(-1)])
        return tagged + 0.1 * hidden[large].square().mean()

    def batch():
        label = torch.randint(0, 5, (8, 6))
        return {"word": torch.randint(0, 20, (8, 6)), "label": torch.where(torch.rand(8, 6) < 0.4, label, -100)}

    model = nn.ModuleList([body, head])
    return model, torch.optim.Adam(model.parameters(), lr=1e-2), loss_fn, [batch() for _ in range(2)], {}


ALL = {make.__name__: make for make in (mlp, dropout, cnn, unet, gpt, resnet, lstm, spatial_transformer, variational,
                                        likelihoods, picked)}
