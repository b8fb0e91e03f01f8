"""RegNet (Radosavovic et al. 2020, arXiv 2003.13678): residual blocks of grouped convolutions of growing width."""

from functools import partial

from pipeline.architectures.convolutions import classifier, convolution, residual, residual_stages
from pipeline.architectures.network import ArchitectureError, Layer, Lengths, Node, family, refuse_uneven_stages

STEM_CHANNELS = 32


@family
class Regnet:
    """A RegNetX (or, with `has_squeeze`, a RegNetY) with `depths` blocks and `widths` channels per stage.

    They follow from the paper's parameters by its equations 2 to 4 (quantized linear widths).
    """

    depths: list
    widths: list
    group_width: int
    image_size: int
    classes: int
    has_squeeze: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the paper's AnyNetX (section 3.2) with bottleneck ratio 1."""
        refuse_uneven_stages(self.depths, self.widths)
        for out in self.widths:
            if out > self.group_width and out % self.group_width:
                raise ArchitectureError(
                    f"{out} channels cannot be divided into groups of {self.group_width}", "group_width"
                )
        block = partial(residual_block, group_width=self.group_width, has_squeeze=self.has_squeeze)
        blocks = residual_stages(STEM_CHANNELS, zip(self.widths, self.depths, strict=True), 2, block)
        return classifier(self.image_size, [*convolution(STEM_CHANNELS, 3, 2), *blocks], self.classes)


def residual_block(width: int, out: int, stride: int, *, group_width: int, has_squeeze: bool) -> list[Node]:
    """Return a block of grouped convolutions; the squeeze has a quarter of the block's input channels."""
    grouped = convolution(out, 3, stride, groups=max(1, out // group_width))
    squeeze = [Layer("squeeze_excitation", {"width": max(1, round(width / 4))})] if has_squeeze else []
    main = [*convolution(out, 1), *grouped, *squeeze, *convolution(out, 1, activation=None)]
    return residual(main, width, out, stride)
