"""AlphaFold 2's Evoformer, approximately (Jumper et al. 2021, Nature 596, supplementary methods 1.6, algorithm 6)."""

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Side, Sum, family

# Widths from the supplement: alignment features (table 1), and the heads and widths of algorithms 7 to 15.
ALIGNMENT_FEATURES = 49
HEAD_WIDTH = 32
OUTER_WIDTH = 32
TRANSITION = 4


@family
class Evoformer:
    """An approximation: `layers` blocks on an alignment of `rows` sequences and on the pairs of its residues.

    Only one pass of the trunk is counted (48 blocks in AlphaFold). Recycling, the extra-sequence stack, templates, the
    embedding of pairs and relative positions, the structure module and the heads are not counted. The defaults are
    AlphaFold's widths.
    """

    layers: int
    rows: int
    alignment_width: int = 256
    pair_width: int = 128
    alignment_heads: int = 8
    pair_heads: int = 4

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the layers for sequence_length residues; layers on pairs read each block's outer product."""
        length = lengths.sequence("evoformer", ", in residues")
        if length != int(length):
            raise ArchitectureError(
                f"sequence_length must be a whole number of residues (the crop), not {length:g}", "sequence_length"
            )
        return [
            Input((self.rows, length, ALIGNMENT_FEATURES)),
            Layer("linear", {"out_features": self.alignment_width}),
            Repeat(self.layers, [*self._alignment(), Side(self._pairs())]),
        ]

    def _alignment(self) -> list[Node]:
        norm = Layer("layer_norm")
        heads = {"heads": self.alignment_heads, "head_width": HEAD_WIDTH}
        return [
            Sum([norm, Layer("axial_attention", heads)]),
            Sum([norm, Layer("axial_attention", {**heads, "is_over_columns": True})]),
            Sum([norm, *_transition(self.alignment_width)]),
        ]

    def _pairs(self) -> list[Node]:
        norm = Layer("layer_norm")
        heads = {"heads": self.pair_heads, "head_width": HEAD_WIDTH}
        triangle = Sum([norm, Layer("triangle_multiplication", {"width": self.pair_width})])
        biases = Side([Layer("linear", {"out_features": self.pair_heads, "has_bias": False})])
        row_biases = Layer("linear", {"out_features": self.alignment_heads, "has_bias": False})
        outer = {"width": OUTER_WIDTH, "out_features": self.pair_width}
        return [
            *(norm, Layer("outer_product_mean", outer), triangle, triangle),
            Sum([norm, biases, Layer("axial_attention", heads)]),
            Sum([norm, biases, Layer("axial_attention", {**heads, "is_over_columns": True})]),
            Sum([norm, *_transition(self.pair_width)]),
            *(norm, row_biases),
        ]


def _transition(width: int) -> list[Node]:
    return [
        Layer("linear", {"out_features": TRANSITION * width}),
        Layer("relu"),
        Layer("linear", {"out_features": width}),
    ]
