"""The models of bench/models.py: real classes as python/tests/zoo makes them, at sizes that are trained. Batch 8."""
import dataclasses
import pathlib
import sys
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python/tests/zoo"))
import torch
import torch.nn.functional as F
from torch import nn

import models_large
import torch_examples
import torch_language
import torch_vision

IMAGES, WORDS, LENGTH = (8, 3, 64, 64), 2000, 64


@dataclasses.dataclass(frozen=True)
class Model:
    """`make` returns (model, optimizer, loss_fn, batches, options of ds.torch.export). `small` is the same model in the
    zoo, for runs that are not timed."""
    make: Callable
    config: str
    small: str = ""


def words(padded=False):
    """Tokens and their labels; with `padded`, rows of different lengths."""
    x = torch.randint(5, WORDS, (8, LENGTH))
    mask = torch.ones_like(x)
    for row in range(len(x)):
        mask[row, LENGTH - 4 * row:] = 0
    return {"input_ids": x, "attention_mask": mask, "labels": x.masked_fill(mask == 0, -100)} if padded else {
        "input_ids": x, "labels": x}


def transformer(kind, head, config, batch=words):
    sizes = {"vocab_size": WORDS} | config
    return torch_language.of(kind, batch, head, **sizes)


WIDE = {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "max_position_embeddings": LENGTH}
VIT = {"img_size": 64, "patch_size": 8, "embed_dim": 192, "depth": 6, "num_heads": 3}


class Mlp(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                         nn.Linear(256, 10))


class Cnn(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(32, 64, 3, padding=1),
                         nn.ReLU(), nn.MaxPool2d(2, 2),
                         nn.Flatten(), nn.Linear(3136, 256), nn.ReLU(), nn.Linear(256, 10))


class Block(nn.Module):
    """Attention and a feed-forward network, both behind a norm."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.norm1, self.norm2 = heads, nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        rows, length, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(rows, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1,
                                                                                                            4)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(rows, length,
                                                                                                         width))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt(nn.Module):
    """Layers with causal attention over 256 symbols, the embedding tied."""

    def __init__(self, length=64, width=128, layers=2, heads=4):
        super().__init__()
        self.embed, self.position = nn.Parameter(0.02
                                                 * torch.randn(256, width)), nn.Parameter(0.02
                                                                                          * torch.randn(length, width))
        self.layers, self.norm = nn.Sequential(*(Block(width, heads) for _ in range(layers))), nn.LayerNorm(width)

    def forward(self, tokens):
        return self.norm(self.layers(F.embedding(tokens, self.embed) + self.position)) @ self.embed.T


def digits(batch):
    return torch.randn(batch, 1, 28, 28), torch.randint(0, 10, (batch,))


def symbols(batch, length=64):
    text = torch.randint(0, 256, (batch, length + 1))
    return text[:, :-1].contiguous(), text[:, 1:].contiguous()


def network(kind, batch, optimizer, **options):
    """One of the steps of this file. `kind` makes the model and `batch` the samples."""
    def make():
        x, y = batch()
        model = kind()
        loss_fn = lambda scores, y: F.cross_entropy(scores.reshape(-1, scores.shape[-1]), y.reshape(-1))
        return model, optimizer(model.parameters(), **options), loss_fn, [(x, y)], {}
    return make


def large_gpt(length):
    return network(lambda: Gpt(length, 512, 4, 8), lambda: symbols(8, length), torch.optim.AdamW, lr=1e-3)


def vision(name, **options):
    return torch_vision.torchvision(name, IMAGES, **options)


MODELS = {
    "resnet18": Model(vision("resnet18"), "torchvision, 64x64 images, SGD", "torchvision/resnet18"),
    "resnet50": Model(vision("resnet50"), "torchvision, 64x64 images, SGD", "torchvision/resnet50"),
    "mobilenet_v3": Model(vision("mobilenet_v3_large"), "torchvision, large, 64x64 images, SGD",
                          "torchvision/mobilenet_v3"),
    "densenet": Model(vision("densenet121"), "torchvision, 121 layers, 64x64 images, SGD", "torchvision/densenet121"),
    "convnext": Model(vision("convnext_tiny", optimizer=torch_vision.adamw), "torchvision, tiny, 64x64 images, AdamW",
                      "torchvision/convnext"),
    "vit": Model(torch_vision.timm("vit_tiny_patch16_224", IMAGES, **VIT), "timm, 6 layers of width 192, 64 patches, "
                 "AdamW", "timm/vit"),
    "gpt2": Model(transformer("GPT2", "GPT2LMHeadModel",
                              {"n_embd": 256, "n_layer": 4, "n_head": 4, "n_positions": LENGTH}),
                  "transformers, 4 layers of width 256, 64 of 2000 words, AdamW", "transformers/gpt2"),
    "llama": Model(transformer("Llama", "LlamaForCausalLM",
                               WIDE | {"intermediate_size": 688, "num_key_value_heads": 2}),
                   "transformers, 4 layers of width 256, 64 of 2000 words, AdamW", "transformers/llama"),
    "bert": Model(transformer("Bert", "BertForMaskedLM", WIDE | {"intermediate_size": 1024},
                              lambda: words(padded=True)),
                  "transformers, 4 layers of width 256, padded rows of 64 of 2000 words, AdamW", "transformers/bert"),
    "lstm": Model(torch_examples.language_model("LSTM", WORDS, 200, (8, 35)), "pytorch/examples, 2 layers of width "
                  "200, 35 of 2000 words, SGD",
                  "pytorch/examples/word_language_model/LSTM"),
    "mlp": Model(network(Mlp, lambda: digits(256), torch.optim.SGD, lr=0.1), "784-512-256-10, batch 256, SGD"),
    "gpt": Model(network(Gpt, lambda: symbols(16), torch.optim.Adam, lr=1e-3), "2 layers of width 128, 64 of 256 "
                 "symbols, batch 16, Adam"),
    "cnn": Model(network(Cnn, lambda: digits(128), torch.optim.Adam, lr=1e-3), "3x3x32, pool, 3x3x64, pool, 256, 10 on "
                 "28x28, batch 128, Adam"),
} | models_large.models(Model, large_gpt)


def make(name, small):
    model = MODELS[name]
    if not small or not model.small:
        return model.make()
    entries = torch_vision.ENTRIES + torch_language.ENTRIES + torch_examples.ENTRIES
    return next(entry.make() for entry in entries if entry.name == model.small)
