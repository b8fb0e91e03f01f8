"""Two towers, one for images and one for text (CLIP, Radford et al. 2021, arXiv 2103.00020), counted for one pair.

The layers are from openai/CLIP, clip/model.py.
"""

from pipeline.architectures.blocks import block
from pipeline.architectures.convolutions import convolution
from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Sum, family

HEAD_WIDTH = 64  # clip/model.py, build_model: heads = width // 64
EXPANSION = 4  # clip/model.py, Bottleneck and the feed-forward networks


@family
class TwoTower:
    """A tower for text, and a vision transformer (`patch_size`, `image_layers`) or ResNet (`image_blocks` per stage).

    `image_width` is the transformer's width, or the channels after the ResNet's first layers. Both towers end in
    `embedding_width`. The text has at most `text_positions` positions, which are learned. Similarities with the other pairs of a
    batch, 2 * embedding_width FLOP each, are not counted.
    """

    embedding_width: int
    image_size: int
    image_width: int
    text_width: int
    text_layers: int
    vocabulary: int = 49408
    text_positions: int = 77
    patch_size: int | None = None
    image_layers: int | None = None
    image_blocks: list | None = None

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one image and one text of sequence_length tokens."""
        length = lengths.sequence("two_tower", ", the length of the text")
        self._check()
        norm, scale = Layer("layer_norm"), Layer("learned_parameters", {"number": 1})
        return [
            Input((3, self.image_size, self.image_size)),
            *(self._resnet(self.image_blocks) if self.image_blocks else self._vision_transformer()),
            Input((length,)),
            Layer("embedding", {"vocabulary": self.vocabulary, "width": self.text_width}),
            Layer("position_embedding", {"positions": self.text_positions}),
            Repeat(self.text_layers, _block(self.text_width, {"is_causal": True})),
            *(norm, Layer("select_position"), self._projection(), scale),
        ]

    def _check(self) -> None:
        """Raise ArchitectureError unless the image tower is either a transformer or a ResNet, with possible numbers."""
        if bool(self.image_blocks) == bool(self.patch_size and self.image_layers):
            raise ArchitectureError("the image tower needs either patch_size with image_layers or image_blocks")
        if self.image_blocks and not all(isinstance(blocks, int) and 0 < blocks < 1000 for blocks in self.image_blocks):
            raise ArchitectureError(
                f"image_blocks must be a list of whole numbers above 0, not {self.image_blocks!r}", "image_blocks"
            )
        towers = {"text_width": self.text_width} | ({} if self.image_blocks else {"image_width": self.image_width})
        for key, width in towers.items():
            if width % HEAD_WIDTH:
                raise ArchitectureError(f"{key} must be a multiple of {HEAD_WIDTH}, a head's width, not {width}", key)

    def _projection(self) -> Layer:
        return Layer("linear", {"out_features": self.embedding_width, "has_bias": False})

    def _vision_transformer(self) -> list[Node]:
        size, norm = self.patch_size or 1, Layer("layer_norm")
        positions = (self.image_size // size) ** 2 + 1
        return [
            Layer("patches", {"size": size, "width": self.image_width, "has_bias": False}),
            *(Layer("class_token"), Layer("position_embedding", {"positions": positions}), norm),
            Repeat(self.image_layers or 1, _block(self.image_width, {"is_causal": False})),
            *(Layer("select_position"), norm, self._projection()),
        ]

    def _resnet(self, blocks: list[int]) -> list[Node]:
        """Return CLIP's ResNet, which differs from the usual one in three ways.

        The stem has three convolutions, average pools replace strides, and attention pools the last map.
        """
        half = self.image_width // 2
        nodes: list[Node] = [*convolution(half, 3, 2), *convolution(half, 3), *convolution(self.image_width, 3)]
        nodes.append(Layer("average_pool2d", {"kernel": 2, "stride": 2}))
        width = self.image_width
        for stage, number in enumerate(blocks):
            channels = self.image_width << stage
            for index in range(number):
                pool = [Layer("average_pool2d", {"kernel": 2, "stride": 2})] if stage and not index else []
                shortcut = [] if index else [*pool, *convolution(EXPANSION * channels, 1)[:2]]
                main = [*convolution(channels, 1), *convolution(channels, 3), *pool]
                nodes += [Sum([*main, *convolution(EXPANSION * channels, 1)[:2]], shortcut), Layer("relu")]
                width = EXPANSION * channels
        pool = {"heads": max(width // HEAD_WIDTH, 1), "out_features": self.embedding_width}
        return [*nodes, Layer("attention_pool2d", pool)]


def _block(width: int, direction: dict[str, bool]) -> list[Node]:
    heads = {"heads": width // HEAD_WIDTH, "head_width": HEAD_WIDTH, "has_biases": True, **direction}
    return block(heads, {"width": EXPANSION * width, "has_biases": True})
