"""VGG (Simonyan & Zisserman 2014, arXiv 1409.1556): five stages of 3x3 convolutions, then three linear layers."""

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, family

# Configurations A, B, D and E in Table 1 of the paper: convolutions in each stage.
CONVOLUTIONS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
CHANNELS = (64, 128, 256, 512, 512)


@family
class Vgg:
    """A VGG; `depth` counts layers with weights: 11, 13, 16 or 19. `has_batch_norm` normalises after each convolution.

    With `is_pooled_to_seven` the maps are averaged to 7 x 7 before the classifier, as in torchvision, so that the
    weights do not depend on the size of the image.
    """

    depth: int
    image_size: int
    classes: int
    has_batch_norm: bool = False
    is_pooled_to_seven: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Table 1 of the paper for this depth."""
        if self.depth not in CONVOLUTIONS:
            raise ArchitectureError(
                f"VGG has a depth of {', '.join(map(str, CONVOLUTIONS))}, not {self.depth}", "depth"
            )
        nodes: list[Node] = [Input((3, self.image_size, self.image_size))]
        norm = [Layer("batch_norm")] if self.has_batch_norm else []
        for number, channels in zip(CONVOLUTIONS[self.depth], CHANNELS, strict=True):
            for _ in range(number):
                nodes += [Layer("conv2d", {"out_channels": channels, "kernel": 3, "padding": 1}), *norm, Layer("relu")]
            nodes.append(Layer("max_pool2d", {"kernel": 2, "stride": 2}))
        nodes += [Layer("adaptive_average_pool2d", {"size": 7})] if self.is_pooled_to_seven else []
        nodes.append(Layer("flatten"))
        for features in (4096, 4096):
            nodes += [Layer("linear", {"out_features": features}), Layer("relu"), Layer("dropout")]
        return [*nodes, Layer("linear", {"out_features": self.classes})]
