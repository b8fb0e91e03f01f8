"""AlexNet (Krizhevsky, Sutskever & Hinton 2012): five convolutions (some in two groups) and three linear layers."""

from pipeline.architectures.network import Input, Layer, Lengths, Node, family

# Channels and groups of the five convolutions: section 3.5 of the 2012 paper, and the network of one column (arXiv
# 1404.5997, footnote 1) as in torchvision.
TWO_COLUMNS = ((96, 1), (256, 2), (384, 1), (384, 2), (256, 2))
ONE_COLUMN = ((64, 1), (192, 1), (384, 1), (256, 1), (256, 1))
KERNELS = (11, 5, 3, 3, 3)
POOLED = (0, 1, 4)  # convolutions followed by a pool
NORMALISED = (0, 1)  # convolutions followed by a normalisation over 5 neighbouring channels, in 2012


@family
class Alexnet:
    """The two-column network of 2012, or, with `is_one_column`, the later one-column network.

    The first convolution is padded by 2, so that an image of 224 gives the paper's 55 x 55.
    """

    image_size: int
    classes: int
    is_one_column: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Figure 2 of the paper; the later network also pools maps of any size to 6 x 6."""
        nodes: list[Node] = [Input((3, self.image_size, self.image_size))]
        columns = ONE_COLUMN if self.is_one_column else TWO_COLUMNS
        for index, ((channels, groups), kernel) in enumerate(zip(columns, KERNELS, strict=True)):
            arguments = {"out_channels": channels, "kernel": kernel, "padding": kernel // 2, "groups": groups}
            nodes += [Layer("conv2d", arguments if index else {**arguments, "stride": 4, "padding": 2}), Layer("relu")]
            if index in NORMALISED and not self.is_one_column:
                nodes.append(Layer("local_response_norm", {"size": 5}))
            if index in POOLED:
                nodes.append(Layer("max_pool2d", {"kernel": 3, "stride": 2}))
        if self.is_one_column:
            nodes.append(Layer("adaptive_average_pool2d", {"size": 6}))
        nodes.append(Layer("flatten"))
        for features in (4096, 4096):
            nodes += [Layer("dropout"), Layer("linear", {"out_features": features}), Layer("relu")]
        return [*nodes, Layer("linear", {"out_features": self.classes})]
