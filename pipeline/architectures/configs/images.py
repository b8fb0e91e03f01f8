"""Readers of convolutional image classifiers, whose configs have settings that the families lack, and of Swin."""

from collections.abc import Callable
from math import ceil

from pipeline.architectures.configs.keys import Keys
from pipeline.architectures.convolutions import activated, convolution, rounded_channels
from pipeline.architectures.families.convnext import block
from pipeline.architectures.families.swin import Swin
from pipeline.architectures.network import Input, Layer, Lengths, Node, Repeat, Sum

TASKS = ("ForImageClassification", "Model")


def _classes(keys: Keys) -> int | None:
    # None where the config's network has no head.
    return keys.labels() or None if keys.task("ForImageClassification", TASKS) == "ForImageClassification" else None


def _head(keys: Keys, *norm: Node) -> list[Node]:
    classes = _classes(keys)
    nodes = [Layer("global_average_pool2d"), *norm]
    return [*nodes, Layer("linear", {"out_features": classes})] if classes else nodes


def _input(keys: Keys, size: int) -> Input:
    return Input((keys.whole("num_channels"), size, size))


def swin(keys: Keys) -> list[Node]:
    """Swin."""
    size, width, patch = keys.image(), keys.whole("embed_dim"), keys.whole("patch_size")
    depths, heads = keys.wholes("depths"), keys.wholes("num_heads")
    keys.known |= {
        "hidden_size",
        "num_layers",
        "path_norm",
    }  # follow from these
    if len(heads) != len(depths):
        raise keys.error("num_heads", f"has {len(heads)} numbers for {len(depths)} depths")
    for stage, heads_of_stage in enumerate(heads):
        keys.heads("num_heads", "embed_dim", heads_of_stage, width * 2**stage)
    if patch > size:
        raise keys.error("patch_size", f"is larger than the image: {patch}, {size}")
    return Swin(
        image_size=size,
        width=width,
        depths=depths,
        heads=heads,
        classes=_classes(keys),
        patch_size=patch,
        window=keys.whole("window_size"),
        feed_forward_ratio=int(keys.number("mlp_ratio")),
        channels=keys.whole("num_channels"),
        has_attention_biases=keys.flag("qkv_bias"),
        has_learned_positions=keys.flag("use_absolute_embeddings"),
    ).nodes(Lengths())


def _stages(keys: Keys) -> list[tuple[int, int]]:
    widths, depths = keys.wholes("hidden_sizes"), keys.wholes("depths")
    if len(widths) != len(depths):
        raise keys.error("hidden_sizes", f"has {len(widths)} numbers for {len(depths)} depths")
    return list(zip(widths, depths, strict=True))


def convnext(keys: Keys) -> list[Node]:
    """ConvNeXt; layers are scaled where layer_scale_init_value is above 0."""
    nodes: list[Node] = [_input(keys, keys.image())]
    has_scale = keys.number("layer_scale_init_value", least=0) > 0
    for stage, (width, blocks) in enumerate(_stages(keys)):
        size = 2 if stage else keys.whole("patch_size")
        shrink = Layer("conv2d", {"out_channels": width, "kernel": size, "stride": size})
        nodes += [Layer("layer_norm2d"), shrink] if stage else [shrink, Layer("layer_norm2d")]
        nodes.append(Repeat(blocks, [Sum(block(width, has_scale))]))
    return [*nodes, *_head(keys, Layer("layer_norm"))]


def _residual(main_path: list[Node], width: int, out: int, stride: int) -> list[Node]:
    shortcut = convolution(out, 1, stride, activation=None) if stride > 1 or width != out else []
    return [Sum(main_path, shortcut), Layer("relu")]


def _residual_stages(
    keys: Keys, width: int, stride: int, main_path: Callable[[int, int, int], list[Node]]
) -> list[Node]:
    nodes: list[Node] = []
    for out, blocks in _stages(keys):
        nodes += _residual(main_path(width, out, stride), width, out, stride)
        nodes += [Repeat(blocks - 1, _residual(main_path(out, out, 1), out, out, 1))] if blocks > 1 else []
        width, stride = out, 2
    return nodes


def resnet(keys: Keys) -> list[Node]:
    """ResNet of basic layers or bottlenecks; configs state no image size, so it is 224 unless the caller gives one."""
    stem, first = keys.whole("embedding_size"), 2 if keys.flag("downsample_in_first_stage") else 1
    is_bottleneck = keys.word("layer_type", ["basic", "bottleneck"]) == "bottleneck"
    is_early = keys.flag("downsample_in_bottleneck")

    def main_path(width: int, out: int, stride: int) -> list[Node]:
        if not is_bottleneck:
            return [*convolution(out, 3, stride), *convolution(out, 3, activation=None)]
        inner = keys.checked("hidden_sizes", out // 4)
        steps = (stride, 1) if is_early else (1, stride)
        narrow = [*convolution(inner, 1, steps[0]), *convolution(inner, 3, steps[1])]
        return [*narrow, *convolution(out, 1, activation=None)]

    pool = Layer("max_pool2d", {"kernel": 3, "stride": 2, "padding": 1})
    stages = _residual_stages(keys, stem, first, main_path)
    return [_input(keys, keys.image()), *convolution(stem, 7, 2), pool, *stages, *_head(keys)]


def regnet(keys: Keys) -> list[Node]:
    """RegNet of x or y layers; the squeeze of a y layer has a quarter of the block's input channels."""
    stem, first = keys.whole("embedding_size"), 2 if keys.flag("downsample_in_first_stage") else 1
    has_squeeze = keys.word("layer_type", ["x", "y"]) == "y"
    group_width = keys.whole("groups_width")

    def main_path(width: int, out: int, stride: int) -> list[Node]:
        groups = max(1, out // group_width)
        if out % groups:
            raise keys.error("groups_width", f"gives {groups} groups, which do not divide {out} channels")
        squeeze = [Layer("squeeze_excitation", {"width": max(1, round(width / 4))})] if has_squeeze else []
        grouped = convolution(out, 3, stride, groups=groups)
        return [*convolution(out, 1), *grouped, *squeeze, *convolution(out, 1, activation=None)]

    stages = _residual_stages(keys, stem, first, main_path)
    return [_input(keys, keys.image()), *convolution(stem, 3, 2), *stages, *_head(keys)]


def _depthwise(kernel: int, stride: int, padding: int, activation: str, dilation: int = 1) -> list[Node]:
    arguments = {"kernel": kernel, "stride": stride, "padding": padding * dilation, "has_bias": False}
    arguments |= {"dilation": dilation} if dilation > 1 else {}
    return [Layer("depthwise_conv2d", arguments), Layer("batch_norm"), *activated(activation)]


def mobilenet_v1(keys: Keys) -> list[Node]:
    """MobileNet V1: channels are truncated to a whole number, not rounded to multiples of 8."""
    multiplier, least = keys.number("depth_multiplier"), keys.whole("min_depth")
    nodes: list[Node] = [_input(keys, keys.image())]
    depth = 32
    nodes += convolution(max(int(depth * multiplier), least), 3, 2, activation="relu6")
    for index, stride in enumerate((1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1)):
        depth *= 2 if stride == 2 or not index else 1
        nodes += _depthwise(3, stride, 1, "relu6")
        nodes += convolution(max(int(depth * multiplier), least), 1, activation="relu6")
    return [*nodes, *_head(keys)]


def mobilenet_v2(keys: Keys) -> list[Node]:
    """MobileNet V2: once the map is smaller than the image by output_stride, convolutions are dilated instead of strided."""
    multiplier, divisor = keys.number("depth_multiplier"), keys.whole("depth_divisible_by")
    least, ratio = keys.whole("min_depth"), keys.number("expand_ratio")
    largest_stride = keys.whole("output_stride")

    def scaled(channels: int) -> int:
        return rounded_channels(round(channels * multiplier), divisor, least)

    stem, width = scaled(32), scaled(16)
    nodes: list[Node] = [_input(keys, keys.image()), *convolution(stem, 3, 2, activation="relu6")]
    if not keys.flag("first_layer_is_expansion"):
        nodes += convolution(stem, 1, activation="relu6")
    nodes += [*_depthwise(3, 1, 1, "relu6"), *convolution(width, 1, activation=None)]
    shrunk, dilation = 2, 1
    for channels, strides in ((24, (2, 1)), (32, (2, 1, 1)), (64, (2, 1, 1, 1)), (96, (1, 1, 1)), (160, (2, 1, 1)), (320, (1,))):  # fmt: skip
        out = scaled(channels)
        for wanted in strides:
            stride, reach = (1, dilation) if shrunk == largest_stride else (wanted, 1)
            if shrunk == largest_stride:
                dilation *= wanted
            shrunk *= stride
            block = [
                *convolution(rounded_channels(round(width * ratio), divisor, least), 1, activation="relu6"),
                *(*_depthwise(3, stride, 1, "relu6", reach), *convolution(out, 1, activation=None)),
            ]
            nodes += [Sum(block)] if stride == 1 and width == out else block
            width = out
    is_fixed = keys.flag("finegrained_output") and multiplier < 1
    return [*nodes, *convolution(1280 if is_fixed else scaled(1280), 1, activation="relu6"), *_head(keys)]


BLOCKS = ("kernel_sizes", "in_channels", "out_channels", "strides", "num_block_repeats", "expand_ratios")


def efficientnet(keys: Keys) -> list[Node]:
    """EfficientNet: halving a map of odd size rounds down, or up in the blocks that depthwise_padding names."""
    wider, deeper = keys.number("width_coefficient"), keys.number("depth_coefficient")
    divisor, ratio = keys.whole("depth_divisor"), keys.number("squeeze_expansion_ratio")
    lists = {key: keys.wholes(key) for key in BLOCKS}
    for key, numbers in lists.items():
        if len(numbers) != len(lists["in_channels"]):
            raise keys.error(key, f"has {len(numbers)} numbers for {len(lists['in_channels'])} stages")
    uncut = keys.wholes("depthwise_padding", least=0, may_be_empty=True)

    def scaled(channels: int) -> int:
        return rounded_channels(channels * wider, divisor, divisor)

    size = keys.image()
    stem = scaled(32)
    nodes: list[Node] = [_input(keys, size), *convolution(stem, 3, 2, padding=1 - size % 2, activation="swish")]
    size, index = size // 2, 0
    for kernel, width, out, stride, blocks, expansion in zip(*lists.values(), strict=True):
        width, out = scaled(width), scaled(out)
        first_padding = kernel // 2 - (size % 2 if stride > 1 and index not in uncut else 0)
        size = size if stride == 1 else size // 2 + (size % 2 if index in uncut else 0)
        more = ceil(deeper * blocks) - 1
        nodes += _inverted(width, out, kernel, stride, expansion, first_padding, ratio)
        if more:
            nodes.append(Repeat(more, [Sum(_inverted(out, out, kernel, 1, expansion, kernel // 2, ratio))]))
        index += more + 1
    last = scaled(1280)
    if keys.whole("hidden_dim") != last:
        raise keys.error(
            "hidden_dim", f"must be what width_coefficient makes of 1280, {last}, not {keys.whole('hidden_dim')}"
        )
    return [*nodes, *convolution(last, 1, activation="swish"), *_head(keys)]


def _inverted(width: int, out: int, kernel: int, stride: int, expansion: int, padding: int, ratio: float) -> list[Node]:
    expand = convolution(width * expansion, 1, activation="swish") if expansion > 1 else []
    squeeze = Layer("squeeze_excitation", {"width": max(1, int(width * ratio))})
    return [*expand, *_depthwise(kernel, stride, padding, "swish"), squeeze, *convolution(out, 1, activation=None)]


READERS: dict[str, Callable[[Keys], list[Node]]] = {
    reader.__name__: reader for reader in (swin, convnext, resnet, regnet, mobilenet_v1, mobilenet_v2, efficientnet)
}
