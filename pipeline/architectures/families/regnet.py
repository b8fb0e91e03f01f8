"""RegNet (Radosavovic et al. 2020, arXiv 2003.13678): residual blocks of grouped convolutions of growing width."""

from functools import partial
from math import log

from pipeline.architectures.convolutions import classifier, convolution, residual, residual_stages
from pipeline.architectures.network import ArchitectureError, Layer, Lengths, Node, family, refuse_uneven_stages

STEM_CHANNELS = 32


@family
class Regnet:
    """A RegNetX (or, with `has_squeeze`, a RegNetY) with `depths` blocks and `widths` channels per stage.

    `stages` computes depths and widths from the paper's parameters.
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


def stages(
    depth: int, first_width: int, slope: float, step: float, group_width: int, rounds_halves_up: bool = False
) -> tuple[list[int], list[int]]:
    """Return the stages' block counts and channels, by Equations 2 to 4 of the paper (quantized linear widths).

    Widths are then rounded to multiples of the group width, halves to the even multiple as in the authors' code.
    torchvision rounds halves up and never more than 10 % down (`rounds_halves_up`). RegNetX-3.2GF:

    >>> stages(25, 88, 26.31, 2.25, 48)
    ([2, 6, 15, 2], [96, 192, 432, 1008])
    """
    powers = (round(log((first_width + slope * block) / first_width) / log(step)) for block in range(depth))
    quantized = [round(first_width * step**power / 8) * 8 for power in powers]
    widths = sorted(set(quantized))
    return [quantized.count(width) for width in widths], [
        _grouped(width, group_width, rounds_halves_up) for width in widths
    ]


def _grouped(width: int, group_width: int, rounds_halves_up: bool) -> int:
    group = min(group_width, width)
    if not rounds_halves_up:
        return round(width / group) * group
    rounded = max(group, (2 * width + group) // (2 * group) * group)
    return rounded + group if rounded < 0.9 * width else rounded
