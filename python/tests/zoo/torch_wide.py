"""Models of further public packages (the extra zoo-wide of pyproject.toml), and further ones of timm and transformers,
each in a small configuration, without masks, so that a loop of one's own finds the same numbers twice."""
import functools
import importlib

import torch
import torch.nn.functional as F
from torch import nn

from table import Entry
from torch_vision import adamw, classified, timm

IMAGES = (4, 3, 32, 32)
WORDS = 40


def named(path):
    """What a module has under a name: package.module:Name."""
    module, _, name = path.partition(":")
    return functools.reduce(getattr, name.split("."), importlib.import_module(module))


def classes(path, images=IMAGES, optimizer=adamw, **options):
    """A network of images with ten classes."""
    return lambda: classified(named(path)(**options), images, optimizer=optimizer)


def trained(model, make, loss_fn, rate=1e-3):
    return model, torch.optim.AdamW(model.parameters(), lr=rate), loss_fn, [make() for _ in range(2)], {}


def regressed(path, shape, target=None, **options):
    """A network whose result has the shape of what it reads, or another one."""
    return lambda: trained(named(path)(**options), lambda: (torch.randn(shape), torch.randn(target or shape)),
                           F.mse_loss)


def tokens(make_model, length=8):
    """A network of words that gives scores of the next one."""
    def make():
        def batch():
            x = torch.randint(0, WORDS, (4, length + 1))
            return x[:, :-1].contiguous(), x[:, 1:].contiguous()
        return trained(make_model(), batch, lambda scores, y: F.cross_entropy(scores.flatten(0, 1), y.flatten()))
    return make


def x_transformer(layers="Decoder", **options):
    def model():
        import x_transformers
        return x_transformers.TransformerWrapper(num_tokens=WORDS, max_seq_len=16,
                                                 attn_layers=getattr(x_transformers,
                                                                     layers)(dim=16, depth=2, heads=2, attn_dim_head=8,
                                                                             **options))
    return tokens(model)


def sequence(path, **options):
    """Layers over [samples, positions, 16], between an embedding and scores."""
    return tokens(lambda: nn.Sequential(nn.Embedding(WORDS, 16), named(path)(**options), nn.Linear(16, WORDS)))


class Graphs(nn.Module):
    """Dense layers of PyTorch Geometric over graphs of six nodes, one of which is a sample."""

    def __init__(self, name):
        super().__init__()
        layer = named(f"torch_geometric.nn:{name}")
        self.first, self.second, self.head = layer(5, 8), layer(8, 8), nn.Linear(8, 3)

    def forward(self, x, edges):
        return self.head(self.second(F.relu(self.first(x, edges)), edges).mean(1))


def graphs(name):
    def make():
        batch = lambda: {"x": torch.randn(8, 6, 5), "edges": (torch.rand(8, 6, 6) > 0.5).float(),
                         "y": torch.randint(0, 3, (8,))}
        return trained(Graphs(name), batch, lambda model, b: F.cross_entropy(model(b["x"], b["edges"]), b["y"]))
    return make


VIT = {"image_size": 32, "patch_size": 8, "num_classes": 10, "dim": 16, "depth": 2, "heads": 2, "mlp_dim": 32}
DECODER = {"vocab_size": WORDS, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2,
           "num_attention_heads": 4, "max_position_embeddings": 16}
QUIET = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def transformer(kind, head=None, make_batch=None, **config):
    """A class of transformers and its configuration; the loss is its own."""
    def make():
        import transformers
        model = getattr(transformers, head or f"{kind}ForCausalLM")(getattr(transformers,
                                                                            f"{kind}Config")(**config)).train()

        def words():
            x = torch.randint(5, WORDS, (4, 8))
            return {"input_ids": x, "labels": x}
        return trained(model, make_batch or words, lambda model, batch: model(**batch).loss)
    return make


def pictures(classes=2):
    return {"pixel_values": torch.randn(4, 3, 32, 32), "labels": torch.randint(0, classes, (4,))}


def seen(kind, **config):
    return transformer(kind, f"{kind}ForImageClassification", pictures, **config)


SMALL, TWO = "two layers of width 16", "two blocks of width 16"
ENTRIES = [
    Entry("vit-pytorch/vit", classes("vit_pytorch.vit:ViT", **VIT), SMALL, package="vit_pytorch"),
    Entry("vit-pytorch/simple_vit", classes("vit_pytorch.simple_vit:SimpleViT", **VIT), SMALL, package="vit_pytorch"),
    Entry("vit-pytorch/deepvit", classes("vit_pytorch.deepvit:DeepViT", **VIT), SMALL, package="vit_pytorch"),
    Entry("vit-pytorch/parallel_vit", classes("vit_pytorch.parallel_vit:ViT", **VIT), SMALL, package="vit_pytorch"),
    Entry("vit-pytorch/vit_for_small_dataset", classes("vit_pytorch.vit_for_small_dataset:ViT", **VIT), SMALL,
          package="vit_pytorch"),
    Entry("vit-pytorch/learnable_memory_vit", classes("vit_pytorch.learnable_memory_vit:ViT", **VIT), SMALL,
          package="vit_pytorch"),
    Entry("vit-pytorch/cait", classes("vit_pytorch.cait:CaiT", cls_depth=1, **VIT), SMALL, package="vit_pytorch"),
    Entry("vit-pytorch/vit_with_patch_merger",
          classes("vit_pytorch.vit_with_patch_merger:ViT", patch_merge_layer=1, patch_merge_num_tokens=4, **VIT), SMALL,
          package="vit_pytorch"),
    Entry("vit-pytorch/cct", classes("vit_pytorch.cct:CCT", img_size=32, embedding_dim=16, n_conv_layers=1,
                                     num_layers=2, num_heads=2, mlp_ratio=2, num_classes=10, dropout_rate=0.0,
                                     attention_dropout=0.0, stochastic_depth_rate=0.0), SMALL, package="vit_pytorch"),
    Entry("vit-pytorch/pit", classes("vit_pytorch.pit:PiT", image_size=32, patch_size=8, dim=16, num_classes=10,
                                     depth=(1, 1), heads=2, mlp_dim=32), "two stages of one block",
          package="vit_pytorch"),
    Entry("vit-pytorch/levit", classes("vit_pytorch.levit:LeViT",
                                 image_size=32, num_classes=10, stages=2, dim=(16, 16), depth=1, heads=(2, 2),
                                       mlp_mult=2), "two stages of one block", package="vit_pytorch"),
    Entry("vit-pytorch/nest", classes("vit_pytorch.nest:NesT",
                                 image_size=32, patch_size=4, num_classes=10, dim=8, heads=1, num_hierarchies=2,
                                      block_repeats=(1, 1)), "two hierarchies of one block", package="vit_pytorch"),
    Entry("vit-pytorch/xcit", classes("vit_pytorch.xcit:XCiT", cls_depth=1, dim_head=8, **VIT), SMALL,
          package="vit_pytorch"),
    Entry("x-transformers/Decoder", x_transformer("Decoder"), SMALL, package="x_transformers"),
    Entry("x-transformers/Encoder", x_transformer("Encoder"), SMALL, package="x_transformers"),
    Entry("x-transformers/rotary", x_transformer("Decoder", rotary_pos_emb=True), SMALL + ", rotary positions",
          package="x_transformers"),
    Entry("x-transformers/alibi", x_transformer("Decoder", alibi_pos_bias=True), SMALL + ", ALiBi",
          package="x_transformers"),
    Entry("x-transformers/macaron", x_transformer("Decoder", macaron=True), SMALL + ", Macaron",
          package="x_transformers"),
    Entry("x-transformers/glu", x_transformer("Decoder", ff_glu=True, use_rmsnorm=True), SMALL + ", gated, RMSNorm",
          package="x_transformers"),
    Entry("x-transformers/qk_norm", x_transformer("Decoder", attn_qk_norm=True), SMALL + ", normed keys",
          package="x_transformers"),
    Entry("torch-geometric/DenseGCNConv", graphs("DenseGCNConv"), "two layers of width 8, graphs of 6 nodes",
          package="torch_geometric"),
    Entry("torch-geometric/DenseSAGEConv", graphs("DenseSAGEConv"), "two layers of width 8, graphs of 6 nodes",
          package="torch_geometric"),
    Entry("torch-geometric/DenseGraphConv", graphs("DenseGraphConv"), "two layers of width 8, graphs of 6 nodes",
          package="torch_geometric"),
    Entry("mlp-mixer-pytorch/MLPMixer", classes("mlp_mixer_pytorch:MLPMixer", image_size=32, channels=3, patch_size=8,
                                                dim=16, depth=2, num_classes=10), TWO, package="mlp_mixer_pytorch"),
    Entry("g-mlp-pytorch/gMLPVision", classes("g_mlp_pytorch:gMLPVision", image_size=32, patch_size=8, num_classes=10,
                                              dim=16, depth=2), TWO, package="g_mlp_pytorch"),
    Entry("linformer/Linformer", sequence("linformer:Linformer", dim=16, seq_len=8, depth=2, heads=2, k=4,
                                          one_kv_head=True), SMALL, package="linformer"),
    Entry("nystrom-attention/Nystromformer", sequence("nystrom_attention:Nystromformer", dim=16, dim_head=8, heads=2,
                                                      depth=2, num_landmarks=4), SMALL, package="nystrom_attention"),
    Entry("conformer/ConformerBlock", sequence("conformer:ConformerBlock", dim=16, dim_head=8, heads=2, ff_mult=2,
                                               conv_kernel_size=3), "one block of width 16", package="conformer"),
    Entry("perceiver-pytorch/Perceiver", regressed("perceiver_pytorch:Perceiver", (4, 8, 8, 3), (4, 10),
                                                   input_channels=3, num_freq_bands=2, max_freq=4.0, depth=1,
                                                   num_latents=4, latent_dim=16,
                                                   cross_heads=1, latent_heads=2, cross_dim_head=8, latent_dim_head=8,
                                                   num_classes=10), "one layer, 4 latents",
          package="perceiver_pytorch"),
    Entry("siren-pytorch/SirenNet", regressed("siren_pytorch:SirenNet", (16, 2), (16, 3), dim_in=2, dim_hidden=16,
                                              dim_out=3, num_layers=3), "three layers of width 16",
          package="siren_pytorch"),
    Entry("timm/resnet10t", timm("resnet10t", IMAGES), "full size, 32x32"),
    Entry("timm/lcnet_035", timm("lcnet_035", IMAGES), "full size, 32x32"),
    Entry("transformers/cohere", transformer("Cohere", **DECODER), SMALL),
    Entry("transformers/starcoder2", transformer("Starcoder2", **DECODER, num_key_value_heads=2), SMALL),
    Entry("transformers/granite", transformer("Granite", **DECODER), SMALL),
    Entry("transformers/smollm3", transformer("SmolLM3", **DECODER, num_key_value_heads=2, pad_token_id=0), SMALL),
    Entry("transformers/helium", transformer("Helium", **DECODER, head_dim=4, num_key_value_heads=2), SMALL),
    Entry("transformers/ernie4_5", transformer("Ernie4_5", **DECODER, num_key_value_heads=2), SMALL),
    Entry("transformers/roformer", transformer("RoFormer", "RoFormerForMaskedLM", **DECODER, **QUIET), SMALL),
    Entry("transformers/convbert", transformer("ConvBert", "ConvBertForMaskedLM", **DECODER, **QUIET,
                                               embedding_size=16), SMALL),
    Entry("transformers/megatron_bert", transformer("MegatronBert", "MegatronBertForMaskedLM", **DECODER, **QUIET),
          SMALL),
    Entry("transformers/dinov2", seen("Dinov2", hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
                                      image_size=32, patch_size=8), SMALL),
    Entry("transformers/convnext", seen("ConvNext", hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1]), SMALL),
    Entry("transformers/resnet", seen("ResNet", embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1]), SMALL),
]
