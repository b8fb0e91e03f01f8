"""U-Net (Ronneberger et al. 2015, arXiv 1505.04597): a contracting and an expanding path with skip connections."""

from pipeline.architectures.network import ArchitectureError, Concatenation, Input, Layer, Lengths, Node, family


@family
class Unet:
    """A network that halves the image `depth` times; it starts with `width` channels and doubles them at each halving.

    The convolutions have no padding, so 572 pixels become 388 and skip connections are cropped.
    """

    image_size: int
    classes: int
    input_channels: int = 1
    width: int = 64
    depth: int = 4

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Figure 1 of the paper."""
        nodes, _ = self._level(self.depth, self.width, self.image_size)
        image = Input((self.input_channels, self.image_size, self.image_size))
        return [image, *nodes, _convolution(self.classes, 1)]

    def _level(self, halvings: int, channels: int, size: int) -> tuple[list[Node], int]:
        """Return the nodes for an image of this size, halved `halvings` times, and the size of their output."""
        pair = [_convolution(channels, 3), Layer("relu")] * 2
        size -= 4  # each convolution of a pair cuts off 2 pixels
        if not halvings:
            return pair, size
        if size < 2 or size % 2:
            raise ArchitectureError(
                f"an image of {self.image_size} pixels has shrunk to {size} where it is halved; that size must be even",
                "image_size",
            )
        pool = Layer("max_pool2d", {"kernel": 2, "stride": 2})
        up = Layer("conv_transpose2d", {"out_channels": channels, "kernel": 2, "stride": 2})
        inner, size = self._level(halvings - 1, 2 * channels, size // 2)
        below = [pool, *inner, up]
        return [*pair, Concatenation([[Layer("crop2d", {"size": 2 * size})], below]), *pair], 2 * size - 4


def _convolution(channels: int, kernel: int) -> Layer:
    return Layer("conv2d", {"out_channels": channels, "kernel": kernel, "padding": 0, "has_bias": True})
