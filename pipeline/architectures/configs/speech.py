"""Reader of wav2vec 2.0: convolutions over samples of sound, and an encoder of what they give."""

from collections.abc import Callable

from pipeline.architectures.blocks import block
from pipeline.architectures.configs.keys import Keys
from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Side


def wav2vec2(keys: Keys) -> list[Node]:
    """Return the network over --sequence-length samples, with the words' head of a class for CTC."""
    task = keys.task("Model", ("Model", "ForCTC"))
    samples = keys.asked.sequence_length
    if samples is None:
        raise ArchitectureError(
            "state sequence_length (--sequence-length): samples of sound, 16,000 a second", "sequence_length"
        )
    keys.lengths = Lengths(samples)
    width, norm = keys.whole("hidden_size"), Layer("layer_norm")
    if keys.config.get("output_hidden_size", width) != width:
        raise keys.error("output_hidden_size", "other than hidden_size cannot be counted")
    keys.known |= {"output_hidden_size", "do_stable_layer_norm"}  # norms before or after: as many
    nodes: list[Node] = [Input((1, samples)), *_features(keys), Layer("transpose"), norm]
    nodes.append(Layer("linear", {"out_features": width}))
    if keys.number("mask_time_prob", least=0) or keys.number("mask_feature_prob", least=0):
        nodes.append(Layer("learned_parameters", {"number": width}))  # in place of what is masked
    kernel, heads = keys.whole("num_conv_pos_embeddings"), keys.whole("num_attention_heads")
    place = {
        "out_channels": width,
        "kernel": kernel,
        "padding": kernel // 2,
        "groups": keys.whole("num_conv_pos_embedding_groups"),
    }
    # Its weights are a direction and a length for each of the kernel's positions.
    nodes += [Side([Layer("transpose"), Layer("conv1d", place), Layer("learned_parameters", {"number": kernel})]), norm]
    attention = {
        "heads": heads,
        "head_width": keys.heads("num_attention_heads", "hidden_size", heads, width),
        "has_biases": True,
    }
    feed = {"width": keys.whole("intermediate_size"), "has_biases": True}
    nodes.append(Repeat(keys.whole("num_hidden_layers"), block(attention, feed)))
    return [*nodes, *([Layer("linear", {"out_features": keys.whole("vocab_size")})] if task == "ForCTC" else [])]


def _features(keys: Keys) -> list[Node]:
    """The convolutions; with a norm after the first, or after each."""
    is_each = keys.word("feat_extract_norm", ("group", "layer")) == "layer"
    channels, kernels, strides = (keys.wholes(name) for name in ("conv_dim", "conv_kernel", "conv_stride"))
    if not len(channels) == len(kernels) == len(strides):
        raise keys.error("conv_kernel", f"has {len(kernels)} numbers for {len(channels)} layers")
    nodes: list[Node] = []
    for index, (out, kernel, stride) in enumerate(zip(channels, kernels, strides, strict=True)):
        convolution = {"out_channels": out, "kernel": kernel, "stride": stride, "has_bias": keys.flag("conv_bias")}
        scale = [Layer("learned_parameters", {"number": 2 * out})] if is_each or not index else []
        nodes += [Layer("conv1d", convolution), *scale, Layer("activation", {"function": "gelu"})]
    return nodes


READERS: dict[str, Callable[[Keys], list[Node]]] = {"wav2vec2": wav2vec2}
