"""The models of pytorch/examples, which come in no package: written as they are there, at smaller sizes; and what has a
refusal."""
import math

import torch
import torch.nn.functional as F
from torch import nn

from table import Entry


class Mnist(nn.Module):
    """mnist/main.py"""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 4, 3, 1), nn.Conv2d(4, 8, 3, 1)
        self.dropout1, self.dropout2 = nn.Dropout(0.25), nn.Dropout(0.5)
        self.fc1, self.fc2 = nn.Linear(8 * 12 * 12, 16), nn.Linear(16, 10)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        x = torch.flatten(self.dropout1(F.max_pool2d(x, 2)), 1)
        return F.log_softmax(self.fc2(self.dropout2(F.relu(self.fc1(x)))), dim=1)


def mnist():
    model = Mnist()
    batches = [(torch.randn(8, 1, 28, 28), torch.randint(0, 10, (8,))) for _ in range(2)]
    return model, torch.optim.Adadelta(model.parameters(), lr=1.0), F.nll_loss, batches, {}


class Rnn(nn.Module):
    """mnist_rnn/main.py"""

    def __init__(self):
        super().__init__()
        self.rnn, self.batchnorm = nn.LSTM(input_size=7, hidden_size=8, batch_first=True), nn.BatchNorm1d(8)
        self.fc1, self.fc2 = nn.Linear(8, 8), nn.Linear(8, 10)

    def forward(self, x):
        output, _ = self.rnn(x.reshape(-1, 7, 7))
        x = F.relu(self.fc1(self.batchnorm(output[:, -1, :])))
        return F.log_softmax(self.fc2(x), dim=1)


def mnist_rnn():
    model = Rnn()
    batches = [(torch.randn(8, 1, 7, 7), torch.randint(0, 10, (8,))) for _ in range(2)]
    return model, torch.optim.Adadelta(model.parameters(), lr=0.1), F.nll_loss, batches, {}


class LanguageModel(nn.Module):
    """word_language_model/model.py, RNNModel, with samples first: the state of the recurrent layers starts at zero."""

    def __init__(self, kind, words, width):
        super().__init__()
        self.drop, self.encoder = nn.Dropout(0.2), nn.Embedding(words, width)
        self.rnn = getattr(nn, kind)(width, width, 2, dropout=0.2, batch_first=True)
        self.decoder = nn.Linear(width, words)
        self.decoder.weight = self.encoder.weight

    def forward(self, x):
        output, _ = self.rnn(self.drop(self.encoder(x)))
        return F.log_softmax(self.decoder(self.drop(output)), dim=-1)


def language_model(kind, words=30, width=12, rows=(4, 5)):
    def make():
        model = LanguageModel(kind, words, width)
        batches = [(torch.randint(0, words, rows), torch.randint(0, words, rows)) for _ in range(2)]
        loss_fn = lambda scores, y: F.nll_loss(scores.view(-1, words), y.view(-1))
        return model, torch.optim.SGD(model.parameters(), lr=0.5), loss_fn, batches, {"clip": 0.25}
    return make


class Transformer(nn.Transformer):
    """word_language_model/model.py, TransformerModel, with samples first."""

    def __init__(self):
        super().__init__(d_model=16, nhead=2, dim_feedforward=32, num_encoder_layers=2, batch_first=True)
        position, rate = torch.arange(8).unsqueeze(1), torch.exp(torch.arange(0, 16, 2) * (-math.log(10000.0) / 16))
        table = torch.zeros(8, 16)
        table[:, 0::2], table[:, 1::2] = torch.sin(position * rate), torch.cos(position * rate)
        self.register_buffer("table", table)
        self.input_emb, self.drop = nn.Embedding(30, 16), nn.Dropout(0.2)
        self.head = nn.Linear(16, 30)
        del self.decoder

    def forward(self, x):
        mask = torch.triu(torch.full((x.shape[1], x.shape[1]), -math.inf), 1)
        h = self.drop(self.input_emb(x) * 4.0 + self.table[:x.shape[1]])
        return F.log_softmax(self.head(self.encoder(h, mask=mask)), dim=-1)


def transformer():
    model = Transformer()
    batches = [(torch.randint(0, 30, (4, 6)), torch.randint(0, 30, (4, 6))) for _ in range(2)]
    return model, torch.optim.SGD(model.parameters(),
                                  lr=0.5), lambda s, y: F.nll_loss(s.view(-1, 30), y.view(-1)), batches, {"clip": 0.25}


class Vae(nn.Module):
    """vae/main.py"""

    def __init__(self):
        super().__init__()
        self.fc1, self.fc21, self.fc22, self.fc3, self.fc4 = nn.Linear(49, 24), nn.Linear(24, 6), nn.Linear(24,
                                                                                                            6), nn.Linear(6, 24), nn.Linear(24, 49)

    def forward(self, x):
        h = F.relu(self.fc1(x.view(-1, 49)))
        mu, logvar = self.fc21(h), self.fc22(h)
        std = torch.exp(0.5 * logvar)
        z = mu + torch.randn_like(std) * std
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), mu, logvar


def vae():
    model = Vae()

    def loss_fn(model, batch):
        recon, mu, logvar = model(batch["x"])
        return (F.binary_cross_entropy(recon, batch["x"].view(-1, 49), reduction="sum")
                - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()))
    return model, torch.optim.Adam(model.parameters(), lr=1e-3), loss_fn, [{"x": torch.rand(8, 1, 7, 7)}
                                                                           for _ in range(2)], {}


class Discriminator(nn.Module):
    """dcgan/main.py: the network that tells images apart."""

    def __init__(self, channels=3, width=4):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(channels, width, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width, width * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(width * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width * 2, 1, 4, 1, 0, bias=False), nn.Sigmoid())

    def forward(self, x):
        return self.main(x).view(-1, 1).squeeze(1)


class Generator(nn.Module):
    """dcgan/main.py: the network that makes images."""

    def __init__(self, noise=8, width=4, channels=3):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(noise, width * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(width * 2), nn.ReLU(True),
            nn.ConvTranspose2d(width * 2, width, 4, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(True),
            nn.ConvTranspose2d(width, channels, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, x):
        return self.main(x)


def dcgan():
    """The generator's step, through a discriminator that stands still."""
    generator, discriminator = Generator(), Discriminator().requires_grad_(False)
    model = nn.ModuleDict({"generator": generator, "discriminator": discriminator})
    loss_fn = lambda model, batch: F.binary_cross_entropy(model["discriminator"](model["generator"](batch["noise"])),
                                                          batch["label"])
    batches = [{"noise": torch.randn(8, 8, 1, 1), "label": torch.ones(8)} for _ in range(2)]
    return model, torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999)), loss_fn, batches, {}


class SuperResolution(nn.Module):
    """super_resolution/model.py"""

    def __init__(self, factor=2):
        super().__init__()
        self.conv1, self.conv2, self.conv3 = nn.Conv2d(1, 8, 5, 1, 2), nn.Conv2d(8, 8, 3, 1, 1), nn.Conv2d(8, factor**2,
                                                                                                           3, 1, 1)
        self.pixel_shuffle = nn.PixelShuffle(factor)

    def forward(self, x):
        return self.pixel_shuffle(self.conv3(F.relu(self.conv2(F.relu(self.conv1(x))))))


def super_resolution():
    model = SuperResolution()
    return model, torch.optim.Adam(model.parameters(),
                                   lr=0.01), F.mse_loss, [(torch.rand(4, 1, 8, 8), torch.rand(4, 1, 16, 16))
                                                          for _ in range(2)], {}


class Siamese(nn.Module):
    """siamese_network/main.py, with a small trunk."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, 4, 3, 2), nn.BatchNorm2d(4), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
                                   nn.Flatten())
        self.fc = nn.Sequential(nn.Linear(8, 16), nn.ReLU(inplace=True), nn.Linear(16, 1))

    def forward(self, a, b):
        return torch.sigmoid(self.fc(torch.cat((self.trunk(a), self.trunk(b)), 1)))


def siamese():
    model = Siamese()
    loss_fn = lambda model, batch: F.binary_cross_entropy(model(batch["a"], batch["b"]).squeeze(), batch["same"])
    batches = [{"a": torch.randn(8, 1, 12, 12), "b": torch.randn(8, 1, 12, 12),
                "same": torch.randint(0, 2, (8,)).float()} for _ in range(2)]
    return model, torch.optim.Adadelta(model.parameters(), lr=1.0), loss_fn, batches, {}


class Sequence(nn.Module):
    """time_sequence_prediction/train.py; there LBFGS trains it, here Adam."""

    def __init__(self):
        super().__init__()
        self.lstm1, self.lstm2, self.linear = nn.LSTMCell(1, 6), nn.LSTMCell(6, 6), nn.Linear(6, 1)

    def forward(self, x):
        state = [torch.zeros(x.size(0), 6) for _ in range(4)]
        outputs = []
        for value in x.split(1, dim=1):
            state[0], state[1] = self.lstm1(value, (state[0], state[1]))
            state[2], state[3] = self.lstm2(state[0], (state[2], state[3]))
            outputs.append(self.linear(state[2]))
        return torch.cat(outputs, dim=1)


def time_sequence():
    model = Sequence()
    return model, torch.optim.Adam(model.parameters(), lr=0.01), F.mse_loss, [(torch.randn(8, 5), torch.randn(8, 5))
                                                                              for _ in range(2)], {}


def time_sequence_lbfgs():
    model, _, loss_fn, batches, options = time_sequence()
    return model, torch.optim.LBFGS(model.parameters(), lr=0.8), loss_fn, batches, options


class Regression(nn.Module):
    """regression/main.py"""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        return self.fc(torch.cat([x ** i for i in range(1, 5)], 1))


def regression():
    model = Regression()
    return model, torch.optim.SGD(model.parameters(), lr=0.1), F.smooth_l1_loss, [(torch.randn(8, 1), torch.randn(8, 1))
                                                                                  for _ in range(2)], {}


class GraphConv(nn.Module):
    """gcn/main.py; the graph is a constant, a sample is a set of features of its nodes."""

    def __init__(self, nodes=6, width=5):
        super().__init__()
        self.first, self.second = nn.Linear(width, 8, bias=False), nn.Linear(8, 3, bias=False)
        adjacency = torch.eye(nodes) + torch.diag(torch.ones(nodes - 1), 1) + torch.diag(torch.ones(nodes - 1), -1)
        self.register_buffer("adjacency", adjacency / adjacency.sum(1, keepdim=True))

    def forward(self, x):
        h = F.dropout(F.relu(self.adjacency @ self.first(x)), 0.5, self.training)
        return F.log_softmax((self.adjacency @ self.second(h)).mean(1), dim=1)


def gcn():
    model = GraphConv()
    batches = [(torch.randn(8, 6, 5), torch.randint(0, 3, (8,))) for _ in range(2)]
    return model, torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4), F.nll_loss, batches, {}


ENTRIES = [
    Entry("pytorch/examples/mnist", mnist, "narrower", quick=True),
    Entry("pytorch/examples/mnist_rnn", mnist_rnn, "7x7 images"),
    Entry("pytorch/examples/word_language_model/LSTM", language_model("LSTM"), "two layers of width 12, tied"),
    Entry("pytorch/examples/word_language_model/GRU", language_model("GRU"), "two layers of width 12, tied"),
    Entry("pytorch/examples/word_language_model/Transformer", transformer, "two layers of width 16"),
    Entry("pytorch/examples/vae", vae, "7x7 images"),
    Entry("pytorch/examples/dcgan", dcgan, "width 4, 16x16 images"),
    Entry("pytorch/examples/super_resolution", super_resolution, "factor 2, 8x8 images", local=True),
    Entry("pytorch/examples/siamese_network", siamese, "a small trunk"),
    Entry("pytorch/examples/time_sequence_prediction", time_sequence, "five positions, Adam", quick=True, local=True),
    Entry("pytorch/examples/time_sequence_prediction/LBFGS", time_sequence_lbfgs, "its own optimizer",
          refused="LBFGS is not supported: it calls the loss several times per step"),
    Entry("pytorch/examples/regression", regression, "as there", local=True),
    Entry("pytorch/examples/gcn", gcn, "six nodes"),
]
