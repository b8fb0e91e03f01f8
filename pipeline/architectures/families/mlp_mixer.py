"""MLP-Mixer (Tolstikhin et al. 2021, arXiv 2105.01601): layers that mix patches, then channels."""

from pipeline.architectures.network import Input, Layer, Lengths, Node, Repeat, Sum, family


@family
class MlpMixer:
    """A network in Table 1 of the paper: B/16 has width 768, and mixes patches at width 384 and channels at 3072."""

    layers: int
    width: int
    patch_size: int
    token_width: int
    channel_width: int
    image_size: int
    classes: int

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the network in Figure 1 of the paper."""
        norm = Layer("layer_norm")
        tokens = Layer("feed_forward", {"width": self.token_width, "has_biases": True})
        channels = Layer("feed_forward", {"width": self.channel_width, "has_biases": True})
        mixing = [Sum([norm, Layer("transpose"), tokens, Layer("transpose")]), Sum([norm, channels])]
        return [
            Input((3, self.image_size, self.image_size)),
            Layer("patches", {"size": self.patch_size, "width": self.width}),
            Repeat(self.layers, mixing),
            *(norm, Layer("average_positions"), Layer("linear", {"out_features": self.classes})),
        ]
