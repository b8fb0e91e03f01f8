"""Parts of convolutional networks: convolutions with norm and activation, scaled widths, Inception's parallel paths."""

from collections.abc import Callable, Iterable

from pipeline.architectures.network import Concatenation, Input, Layer, Node, Repeat, Sum


def convolution(
    channels: int,
    kernel: int | tuple[int, int],
    stride: int = 1,
    *,
    padding: int | None = None,
    groups: int = 1,
    activation: str | None = "relu",
) -> list[Node]:
    """Return a bias-free convolution, a batch normalisation and an activation.

    The default padding is half the kernel, so that only the stride makes the image smaller.

    >>> convolution(192, (1, 7))[0].arguments["padding"]
    (0, 3)
    """
    half = kernel // 2 if isinstance(kernel, int) else tuple(axis // 2 for axis in kernel)
    arguments = {
        "out_channels": channels,
        "kernel": kernel,
        "stride": stride,
        "padding": half if padding is None else padding,
        "groups": groups,
        "has_bias": False,
    }
    return [Layer("conv2d", arguments), Layer("batch_norm"), *activation_layers(activation)]


def depthwise_convolution(
    kernel: int, stride: int = 1, *, activation: str | None = "relu", padding: int | None = None, dilation: int = 1
) -> list[Node]:
    """Return a bias-free depthwise convolution, a batch normalisation and an activation."""
    padding = (kernel // 2 if padding is None else padding) * dilation
    arguments = {"kernel": kernel, "stride": stride, "padding": padding, "has_bias": False}
    arguments |= {"dilation": dilation} if dilation > 1 else {}
    return [Layer("depthwise_conv2d", arguments), Layer("batch_norm"), *activation_layers(activation)]


def activation_layers(function: str | None) -> list[Node]:
    """Return an activation layer, or no layer if `function` is None."""
    if function in (None, "relu"):
        return [Layer("relu")] if function else []
    return [Layer("activation", {"function": function})]


def rounded_channels(exact: float, divisor: int = 8, least: int = 8) -> int:
    """Return a scaled number of channels: the nearest multiple of `divisor` that is at most 10 % lower than `exact`.

    Source: the MobileNets' own code (github.com/tensorflow/models, slim/nets/mobilenet, make_divisible).

    >>> rounded_channels(32 * 0.35), rounded_channels(40 * 1.1)
    (16, 48)
    """
    rounded = max(least, int(exact + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * exact else rounded


def scaled_channels(channels: float, width_percent: int) -> int:
    """Return the rounded number of channels at a width multiplier, which is given in percent."""
    return rounded_channels(channels * width_percent / 100)


def classifier(image_size: int, nodes: list[Node], classes: int, *last: Node) -> list[Node]:
    """Return a network for colour images: these nodes, the mean of each channel, `last`, and a score per class."""
    mean, scores = Layer("global_average_pool2d"), Layer("linear", {"out_features": classes})
    return [Input((3, image_size, image_size)), *nodes, mean, *last, scores]


def residual(main_path: list[Node], width: int, out: int, stride: int) -> list[Node]:
    """Return the sum of a path and its input, which is projected if the path changes the shape, and an activation."""
    shortcut = convolution(out, 1, stride, activation=None) if stride > 1 or width != out else []
    return [Sum(main_path, shortcut), Layer("relu")]


def residual_stages(
    width: int, stages: Iterable[tuple[int, int]], stride: int, block: Callable[[int, int, int], list[Node]]
) -> list[Node]:
    """Return one stage of `block(in, out, stride)` per (channels, block count); later stages begin with stride 2."""
    nodes: list[Node] = []
    for out, blocks in stages:
        nodes += block(width, out, stride)
        nodes += [Repeat(blocks - 1, block(out, out, 1))] if blocks > 1 else []
        width, stride = out, 2
    return nodes


Step = tuple[int, int | tuple[int, int]] | tuple[int, int, int] | Node
AVERAGE_POOL = Layer("average_pool2d", {"kernel": 3, "stride": 1, "padding": 1})
HALVING_POOL = Layer("max_pool2d", {"kernel": 3, "stride": 2})


def path(*steps: Step) -> list[Node]:
    """Return convolutions in sequence, each from (channels, kernel), padded to keep the size.

    A step may also be (channels, kernel, stride), without padding, or any other node.

    >>> [node.arguments["padding"] for node in path((64, 1), (96, 3), (96, 3, 2)) if node.kind == "conv2d"]
    [0, 1, 0]
    """
    nodes: list[Node] = []
    for step in steps:
        if isinstance(step, tuple):
            channels, kernel, *stride = step
            nodes += convolution(channels, kernel, *stride, padding=0) if stride else convolution(channels, kernel)
        else:
            nodes.append(step)
    return nodes


def module(*paths: list[Step]) -> Concatenation:
    """Return parallel paths from one input, with joined outputs."""
    return Concatenation([path(*steps) for steps in paths])


STEM = path((32, 3, 2), (32, 3, 1), (64, 3), HALVING_POOL, (80, 1), (192, 3, 1), HALVING_POOL)
