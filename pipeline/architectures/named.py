"""Named networks, each as the settings of its family.

A name that torchvision uses refers to torchvision's network. If the paper's network differs, it has another name:
`alexnet_2012`, `inception_v1`.
"""

import re
from typing import Any

from pipeline.architectures.families.efficientnet import SCALES
from pipeline.architectures.families.regnet import stages
from pipeline.architectures.network import ArchitectureError
from schemas.spelling import find, nearest

Settings = dict[str, Any]

CLASSES = 1000


def named(name: str) -> Settings:
    """Return the settings of a network by name or alias, in the form that `counted` takes.

    Raise ArchitectureError, with the nearest name, if the name is unknown.

    >>> named("resnet50")
    {'family': 'resnet', 'depth': 50, 'image_size': 224, 'classes': 1000}
    """
    names = (*NAMED, *ALIASES)
    spelling = find(name, names)
    if spelling is None:
        hint = nearest(name, names, longest_list=0) or "; `flopledger count --list` names them all"
        if name.isidentifier():
            hint += f"{' Otherwise' if hint.endswith('?') else ';'} count torch:torchvision.models:{name} or torch:timm.models:{name}"
        raise ArchitectureError(f"{name!r} is not a named network{hint}")
    settings = dict(NAMED[ALIASES.get(spelling, spelling)])
    # In timm, a transformer's name ends in its image size, unless that is 224.
    size = re.search(r"_(384)$", spelling)
    return {**settings, "image_size": int(size[1])} if size else settings


def _image(family: str, image_size: int = 224, **numbers: Any) -> Settings:
    return {"family": family, **numbers, "image_size": image_size, "classes": CLASSES}


# ResNeXt (arXiv 1611.05431): depth, groups and their width in the first stage, as torchvision names and builds them.
RESNEXTS = ((50, 32, 4), (101, 32, 4), (101, 32, 8), (101, 32, 16), (101, 32, 32), (101, 64, 4))

# The papers' width multipliers, as timm writes them.
MOBILENET_WIDTHS = {
    "mobilenet_v1": (25, 50, 75, 100, 125),
    "mobilenet_v2": (35, 50, 75, 100, 140),
    "mobilenet_v3_large": (75, 100),
    "mobilenet_v3_small": (75, 100),
}


def _mobilenet(name: str, width_percent: int) -> Settings:
    family = name.removesuffix("_large").removesuffix("_small")
    small = {"is_small": True} if name.endswith("small") else {}
    return _image(family, **small, **({} if width_percent == 100 else {"width_percent": width_percent}))


# Depth, w_0, w_a, w_m and group width (arXiv 2003.13678, section 3.3) by hundreds of mega multiply-adds: the authors'
# configurations (github.com/facebookresearch/pycls, dds_baselines) as in timm's regnet.py and in torchvision.
REGNETS = {
    "x_002": (13, 24, 36.44, 2.49, 8),
    "x_004": (22, 24, 24.48, 2.54, 16),
    "x_006": (16, 48, 36.97, 2.24, 24),
    "x_008": (16, 56, 35.73, 2.28, 16),
    "x_016": (18, 80, 34.01, 2.25, 24),
    "x_032": (25, 88, 26.31, 2.25, 48),
    "x_040": (23, 96, 38.65, 2.43, 40),
    "x_064": (17, 184, 60.83, 2.07, 56),
    "x_080": (23, 80, 49.56, 2.88, 120),
    "x_120": (19, 168, 73.36, 2.37, 112),
    "x_160": (22, 216, 55.59, 2.1, 128),
    "x_320": (23, 320, 69.86, 2.0, 168),
    "y_002": (13, 24, 36.44, 2.49, 8),
    "y_004": (16, 48, 27.89, 2.09, 8),
    "y_006": (15, 48, 32.54, 2.32, 16),
    "y_008": (14, 56, 38.84, 2.4, 16),
    "y_016": (27, 48, 20.71, 2.65, 24),
    "y_032": (21, 80, 42.63, 2.66, 24),
    "y_040": (22, 96, 31.41, 2.24, 64),
    "y_064": (25, 112, 33.22, 2.27, 72),
    "y_080": (17, 192, 76.82, 2.19, 56),
    "y_120": (19, 168, 73.36, 2.37, 112),
    "y_160": (18, 200, 106.23, 2.48, 112),
    "y_320": (20, 232, 115.89, 2.53, 232),
    "y_1280": (27, 456, 160.83, 2.52, 264),
}
# RegNets that differ in torchvision, which rounds differently; timm adds _tv to their names.
TORCHVISION_ROUNDED = ("x_004", "y_008", "y_080")


def _regnet(name: str, rounds_halves_up: bool) -> Settings:
    depths, widths = stages(*REGNETS[name], rounds_halves_up=rounds_halves_up)
    squeeze = {"has_squeeze": True} if name.startswith("y") else {}
    return _image("regnet", depths=depths, widths=widths, group_width=REGNETS[name][-1], **squeeze)


# arXiv 2201.03545, section 3: blocks and channels of each stage. Atto to nano and xxlarge are timm's.
CONVNEXTS = {
    "atto": ([2, 2, 6, 2], [40, 80, 160, 320]),
    "femto": ([2, 2, 6, 2], [48, 96, 192, 384]),
    "pico": ([2, 2, 6, 2], [64, 128, 256, 512]),
    "nano": ([2, 2, 8, 2], [80, 160, 320, 640]),
    "tiny": ([3, 3, 9, 3], [96, 192, 384, 768]),
    "small": ([3, 3, 27, 3], [96, 192, 384, 768]),
    "base": ([3, 3, 27, 3], [128, 256, 512, 1024]),
    "large": ([3, 3, 27, 3], [192, 384, 768, 1536]),
    "xlarge": ([3, 3, 27, 3], [256, 512, 1024, 2048]),
    "xxlarge": ([3, 4, 30, 3], [384, 768, 1536, 3072]),
}

# Width, layers and heads. Base, large and huge: arXiv 2010.11929, table 1; tiny and small: DeiT, arXiv 2012.12877,
# table 1.
VISION_TRANSFORMERS = {
    "tiny": (192, 12, 3),
    "small": (384, 12, 6),
    "base": (768, 12, 12),
    "large": (1024, 24, 16),
    "huge": (1280, 32, 16),
}
PATCHES = {"tiny": (16,), "small": (16, 32), "base": (16, 32), "large": (16, 32), "huge": (14,)}

# arXiv 2103.14030, section 3.3: channels, blocks of the third stage; a head has 32 channels.
SWINS = {"tiny": (96, 6), "small": (96, 18), "base": (128, 18), "large": (192, 18)}

# arXiv 2105.01601, table 1: layers, width, and the widths between patches and between channels.
MIXERS = {"s": (8, 512, 256, 2048), "b": (12, 768, 384, 3072), "l": (24, 1024, 512, 4096)}


def _vision_transformer(patch: int, width: int, layers: int, heads: int) -> Settings:
    sizes = {"patch_size": patch, "width": width, "layers": layers, "heads": heads}
    return _image("vision_transformer", **sizes, feed_forward_width=4 * width)


def _swin(width: int, third: int) -> Settings:
    return _image("swin", width=width, depths=[2, 2, third, 2], heads=[width * 2**stage // 32 for stage in range(4)])


def _mixer(patch: int, layers: int, width: int, tokens: int, channels: int) -> Settings:
    sizes = {"layers": layers, "width": width, "patch_size": patch}
    return _image("mlp_mixer", **sizes, token_width=tokens, channel_width=channels)


NAMED: dict[str, Settings] = {
    "alexnet": _image("alexnet", is_one_column=True),
    "alexnet_2012": _image("alexnet"),
    **{
        f"vgg{depth}{ending}": _image("vgg", depth=depth, is_pooled_to_seven=True, **norm)
        for ending, norm in {"": {}, "_bn": {"has_batch_norm": True}}.items()
        for depth in (11, 13, 16, 19)
    },
    **{f"resnet{depth}": _image("resnet", depth=depth) for depth in (18, 34, 50, 101, 152)},
    **{
        f"resnext{depth}_{groups}x{width}d": _image("resnet", depth=depth, groups=groups, width_per_group=width)
        for depth, groups, width in RESNEXTS
    },
    # Wide: arXiv 1605.07146.
    **{f"wide_resnet{depth}_2": _image("resnet", depth=depth, width_per_group=128) for depth in (50, 101)},
    **{f"resnetv2_{depth}": _image("resnet", depth=depth, is_pre_activation=True) for depth in (18, 34, 50, 101, 152)},
    "googlenet": _image("inception_v1", has_batch_norm=True, largest_kernel=3),
    "inception_v1": _image("inception_v1"),
    "inception_v3": _image("inception_v3", 299),
    "inception_v4": _image("inception_v4", 299),
    "inception_resnet_v2": _image("inception_resnet_v2", 299),
    "xception": _image("xception", 299),
    **{f"xception{depth}": _image("xception", 299, depth=depth) for depth in (41, 65, 71)},
    **{f"densenet{depth}": _image("densenet", depth=depth) for depth in (121, 161, 169, 201)},
    **{
        name if width == 100 else f"{name}_{width:03d}": _mobilenet(name, width)
        for name, widths in MOBILENET_WIDTHS.items()
        for width in widths
    },
    **{
        f"efficientnet_b{index}": _image("efficientnet", size, width_percent=width, depth_percent=depth)
        for index, (width, depth, size) in enumerate(SCALES)
    },
    **{
        f"regnet{name}{ending}": _regnet(name, rounds_halves_up=bool(ending))
        for name in REGNETS
        for ending in (("", "_tv") if name in TORCHVISION_ROUNDED else ("",))
    },
    **{
        f"convnext_{size}": _image("convnext", depths=depths, widths=widths)
        for size, (depths, widths) in CONVNEXTS.items()
    },
    **{
        f"vit_{size}_patch{patch}": _vision_transformer(patch, *numbers)
        for size, numbers in VISION_TRANSFORMERS.items()
        for patch in PATCHES[size]
    },
    **{f"swin_{size}_patch4_window7": _swin(*numbers) for size, numbers in SWINS.items()},
    **{f"mixer_{size}{patch}": _mixer(patch, *numbers) for size, numbers in MIXERS.items() for patch in (16, 32)},
}

# Other names that torchvision and timm use for the same networks.
ALIASES: dict[str, str] = {
    "legacy_xception": "xception",
    "gluon_inception_v3": "inception_v3",
    "gluon_xception65": "xception65",
    "efficientnet_b2a": "efficientnet_b2",
    "efficientnet_b3a": "efficientnet_b3",
    **{
        f"{prefix}_{name}": name
        for prefix, names in {
            "tv": ("densenet121", "resnet34", "resnet50", "resnet101", "resnet152", "resnext50_32x4d"),
            "tf": tuple(f"efficientnet_b{index}" for index in range(len(SCALES))),
        }.items()
        for name in names
    },
    **{
        f"{name.replace('_v', 'v')}_{width:03d}": name if width == 100 else f"{name}_{width:03d}"
        for name, widths in MOBILENET_WIDTHS.items()
        for width in widths
    },
    **{
        f"regnet_{letter}_{theirs}": f"regnet{letter}_{ours}"
        for letter in "xy"
        for theirs, ours in {
            "400mf": "004_tv" if letter == "x" else "004",
            "800mf": "008_tv" if letter == "y" else "008",
            "1_6gf": "016",
            "3_2gf": "032",
            "8gf": "080_tv" if letter == "y" else "080",
            "16gf": "160",
            "32gf": "320",
        }.items()
    },
    "regnet_y_128gf": "regnety_1280",
    **{f"{name}_{size}": name for name in NAMED if name.startswith("vit_") for size in (224, 384)},
    **{
        f"deit_{size}_patch16_{image}": f"vit_{size}_patch16"
        for size in ("tiny", "small", "base")
        for image in (224, 384)
    },
    **{f"{name}_224": name for name in NAMED if name.startswith(("swin_", "mixer_"))},
    **{
        f"vit_{size[0]}_{patch}": f"vit_{size}_patch{patch}"
        for size in ("base", "large", "huge")
        for patch in PATCHES[size]
    },
    **{f"swin_{size[0]}": f"swin_{size}_patch4_window7" for size in ("tiny", "small", "base")},
}
