"""DenseNet (Huang et al. 2016, arXiv 1608.06993): each layer reads the outputs of all earlier layers of its block."""

from pipeline.architectures.convolutions import classifier, convolution
from pipeline.architectures.network import ArchitectureError, Concatenation, Layer, Lengths, Node, family

# Table 1: layers in each dense block, with growth rate 32. Depth 161 and its growth rate 48 are from the authors' code
# (github.com/liuzhuang13/DenseNet).
LAYERS = {121: (6, 12, 24, 16), 161: (6, 12, 36, 24), 169: (6, 12, 32, 32), 201: (6, 12, 48, 32), 264: (6, 12, 64, 48)}
GROWTH = {121: 32, 161: 48, 169: 32, 201: 32, 264: 32}
BOTTLENECK = 4  # section 3: a layer's 1x1 convolution outputs 4 times the growth rate


@family
class Densenet:
    """A DenseNet-BC (transitions halve the channels); `depth` counts layers with weights: 121, 161, 169, 201 or 264."""

    depth: int
    image_size: int
    classes: int

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 1 of the paper for this depth."""
        if self.depth not in LAYERS:
            raise ArchitectureError(f"DenseNet has a depth of {', '.join(map(str, LAYERS))}, not {self.depth}", "depth")
        growth = GROWTH[self.depth]
        width = 2 * growth
        nodes = convolution(width, 7, 2)
        nodes.append(Layer("max_pool2d", {"kernel": 3, "stride": 2, "padding": 1}))
        layer = Concatenation([[], _dense_layer(growth)])
        for block, layers in enumerate(LAYERS[self.depth]):
            if block:
                width //= 2
                nodes += [Layer("batch_norm"), Layer("relu"), _plain(width, 1)]
                nodes.append(Layer("average_pool2d", {"kernel": 2, "stride": 2}))
            nodes += [layer] * layers
            width += layers * growth
        return classifier(self.image_size, [*nodes, Layer("batch_norm"), Layer("relu")], self.classes)


def _dense_layer(growth: int) -> list[Node]:
    return [Layer("batch_norm"), Layer("relu"), *convolution(BOTTLENECK * growth, 1), _plain(growth, 3)]


def _plain(channels: int, kernel: int) -> Node:
    arguments = {"out_channels": channels, "kernel": kernel, "padding": kernel // 2, "has_bias": False}
    return Layer("conv2d", arguments)
