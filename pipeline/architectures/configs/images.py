"""Readers of Swin, and of convolutional image classifiers whose configs have settings that the families lack."""

from functools import partial
from math import ceil

from pipeline.architectures.configs.keys import Keys
from pipeline.architectures.convolutions import convolution, residual, residual_stages, rounded_channels
from pipeline.architectures.families.convnext import body as convnext_body
from pipeline.architectures.families.efficientnet import block as efficientnet_block
from pipeline.architectures.families.mobilenet_v1 import body as mobilenet_v1_body
from pipeline.architectures.families.mobilenet_v2 import STAGES, inverted_residual
from pipeline.architectures.families.regnet import residual_block
from pipeline.architectures.families.swin import Swin
from pipeline.architectures.network import Input, Layer, Lengths, Node, Repeat, Sum

TASKS = ("ForImageClassification", "Model")


def _classes(keys: Keys) -> int | None:
    # None if the network has no head.
    return keys.labels() or None if keys.task("ForImageClassification", TASKS) == "ForImageClassification" else None


def _build(keys: Keys, nodes: list[Node], *norm: Node) -> list[Node]:
    """Return the whole network: an image, these nodes, and the head of the class that the config names."""
    classes, size = _classes(keys), keys.image()
    head = [Layer("linear", {"out_features": classes})] if classes else []
    return [Input((keys.whole("num_channels"), size, size)), *nodes, Layer("global_average_pool2d"), *norm, *head]


def swin(keys: Keys) -> list[Node]:
    """Return a Swin."""
    size, width, patch = keys.image(), keys.whole("embed_dim"), keys.whole("patch_size")
    heads, depths = zip(*_stages(keys, "num_heads"), strict=True)
    keys.known |= {"hidden_size", "num_layers", "path_norm"}  # follow from the keys above
    for stage, number in enumerate(heads):
        keys.divided("num_heads", width << stage, number, f"a width of {width << stage}")
    if patch > size:
        raise keys.error("patch_size", f"is {patch}, larger than the image ({size})")
    return Swin(
        image_size=size,
        width=width,
        depths=list(depths),
        heads=list(heads),
        classes=_classes(keys),
        patch_size=patch,
        window=keys.whole("window_size"),
        feed_forward_ratio=int(keys.number("mlp_ratio")),
        channels=keys.whole("num_channels"),
        has_attention_biases=keys.flag("qkv_bias"),
        has_learned_positions=keys.flag("use_absolute_embeddings"),
    ).nodes(Lengths())


def _stages(keys: Keys, key: str = "hidden_sizes") -> list[tuple[int, int]]:
    widths, depths = keys.wholes(key), keys.wholes("depths")
    keys.known.add("num_stages")
    if len(widths) != len(depths):
        raise keys.error(key, f"has {len(widths)} numbers for {len(depths)} depths")
    if keys.config.get("num_stages", len(depths)) != len(depths):
        raise keys.error("num_stages", f"must be {len(depths)}, the number of depths")
    return list(zip(widths, depths, strict=True))


def convnext(keys: Keys) -> list[Node]:
    """Return a ConvNeXt; the output of each block is scaled if layer_scale_init_value is above 0."""
    has_scale = keys.number("layer_scale_init_value", least=0) > 0
    nodes = convnext_body(_stages(keys), keys.whole("patch_size"), has_scale)
    return _build(keys, nodes, Layer("layer_norm"))


def resnet(keys: Keys) -> list[Node]:
    """Return a ResNet of basic blocks or bottlenecks. The default image size is 224, because its configs state none."""
    stem, first_stride = keys.whole("embedding_size"), 2 if keys.flag("downsample_in_first_stage") else 1
    is_bottleneck = keys.word("layer_type", ["basic", "bottleneck"]) == "bottleneck"
    strides_first = keys.flag("downsample_in_bottleneck")

    def block(width: int, out: int, stride: int) -> list[Node]:
        if not is_bottleneck:
            return residual([*convolution(out, 3, stride), *convolution(out, 3, activation=None)], width, out, stride)
        inner = keys.checked("hidden_sizes", out // 4)
        # Either the first or the second convolution of a bottleneck makes the map smaller.
        steps = (stride, 1) if strides_first else (1, stride)
        inner_layers = [*convolution(inner, 1, steps[0]), *convolution(inner, 3, steps[1])]
        return residual([*inner_layers, *convolution(out, 1, activation=None)], width, out, stride)

    pool = Layer("max_pool2d", {"kernel": 3, "stride": 2, "padding": 1})
    return _build(keys, [*convolution(stem, 7, 2), pool, *residual_stages(stem, _stages(keys), first_stride, block)])


def regnet(keys: Keys) -> list[Node]:
    """Return a RegNetX or a RegNetY."""
    stem, first_stride = keys.whole("embedding_size"), 2 if keys.flag("downsample_in_first_stage") else 1
    has_squeeze = keys.word("layer_type", ["x", "y"]) == "y"
    group_width = keys.whole("groups_width")
    for out, _ in _stages(keys):
        if out % (groups := max(1, out // group_width)):
            raise keys.error("groups_width", f"gives {groups} groups, which do not divide {out} channels")
    block = partial(residual_block, group_width=group_width, has_squeeze=has_squeeze)
    return _build(keys, [*convolution(stem, 3, 2), *residual_stages(stem, _stages(keys), first_stride, block)])


def mobilenet_v1(keys: Keys) -> list[Node]:
    """Return a MobileNet V1 with channels truncated to whole numbers, not rounded to multiples of 8."""
    multiplier, least = keys.number("depth_multiplier"), keys.whole("min_depth")
    return _build(keys, mobilenet_v1_body(lambda channels: max(int(channels * multiplier), least)))


def mobilenet_v2(keys: Keys) -> list[Node]:
    """Return a MobileNet V2. Once a map is output_stride times smaller than the image, strides become dilations."""
    multiplier, divisor = keys.number("depth_multiplier"), keys.whole("depth_divisible_by")
    least, ratio = keys.whole("min_depth"), keys.number("expand_ratio")
    largest_stride = keys.whole("output_stride")

    def scaled(channels: float) -> int:
        return rounded_channels(round(channels), divisor, least)

    stem, width = scaled(32 * multiplier), scaled(16 * multiplier)
    narrow = convolution(stem, 1, activation="relu6") if not keys.flag("first_layer_is_expansion") else []
    nodes = [*convolution(stem, 3, 2, activation="relu6"), *narrow, *inverted_residual(stem, width, 1)]
    shrunk, dilation = 2, 1
    for _, channels, blocks, first in STAGES[1:]:
        out = scaled(channels * multiplier)
        # At the largest stride, a stride that would shrink the map further dilates the kernels of later blocks instead.
        for usual_stride in (first, *[1] * (blocks - 1)):
            stride, block_dilation = (1, dilation) if shrunk == largest_stride else (usual_stride, 1)
            if shrunk == largest_stride:
                dilation *= usual_stride
            shrunk *= stride
            nodes += inverted_residual(width, out, stride, scaled(width * ratio), block_dilation)
            width = out
    keeps_last_width = keys.flag("finegrained_output") and multiplier < 1
    return _build(
        keys, [*nodes, *convolution(1280 if keeps_last_width else scaled(1280 * multiplier), 1, activation="relu6")]
    )


BLOCKS = ("in_channels", "expand_ratios", "kernel_sizes", "strides", "out_channels", "num_block_repeats")


def efficientnet(keys: Keys) -> list[Node]:
    """Return an EfficientNet. Half of an odd image size is rounded down, or up in the blocks of depthwise_padding."""
    wider, deeper = keys.number("width_coefficient"), keys.number("depth_coefficient")
    divisor, ratio = keys.whole("depth_divisor"), keys.number("squeeze_expansion_ratio")
    lists = {key: keys.wholes(key) for key in BLOCKS}
    for key, numbers in lists.items():
        if len(numbers) != len(lists["in_channels"]):
            raise keys.error(key, f"has {len(numbers)} numbers for {len(lists['in_channels'])} stages")
    # Indices of the blocks that round half of an odd size up.
    blocks_rounding_up = keys.wholes("depthwise_padding", least=0, may_be_empty=True)

    def scaled(channels: int) -> int:
        return rounded_channels(channels * wider, divisor, divisor)

    size, index = keys.image(), 0
    nodes = convolution(scaled(32), 3, 2, padding=1 - size % 2, activation="swish")
    size //= 2
    for width, expansion, kernel, stride, out, blocks in zip(*lists.values(), strict=True):
        width, out = scaled(width), scaled(out)
        padding = kernel // 2 - (size % 2 if stride > 1 and index not in blocks_rounding_up else 0)
        size = size if stride == 1 else size // 2 + (size % 2 if index in blocks_rounding_up else 0)
        repeats = ceil(deeper * blocks) - 1
        nodes += efficientnet_block(width, expansion, kernel, stride, out, padding=padding, squeeze=ratio)
        if repeats:
            repeated_block = efficientnet_block(out, expansion, kernel, 1, out, squeeze=ratio)
            nodes.append(Repeat(repeats, [Sum(repeated_block)]))
        index += repeats + 1
    last = scaled(1280)
    if (stated_width := keys.whole("hidden_dim")) != last:
        raise keys.error("hidden_dim", f"must be 1280 scaled by width_coefficient, {last}, not {stated_width}")
    return _build(keys, [*nodes, *convolution(last, 1, activation="swish")])
