"""Readers of encoders for images (ViT, DeiT, DINOv2), images with text (CLIP, SigLIP) and sound (wav2vec 2.0)."""

from typing import Any

from pipeline.architectures.blocks import NORM, block, patch_encoder
from pipeline.architectures.configs import language
from pipeline.architectures.configs.images import TASKS
from pipeline.architectures.configs.keys import Keys
from pipeline.architectures.network import Concatenation, Input, Layer, Lengths, Node, Repeat, Side, Sum

# For each class: its head, and how its encoder differs from ViT's. `tokens` is the number of class and other tokens.
ENCODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "vit": ("pooler", {}),
    "deit": ("pooler", {"tokens": 2}),
    "dinov2": ("mean", {"has_scales": True}),
    "clip_vision_model": ("none", {"has_patch_bias": False, "has_first_norm": True}),
    "siglip_vision_model": ("attention", {"tokens": 0}),
}


def encoder(keys: Keys) -> list[Node]:
    """Return the patch encoder, and the head of the class that the config names."""
    head, differences = ENCODERS[keys.model_type]
    size, own_size, patch = keys.image(), keys.own_image(), keys.whole("patch_size")
    if patch > min(size, own_size):
        raise keys.error("patch_size", f"is {patch}, larger than the image ({min(size, own_size)})")
    width = keys.whole("hidden_size")
    # DINOv2 also has a vector for masked patches, which inference does not use.
    tokens = differences.get("tokens", 1) + keys.flag("use_mask_token", absent=False)
    nodes = patch_encoder(
        (keys.whole("num_channels"), size, size),
        {"size": patch, "width": width},
        keys.whole("num_hidden_layers"),
        {**keys.heads("num_attention_heads", width), "has_biases": keys.flag("qkv_bias", absent=True)},
        _feed_forward(keys, width),
        positions=(own_size // patch) ** 2 + tokens,
        **differences,
    )
    return [*nodes, *_head(keys, head, width, (size // patch) ** 2)]


def _feed_forward(keys: Keys, width: int) -> dict[str, Any]:
    has_ratio, is_gated = "mlp_ratio" in keys.class_row, keys.flag("use_swiglu_ffn", absent=False)
    inner = int(width * keys.number("mlp_ratio")) if has_ratio else keys.whole("intermediate_size")
    if is_gated:  # two thirds of the width, rounded up to a multiple of 8
        inner = (int(inner * 2 / 3) + 7) // 8 * 8
    return {"width": keys.checked("mlp_ratio", inner), "is_gated": is_gated, "has_biases": True}


def _head(keys: Keys, kind: str, width: int, patches: int) -> list[Node]:
    """Return the pooling and the classifier after the patches, or the pooling that the model without a classifier has.

    `kind` is the pooling of the class, as in ENCODERS. Without a classifier, only "attention" and "pooler" add layers.
    """
    has_classifier = keys.task("Model" if kind in ("none", "attention") else TASKS[0], TASKS) == TASKS[0]
    classes = keys.labels() if has_classifier else 0
    pooled = keys.maybe_whole("pooler_output_size") or width
    if kind == "attention" and not has_classifier:
        return _attention_pool(keys, width, patches)
    if kind == "pooler" and not has_classifier:
        classes = pooled
    if not classes:
        return []
    pool: Node = Layer("average_positions" if kind == "attention" else "select_position")
    if kind == "mean":  # the class token is concatenated with the mean of the patches
        pool = Concatenation([[pool], [Layer("average_positions")]])
    return [pool, Layer("linear", {"out_features": classes})]


def _attention_pool(keys: Keys, width: int, patches: int) -> list[Node]:
    """Return a learned query that attends to all patches, and a feed-forward network."""
    source = {"source_positions": patches, "source_width": width, "has_biases": True}
    query: list[Node] = [Input((1, width)), Layer("learned_parameters", {"number": width})]
    attention = Layer("cross_attention", {**keys.heads("num_attention_heads", width), **source})
    return [*query, attention, Sum([NORM, Layer("feed_forward", _feed_forward(keys, width))])]


def pair(keys: Keys) -> list[Node]:
    """Return both towers of CLIP or SigLIP, for one image and its text; each ends in a projection to a common width."""
    keys.task("Model", ("Model",))
    keys.known |= {"text_config", "vision_config", "logit_scale_init_value"}
    text, image = (_half(keys, name) for name in ("text", "vision"))
    keys.reading = text_reading = language.read(text, keys.asked, keys.has_own_lengths, None)
    width = keys.whole("projection_dim") if keys.model_type == "clip" else None
    projection = [Layer("linear", {"out_features": width, "has_bias": False})] if width else []
    pooled: list[Node] = [Layer("select_position"), *projection]
    image_half = Keys(image, image["model_type"], Lengths(), keys.asked_image_size)
    patches = encoder(image_half)
    image_half.pass_over()
    keys.reading.image_size = image_half.reading.image_size
    keys.reading.assumed |= image_half.reading.assumed
    keys.reading.defaults |= image_half.reading.defaults
    scales = Layer("learned_parameters", {"number": 1 if width else 2})
    if width:
        return [*text_reading.nodes, *pooled, *patches, *pooled, scales]
    size = text.get("projection_size") or image.get("hidden_size", image_half.whole("hidden_size"))
    projection = [Layer("linear", {"out_features": size})]
    return [*text_reading.nodes, Layer("select_position"), *projection, *patches, scales]


def _half(keys: Keys, name: str) -> dict[str, Any]:
    """Return the config of one tower, with the tower's type and without keys that concern the pair."""
    half = keys.config.get(f"{name}_config") or {}
    if not isinstance(half, dict):
        raise keys.error(f"{name}_config", "must be a mapping")
    kind = f"{keys.model_type}_{name}_model"
    drop = ("model_type", "architectures", "projection_dim", "projection_size")
    return {**{key: value for key, value in half.items() if key not in drop}, "model_type": kind}


def wav2vec2(keys: Keys) -> list[Node]:
    """Return the network for --sequence-length samples of sound, with the vocabulary head if the class is for CTC."""
    task = keys.task("Model", ("Model", "ForCTC"))
    samples = keys.asked.sequence_length
    if samples is None:
        raise keys.error("sequence_length", "must be stated (--sequence-length): samples of sound, 16,000 per second")
    keys.reading.lengths = Lengths(samples)
    width, norm = keys.whole("hidden_size"), NORM
    if keys.config.get("output_hidden_size", width) != width:
        raise keys.error("output_hidden_size", "other than hidden_size cannot be counted")
    keys.known |= {"output_hidden_size", "do_stable_layer_norm"}  # do_stable_layer_norm only moves the norms
    nodes: list[Node] = [Input((1, samples)), *_features(keys), Layer("transpose"), norm]
    nodes.append(Layer("linear", {"out_features": width}))
    if keys.number("mask_time_prob", least=0) or keys.number("mask_feature_prob", least=0):
        nodes.append(Layer("learned_parameters", {"number": width}))  # the vector for masked positions
    kernel, groups = keys.whole("num_conv_pos_embeddings"), keys.whole("num_conv_pos_embedding_groups")
    position_convolution = {"out_channels": width, "kernel": kernel, "padding": kernel // 2, "groups": groups}
    # Weight normalisation: the weights are a direction plus one length per kernel position.
    nodes += [
        Side(
            [Layer("transpose"), Layer("conv1d", position_convolution), Layer("learned_parameters", {"number": kernel})]
        ),
        norm,
    ]
    attention = {**keys.heads("num_attention_heads", width), "has_biases": True}
    feed = {"width": keys.whole("intermediate_size"), "has_biases": True}
    nodes.append(Repeat(keys.whole("num_hidden_layers"), block(attention, feed)))
    return [*nodes, *([Layer("linear", {"out_features": keys.whole("vocab_size")})] if task == "ForCTC" else [])]


def _features(keys: Keys) -> list[Node]:
    """Return the convolutions, with a norm after the first convolution or after each."""
    norms_each_layer = keys.word("feat_extract_norm", ("group", "layer")) == "layer"
    channels, kernels, strides = (keys.wholes(name) for name in ("conv_dim", "conv_kernel", "conv_stride"))
    if not len(channels) == len(kernels) == len(strides):
        raise keys.error("conv_kernel", f"has {len(kernels)} numbers for {len(channels)} layers")
    nodes: list[Node] = []
    for index, (out, kernel, stride) in enumerate(zip(channels, kernels, strides, strict=True)):
        convolution = {"out_channels": out, "kernel": kernel, "stride": stride, "has_bias": keys.flag("conv_bias")}
        scale = [Layer("learned_parameters", {"number": 2 * out})] if norms_each_layer or not index else []
        nodes += [Layer("conv1d", convolution), *scale, Layer("activation", {"function": "gelu"})]
    return nodes
