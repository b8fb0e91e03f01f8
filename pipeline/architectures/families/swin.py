"""Swin (Liu et al. 2021, arXiv 2103.14030): attention within windows, on four maps of decreasing size."""

from pipeline.architectures.blocks import width_of_heads
from pipeline.architectures.network import (
    ArchitectureError,
    Input,
    Layer,
    Lengths,
    Node,
    Repeat,
    Sum,
    family,
    refuse_uneven_stages,
)


@family
class Swin:
    """A Swin with a stage per entry of `depths` and `heads`; each but the first halves the map and doubles `width`.

    A window larger than the map is reduced to the map. Without `classes` there is no head.
    """

    image_size: int
    width: int
    depths: list[int]
    heads: list[int]
    classes: int | None = None
    patch_size: int = 4
    window: int = 7
    feed_forward_ratio: int = 4
    channels: int = 3
    has_attention_biases: bool = True
    has_learned_positions: bool = False

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one image."""
        refuse_uneven_stages(self.depths, self.heads, "heads")
        if self.patch_size > self.image_size:
            raise ArchitectureError(
                f"patches of {self.patch_size} do not fit an image of {self.image_size}", "patch_size"
            )
        # The image is padded to a multiple of the patch.
        size, width = -(-self.image_size // self.patch_size), self.width
        image = size * self.patch_size
        nodes: list[Node] = [Input((self.channels, image, image))]
        nodes += [Layer("patches", {"size": self.patch_size, "width": width}), Layer("layer_norm")]
        if self.has_learned_positions:
            nodes.append(Layer("learned_parameters", {"number": size * size * width}))
        for stage, (depth, heads) in enumerate(zip(self.depths, self.heads, strict=True)):
            if stage:
                nodes += [Layer("reshape", {"to": [width, size, size]}), Layer("patch_merging")]
                size, width = -(-size // 2), 2 * width
                nodes.append(Layer("reshape", {"to": [size * size, width]}))
            nodes.append(Repeat(depth, self._block(size, width, heads)))
        nodes += [Layer("layer_norm"), Layer("average_positions")]
        return [*nodes, Layer("linear", {"out_features": self.classes})] if self.classes else nodes

    def _block(self, size: int, width: int, heads: int) -> list[Node]:
        arguments = {
            "heads": heads,
            "head_width": width_of_heads(width, heads),
            "window": min(self.window, size),
            "has_biases": self.has_attention_biases,
            "bias_entries": (2 * self.window - 1) ** 2,
        }
        # The output projection has biases even if queries, keys and values have none.
        biases = [] if self.has_attention_biases else [Layer("learned_parameters", {"number": width})]
        attention = [
            *(Layer("layer_norm"), Layer("reshape", {"to": [width, size, size]})),
            *(Layer("window_attention", arguments), Layer("reshape", {"to": [size * size, width]}), *biases),
        ]
        feed_forward = Layer("feed_forward", {"width": int(self.feed_forward_ratio * width), "has_biases": True})
        return [Sum(attention), Sum([Layer("layer_norm"), feed_forward])]
