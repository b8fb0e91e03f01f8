"""Vision transformers (Dosovitskiy et al. 2020, arXiv 2010.11929): patches of an image as a sequence."""

from pipeline.architectures.blocks import patch_encoder, width_of_heads
from pipeline.architectures.network import ArchitectureError, Layer, Lengths, Node, family


@family
class VisionTransformer:
    """`layers` blocks over the patches of a square image and a class token; a head classifies the token's last state.

    `learned_positions` is the number of position vectors. The default is one for each patch and for the class token; a
    network made for images of another size interpolates its vectors. Without `classes` there is no head.
    """

    image_size: int
    patch_size: int
    width: int
    layers: int
    heads: int
    feed_forward_width: int
    classes: int | None = None
    channels: int = 3
    learned_positions: int | None = None
    has_attention_biases: bool = True
    has_class_token: bool = True

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network for one image."""
        if self.patch_size > self.image_size:
            raise ArchitectureError(
                f"patches of {self.patch_size} do not fit an image of {self.image_size}", "patch_size"
            )
        positions = (self.image_size // self.patch_size) ** 2 + self.has_class_token
        biases = {"has_biases": True} if self.has_attention_biases else {}
        nodes = patch_encoder(
            (self.channels, self.image_size, self.image_size),
            {"size": self.patch_size, "width": self.width},
            self.layers,
            {"heads": self.heads, "head_width": width_of_heads(self.width, self.heads), **biases},
            {"width": self.feed_forward_width, "has_biases": True},
            positions=self.learned_positions or positions,
            tokens=int(self.has_class_token),
        )
        nodes.append(Layer("select_position" if self.has_class_token else "average_positions"))
        return [*nodes, Layer("linear", {"out_features": self.classes})] if self.classes else nodes
