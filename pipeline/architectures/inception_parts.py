"""What Inception networks have in common: paths of convolutions from one input, their pools, and the stem of the third."""

from pipeline.architectures.network import Concatenation, Layer, Node, convolution

Step = tuple[int, int | tuple[int, int]] | tuple[int, int, int] | Node
AVERAGE_POOL = Layer("average_pool2d", {"kernel": 3, "stride": 1, "padding": 1})
HALVING_POOL = Layer("max_pool2d", {"kernel": 3, "stride": 2})


def path(*steps: Step) -> list[Node]:
    """Convolutions in sequence: each its channels and kernel, padded to keep the map's size, or with its stride, unpadded.

    A step may be any other node.

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
    """Paths from one input whose outputs are joined."""
    return Concatenation([path(*steps) for steps in paths])


STEM = path((32, 3, 2), (32, 3, 1), (64, 3), HALVING_POOL, (80, 1), (192, 3, 1), HALVING_POOL)
