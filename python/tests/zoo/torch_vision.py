"""Image models of torchvision and timm. Real classes; small widths, depths and images."""
import torch
import torch.nn.functional as F

from table import Entry


def classified(model, images=(8, 3, 32, 32), classes=10, optimizer=None):
    """Cross entropy of images, by SGD with momentum unless said otherwise."""
    batches = [(torch.randn(*images), torch.randint(0, classes, images[:1])) for _ in range(2)]
    optimizer = optimizer or (lambda parameters: torch.optim.SGD(parameters, lr=0.01, momentum=0.9, weight_decay=1e-4))
    return model, optimizer(model.parameters()), F.cross_entropy, batches, {}


def adamw(parameters):
    return torch.optim.AdamW(parameters, lr=1e-3)


def resnet(block, layers, **options):
    def make():
        from torchvision.models import resnet as family
        return classified(family.ResNet(getattr(family, block), layers, num_classes=10, **options))
    return make


def torchvision(name, images=(8, 3, 32, 32), optimizer=None, **options):
    def make():
        import torchvision
        return classified(getattr(torchvision.models, name)(num_classes=10, **options), images, optimizer=optimizer)
    return make


def densenet():
    from torchvision.models import DenseNet
    return classified(DenseNet(8, (2, 2), 16, bn_size=2, num_classes=10))


def mobilenet_v3():
    from torchvision.models.mobilenetv3 import InvertedResidualConfig as Block, MobileNetV3
    blocks = [Block(8, 3, 16, 8, True, "RE", 2, 1, 1.0), Block(8, 3, 24, 16, False, "HS", 2, 1, 1.0),
              Block(16, 5, 32, 16, True, "HS", 1, 1, 1.0)]
    return classified(MobileNetV3(blocks, 32, num_classes=10))


def efficientnet():
    from torchvision.models.efficientnet import EfficientNet, MBConvConfig as Block
    blocks = [Block(1, 3, 1, 32, 16, 1, 0.25, 1.0), Block(6, 3, 2, 16, 24, 2, 0.25, 1.0)]
    return classified(EfficientNet(blocks, 0.2, stochastic_depth_prob=0.2, num_classes=10, last_channel=64))


def convnext():
    from torchvision.models.convnext import CNBlockConfig, ConvNeXt
    return classified(ConvNeXt([CNBlockConfig(16, 32, 1), CNBlockConfig(32, None, 1)], stochastic_depth_prob=0.1,
                               num_classes=10), optimizer=adamw)


def swin():
    from torchvision.models import SwinTransformer
    return classified(SwinTransformer([2, 2], 8, [2, 2], [2, 4], [4, 4], stochastic_depth_prob=0.1, num_classes=10),
                      optimizer=adamw)


def vit():
    from torchvision.models import VisionTransformer
    return classified(VisionTransformer(32, 8, 2, 4, 32, 64, dropout=0.1, num_classes=10), optimizer=adamw)


def shufflenet():
    from torchvision.models import ShuffleNetV2
    return classified(ShuffleNetV2([2, 2, 2], [8, 16, 24, 32, 64], num_classes=10))


def mobilenet_v2():
    from torchvision.models import MobileNetV2
    return classified(MobileNetV2(num_classes=10, width_mult=0.25,
                                  inverted_residual_setting=[[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 1, 2]]))


def deeplab():
    from torchvision.models import resnet as family
    from torchvision.models._utils import IntermediateLayerGetter
    from torchvision.models.segmentation.deeplabv3 import DeepLabHead, DeepLabV3
    trunk = IntermediateLayerGetter(family.ResNet(family.BasicBlock, [1, 1, 1, 1]), {"layer2": "out"})
    model = DeepLabV3(trunk, DeepLabHead(128, 4))
    batches = [(torch.randn(4, 3, 32, 32), torch.randint(0, 4, (4, 32, 32))) for _ in range(2)]
    return model, torch.optim.SGD(model.parameters(),
                                  lr=0.01), lambda scores, labels: F.cross_entropy(scores["out"], labels), batches, {}


def timm(name, images=(8, 3, 32, 32), optimizer=adamw, **options):
    def make():
        import timm
        return classified(timm.create_model(name, num_classes=10, **options), images, optimizer=optimizer)
    return make


def timm_class(module, name, optimizer=adamw, **options):
    """For models whose registered sizes cannot be changed."""
    def make():
        import importlib
        return classified(getattr(importlib.import_module(f"timm.models.{module}"), name)(num_classes=10, **options),
                          optimizer=optimizer)
    return make


def mixer(block):
    def make():
        from timm.models import mlp_mixer
        more = {} if block == "MixerBlock" else {"block_layer": getattr(mlp_mixer, block), "mlp_ratio": 4}
        return classified(mlp_mixer.MlpMixer(num_classes=10, img_size=32, patch_size=8, embed_dim=32, num_blocks=2,
                                             **more), optimizer=adamw)
    return make


SMALL_VIT = {"img_size": 32, "patch_size": 8, "embed_dim": 32, "depth": 2, "num_heads": 4}
ENTRIES = [
    Entry("torchvision/resnet18", resnet("BasicBlock", [1, 1, 1, 1]), "one block per stage, 32x32", quick=True),
    Entry("torchvision/resnet50", resnet("Bottleneck", [1, 1, 1, 1], width_per_group=16),
          "one block per stage, width 16, 32x32"),
    Entry("torchvision/resnext50", resnet("Bottleneck", [1, 1, 1, 1], groups=4, width_per_group=8),
          "one block per stage, 4 groups of 8"),
    Entry("torchvision/densenet121", densenet, "growth 8, two blocks of two layers"),
    Entry("torchvision/mobilenet_v2", mobilenet_v2, "width 0.25, three stages"),
    Entry("torchvision/mobilenet_v3", mobilenet_v3, "three blocks with squeeze and excitation", quick=True),
    Entry("torchvision/efficientnet", efficientnet, "two stages, stochastic depth 0.2"),
    Entry("torchvision/convnext", convnext, "two stages of one block, stochastic depth 0.1"),
    Entry("torchvision/swin", swin, "two stages of two blocks, windows of 4x4", quick=True),
    Entry("torchvision/vit", vit, "two layers of width 32, patches of 8x8"),
    Entry("torchvision/deeplabv3", deeplab, "a ResNet of two stages, windows 12, 24 and 36 apart"),
    Entry("torchvision/shufflenet_v2", shufflenet, "stages of two units"),
    Entry("torchvision/squeezenet1_1", torchvision("squeezenet1_1", (4, 3, 32, 32)), "32x32"),
    Entry("timm/vit", timm("vit_tiny_patch16_224", drop_path_rate=0.1, **SMALL_VIT), "two layers of width 32, drop "
          "path 0.1"),
    Entry("timm/deit", timm("deit_tiny_distilled_patch16_224", **SMALL_VIT), "two layers of width 32", local=True),
    Entry("timm/beit", timm("beit_base_patch16_224", **SMALL_VIT), "two layers of width 32", local=True),
    Entry("timm/mlp_mixer", mixer("MixerBlock"), "two blocks of width 32", local=True),
    Entry("timm/resmlp", mixer("ResBlock"), "two blocks of width 32", local=True),
    Entry("timm/convmixer", timm_class("convmixer", "ConvMixer", dim=16, depth=2, kernel_size=3, patch_size=4),
          "two layers of width 16"),
    Entry("timm/convnextv2", timm_class("convnext", "ConvNeXt", depths=(1, 1, 1, 1), dims=(8, 16, 16, 32), use_grn=True,
                                        ls_init_value=None, drop_path_rate=0.1), "stages of one block"),
    Entry("timm/poolformer", timm_class("metaformer", "MetaFormer", depths=(1, 1, 1, 1), dims=(8, 16, 16, 32)),
          "stages of one block", local=True),
    Entry("timm/seresnet18", timm("seresnet18", (4, 3, 32, 32)), "full size, 32x32"),
    Entry("timm/tnt", timm("tnt_s_patch16_224", (2, 3, 224, 224), depth=1), "one block, 224x224"),
]
