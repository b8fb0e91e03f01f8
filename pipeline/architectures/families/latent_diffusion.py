"""The U-Net of latent diffusion (Rombach et al. 2021, arXiv 2112.10752), on a latent image.

Stable Diffusion v1 is the default: CompVis/stable-diffusion, configs/stable-diffusion/v1-inference.yaml, unet_config.
The layers are from ldm/modules/diffusionmodules/openaimodel.py and ldm/modules/attention.py there.
"""

from dataclasses import field

from pipeline.architectures.network import (
    ArchitectureError,
    Concatenation,
    Input,
    Layer,
    Lengths,
    Node,
    Repeat,
    Side,
    Sum,
    family,
)

GROUPS = 32  # ldm/modules/diffusionmodules/util.py, normalization
MOST_BLOCKS = 64  # because blocks are nested, and Python limits recursion
SPREAD = 4  # inner / outer width of step embedding and feed-forward: openaimodel.py, time_embed_dim; attention.py, mult


@family
class LatentDiffusion:
    """A U-Net with `base_channels` times `multipliers` channels; each level halves the map of the level before it.

    `latent_size` is the image's size divided by the first stage's factor: 64 for 512 pixels. `attention_levels` names
    the levels with transformer blocks; level 0 has the widest map. The frozen prompt gets no gradient. The prompt's
    encoder and the first stage, from pixels to latents and back, are not counted.
    """

    latent_size: int
    base_channels: int = 320
    multipliers: list = field(default_factory=lambda: [1, 2, 4, 4])
    residual_blocks: int = 2
    attention_levels: list = field(default_factory=lambda: [0, 1, 2])  # levels at 1, 1/2 and 1/4 of the latent's size
    transformer_layers: list = field(default_factory=lambda: [1] * MOST_BLOCKS)  # in each transformer block of a level
    context_positions: int = 77
    context_width: int = 768
    latent_channels: int = 4
    heads: int = 8

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one noisy latent image; each residual block has a layer for the step embedding."""
        self._check()
        base, width = self.base_channels, SPREAD * self.base_channels
        silu = Layer("activation", {"function": "silu"})
        step = [Layer("linear", {"out_features": width}), silu, Layer("linear", {"out_features": width}), silu]
        projections = [Side([Layer("linear", {"out_features": channels})]) for channels in self._residual_channels()]
        stem = [Input((self.latent_channels, self.latent_size, self.latent_size)), _convolution(base, 3)]
        ends = [Layer("group_norm", {"groups": GROUPS}), silu, _convolution(self.latent_channels, 3)]
        return [Input((base,)), *step, *projections, *stem, *self._down(0, 0, base), *ends]

    def _check(self) -> None:
        """Raise ArchitectureError if the numbers contradict each other or exceed what is possible."""
        for key in ("multipliers", "attention_levels", "transformer_layers"):
            numbers = getattr(self, key)
            if not all(isinstance(number, int) and 0 <= number < 1000 for number in numbers) or not numbers:
                raise ArchitectureError(f"{key} must be a list of whole numbers, not {numbers!r}", key)
        if len(self.multipliers) * self.residual_blocks > MOST_BLOCKS:
            raise ArchitectureError(
                f"{self.residual_blocks} residual_blocks per level are more than possible ({MOST_BLOCKS} in all)",
                "residual_blocks",
            )
        if 0 in self.multipliers:
            raise ArchitectureError(f"multipliers must be above 0, not {self.multipliers!r}", "multipliers")
        if self.base_channels % GROUPS or self.base_channels % self.heads:
            raise ArchitectureError(
                f"{self.base_channels} base_channels cannot be divided into {GROUPS} groups and {self.heads} heads",
                "base_channels",
            )
        if self.latent_size % 2 ** (len(self.multipliers) - 1):
            raise ArchitectureError(
                f"a latent image of {self.latent_size} cannot be halved {len(self.multipliers) - 1} times",
                "latent_size",
            )

    def _residual_channels(self) -> list[int]:
        widths = [multiplier * self.base_channels for multiplier in self.multipliers]
        down = [width for width in widths for _ in range(self.residual_blocks)]
        up = [width for width in reversed(widths) for _ in range(self.residual_blocks + 1)]
        return [*down, widths[-1], widths[-1], *up]

    def _down(self, level: int, block: int, channels: int) -> list[Node]:
        """Return the nodes from an encoder block, which takes `channels` channels, to its counterpart in the decoder.

        A block's output goes to the next block and, by a skip connection, to the decoder, which concatenates both.
        """
        out = beneath = self.multipliers[level] * self.base_channels
        if block < self.residual_blocks:
            below = [*self._block(level, channels), *self._down(level, block + 1, out)]
        elif level < len(self.multipliers) - 1:
            beneath = self.multipliers[level + 1] * self.base_channels
            below = [_convolution(out, 3, stride=2), *self._down(level + 1, 0, out)]
            below += [Layer("upsample2d", {"factor": 2}), _convolution(beneath, 3)]
        else:
            below = [*_residual(out, out), *self._transformer(out, level), *_residual(out, out)]
        return [Concatenation([below, []]), *self._block(level, beneath + channels)]

    def _block(self, level: int, channels: int) -> list[Node]:
        out = self.multipliers[level] * self.base_channels
        return [*_residual(channels, out), *(self._transformer(out, level) if level in self.attention_levels else [])]

    def _transformer(self, channels: int, level: int) -> list[Node]:
        size = self.latent_size >> level
        heads = {"heads": self.heads, "head_width": channels // self.heads}
        source = {
            "source_positions": self.context_positions,
            "source_width": self.context_width,
            "has_frozen_source": True,
        }
        norm, bias = Layer("layer_norm"), Layer("learned_parameters", {"number": channels})
        gated = {"width": SPREAD * channels, "is_gated": True, "has_biases": True}
        layer: list[Node] = [
            Sum([norm, Layer("self_attention", heads), bias]),
            Sum([norm, Layer("cross_attention", {**heads, **source}), bias]),
            Sum([norm, Layer("feed_forward", gated)]),
        ]
        inner: list[Node] = [
            *(Layer("group_norm", {"groups": GROUPS}), _convolution(channels, 1)),
            *(Layer("reshape", {"to": (channels, size * size)}), Layer("transpose")),
            Repeat(self.transformer_layers[level], layer),
            *(Layer("transpose"), Layer("reshape", {"to": (channels, size, size)}), _convolution(channels, 1)),
        ]
        return [Sum(inner)]


def _residual(channels: int, out: int) -> list[Node]:
    norm, silu = Layer("group_norm", {"groups": GROUPS}), Layer("activation", {"function": "silu"})
    shortcut = [] if channels == out else [_convolution(out, 1)]
    return [Sum([norm, silu, _convolution(out, 3), norm, silu, _convolution(out, 3)], shortcut)]


def _convolution(channels: int, kernel: int, stride: int = 1) -> Layer:
    arguments = {"out_channels": channels, "kernel": kernel, "stride": stride, "padding": kernel // 2}
    return Layer("conv2d", arguments)
