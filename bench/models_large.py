"""The models of `bench/models.py --large`: sizes that people train. Without them a benchmark measures calls, not
products."""
import torch
from torch import nn

import torch_examples
import torch_language
import torch_vision

ROWS = 1_000_000


def language(kind, head, rows, length, **config):
    """A model of transformers in its published size. Without random masks, which the peers in JAX do not draw
    either."""
    def batch():
        x = torch.randint(5, config["vocab_size"], (rows, length))
        return {"input_ids": x, "labels": x}
    return torch_language.of(kind, batch, head, **config)


class Dlrm(nn.Module):
    """Naumov et al., "Deep Learning Recommendation Model" (2019): dense and sparse features, their dot products, and a
    classifier."""

    def __init__(self, tables=4, width=16):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(ROWS, width) for _ in range(tables))
        self.bottom = nn.Sequential(nn.Linear(13, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                                    nn.Linear(256, width), nn.ReLU())
        pairs = (tables + 1) * tables // 2
        self.top = nn.Sequential(nn.Linear(width + pairs, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                                 nn.Linear(256, 2))
        self.register_buffer("below", torch.tril_indices(tables + 1, tables + 1, -1))

    def forward(self, features):
        dense, sparse = features[:, :13], features[:, 13:].long()
        x = self.bottom(dense)
        vectors = torch.stack([x] + [table(sparse[:, i]) for i, table in enumerate(self.tables)], 1)
        products = vectors @ vectors.transpose(1, 2)
        return self.top(torch.cat([x, products[:, self.below[0], self.below[1]]], 1))


def dlrm(rows=2048, tables=4):
    def make():
        # Rows of tables are read from float32 features: exact below 2^24.
        features = torch.cat([torch.randn(rows, 13), torch.randint(0, ROWS, (rows, tables)).float()], 1)
        model = Dlrm(tables)
        return model, torch.optim.SGD(model.parameters(),
                                      lr=0.1), nn.functional.cross_entropy, [(features,
                                                                              torch.randint(0, 2, (rows,)))], {}
    return make


def models(Model, gpt_network):
    """Returns the models by name, in the form of models_torch.MODELS."""
    return {
        **{f"gpt_s{length}": Model(gpt_network(length), f"4 layers of width 512, {length} of 256 symbols, batch 8, "
                                   "AdamW") for length in (128, 512, 1024)},
        "gpt2_124m": Model(language("GPT2", "GPT2LMHeadModel", 4, 512, vocab_size=50257, resid_pdrop=0.0,
                                    embd_pdrop=0.0, attn_pdrop=0.0),
                           "transformers, GPT-2 of 124M, 4 rows of 512, AdamW", "transformers/gpt2"),
        "bert_base": Model(language("Bert", "BertForMaskedLM", 16, 128, vocab_size=30522, hidden_dropout_prob=0.0,
                                    attention_probs_dropout_prob=0.0),
                           "transformers, BERT-base, 16 rows of 128, AdamW", "transformers/bert"),
        "vit_b16": Model(torch_vision.timm("vit_base_patch16_224", (16, 3, 224, 224)), "timm, ViT-B/16, 16 images of "
                         "224x224, AdamW", "timm/vit"),
        "resnet50_224": Model(torch_vision.torchvision("resnet50", (32, 3, 224, 224)), "torchvision, 32 images of "
                              "224x224, SGD", "torchvision/resnet50"),
        "lstm_1024": Model(torch_examples.language_model("LSTM", 10_000, 1024, (20, 35)),
                           "pytorch/examples, 2 layers of width 1024, 20 rows of 35 of 10,000 words, SGD",
                           "pytorch/examples/word_language_model/LSTM"),
        "dlrm": Model(dlrm(), "4 tables of 1,000,000 rows of width 16, batch 2048, SGD"),
    }
