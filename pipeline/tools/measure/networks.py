"""The networks to time: thirteen image networks from the P100 study, four others, and small ones for a smoke test."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.architectures import counted, placed_layers
from pipeline.architectures.named import named
from pipeline.architectures.network import FAMILIES, Lengths, Node, Placed
from pipeline.formulas.totals import Totals

CLASSES = 10


@dataclass(frozen=True)
class Network:
    """A network to time. `settings` holds a family and its numbers, and `kind` is the ledger's word for such networks.

    `unit` is "image" or "sequence". `batches` lists the batch sizes to time, unless options name others.
    """

    name: str
    settings: dict[str, Any]
    kind: str
    unit: str = "image"
    sequence_length: int | None = None
    batches: tuple[int, ...] = (1, 64, 128)

    @property
    def lengths(self) -> Lengths:
        """Return the sequence lengths as network families take them."""
        return Lengths(self.sequence_length)

    def nodes(self) -> Sequence[Node]:
        """Return the nodes of the network."""
        numbers = dict(self.settings)
        return FAMILIES[numbers.pop("family")](**numbers).nodes(self.lengths)

    def placed(self) -> list[Placed]:
        """Return the layers with their shapes and counts."""
        return placed_layers(self.settings, self.lengths)

    def totals(self) -> Totals:
        """Return our counter's FLOP for one example, and the parameters."""
        return counted(self.settings, self.lengths)


DENSE, DEPTHWISE = "dense_convolution", "depthwise_convolution"
IMAGE_NETWORKS = {
    **dict.fromkeys(
        "resnet18 resnet34 resnet50 resnet101 resnet152 vgg11 vgg13 vgg16 vgg19 wide_resnet50_2 alexnet".split(), DENSE
    ),
    **dict.fromkeys("mobilenet_v2 efficientnet_b0".split(), DEPTHWISE),
}
# Large network of Zaremba et al. 2014; smallest GPT-2 and BERT (Radford et al. 2019, table 2; arXiv 1810.04805).
LARGE_LSTM = {"family": "lstm_language_model", "layers": 2, "width": 1500, "vocabulary": 10_000, "bias_vectors": 2}
GPT_2 = {
    "family": "transformer_decoder", "layers": 12, "width": 768, "heads": 12, "feed_forward_width": 3072,
    "vocabulary": 50_257, "learned_positions": 1024,
}  # fmt: skip
BERT_BASE = {
    "family": "transformer_encoder", "layers": 12, "width": 768, "heads": 12, "feed_forward_width": 3072,
    "vocabulary": 30_522, "learned_positions": 512, "segments": 2,
}  # fmt: skip


def networks() -> list[Network]:
    """Return all networks except the small ones. Those from the P100 study are in the study's order."""
    images = [Network(name, {**named(name), "classes": CLASSES}, kind) for name, kind in IMAGE_NETWORKS.items()]
    vit = Network("vit_base_patch16", {**named("vit_base_patch16"), "classes": CLASSES}, "other_transformer")
    few = {"unit": "sequence", "batches": (1, 8, 32)}
    return [
        *images,
        vit,
        Network("lstm_large", LARGE_LSTM, "recurrent", sequence_length=35, unit="sequence"),
        Network("gpt2", GPT_2, "language_transformer", sequence_length=1024, **few),
        Network("bert_base", BERT_BASE, "language_transformer", sequence_length=512, **few),
    ]


def quick_networks() -> list[Network]:
    """Return one small network of each kind, for a smoke test on any machine."""
    small = {"layers": 2, "width": 32, "heads": 2, "feed_forward_width": 64}
    words = {"vocabulary": 100, "learned_positions": 16}
    batches = {"batches": (1, 4)}
    text = {"unit": "sequence", "sequence_length": 16, **batches}
    # 64 pixels instead of 32, because batch normalisation of a single example needs several pixels in the last map.
    depthwise = {**named("mobilenet_v2"), "width_percent": 35, "image_size": 64, "classes": CLASSES}
    lstm = {"family": "lstm_language_model", "layers": 1, "width": 32, "vocabulary": 100, "bias_vectors": 2}
    vit = {"family": "vision_transformer", "image_size": 32, "patch_size": 8, "classes": CLASSES, **small}
    decoder, encoder = ({"family": f"transformer_{end}", **small, **words} for end in ("decoder", "encoder"))
    return [
        Network("quick_convolutions", _convolutions(), DENSE, **batches),
        Network("quick_mobilenet_v2", depthwise, DEPTHWISE, **batches),
        Network("quick_vit", vit, "other_transformer", **batches),
        Network("quick_lstm", lstm, "recurrent", **text),
        Network("quick_gpt", decoder, "language_transformer", **text),
        Network("quick_bert", encoder, "language_transformer", **text),
    ]


def _convolutions() -> dict[str, Any]:
    halved = {"kernel": 3, "stride": 2, "padding": 1, "has_bias": False}
    layers = [
        layer
        for channels in (16, 32, 64)
        for layer in ({"kind": "conv2d", "out_channels": channels, **halved}, {"kind": "batch_norm"}, {"kind": "relu"})
    ]
    head = [{"kind": "global_average_pool2d"}, {"kind": "linear", "out_features": CLASSES}]
    return {"family": "layers", "input": {"shape": [3, 32, 32]}, "layers": [*layers, *head]}
