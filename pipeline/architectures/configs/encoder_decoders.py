"""Readers of encoder-decoder models: T5 and Whisper."""

from collections.abc import Callable

from pipeline.architectures.configs.keys import ACTIVATIONS, Keys
from pipeline.architectures.families.transformer_encoder_decoder import TransformerEncoderDecoder
from pipeline.architectures.families.whisper import Whisper
from pipeline.architectures.network import Lengths, Node


def t5(keys: Keys) -> list[Node]:
    """T5; feed_forward_proj states whether the feed-forward is gated. Lengths that the caller leaves open are n_positions or 512."""
    task = keys.task("ForConditionalGeneration", ("ForConditionalGeneration", "EncoderModel", "Model"))
    length = keys.sequence_length("n_positions", 512)
    if task != "EncoderModel":
        keys.target_length("n_positions", 512)
    form = keys.word(
        "feed_forward_proj", "relu", [*ACTIVATIONS, *(f"gated-{activation}" for activation in ACTIVATIONS)]
    )
    layers = keys.whole("num_layers", also=("num_hidden_layers",))
    network = TransformerEncoderDecoder(
        encoder_layers=layers,
        decoder_layers=keys.maybe_whole("num_decoder_layers") or layers,
        width=keys.whole("d_model", also=("hidden_size",)),
        heads=keys.whole("num_heads", 8, also=("num_attention_heads",)),
        head_width=keys.whole("d_kv", 64, also=("head_dim",)),
        feed_forward_width=keys.whole("d_ff", 2048),
        vocabulary=keys.whole("vocab_size", 32128),
        is_gated=form.startswith("gated-"),
        is_tied=keys.flag("tie_word_embeddings", True),
        has_biases=False,
        relative_positions=keys.whole("relative_attention_num_buckets", 32),
        has_head=task == "ForConditionalGeneration",
    )
    return network.encoder(length) if task == "EncoderModel" else network.nodes(keys.lengths)


def whisper(keys: Keys) -> list[Node]:
    """Whisper: --sequence-length counts mel frames, two for each of max_source_positions."""
    task = keys.task("ForConditionalGeneration", ("ForConditionalGeneration", "Model"))
    width = keys.whole("d_model", also=("hidden_size",))
    encoder_heads = keys.whole("encoder_attention_heads", 6, also=("num_attention_heads",))
    decoder_heads = keys.whole("decoder_attention_heads", 6)
    keys.heads("encoder_attention_heads", "d_model", encoder_heads, width)
    keys.heads("decoder_attention_heads", "d_model", decoder_heads, width)
    frames = keys.sequence_length("max_source_positions", 1500, times=2)
    target = keys.target_length("max_target_positions", 448)
    positions = keys.whole("max_source_positions", 1500)
    if frames > 2 * positions:
        raise keys.error("max_source_positions", f"allows {2 * positions} mel frames, not {frames:g}")
    return Whisper(
        mel_bands=keys.whole("num_mel_bins", 80),
        encoder_layers=keys.whole("encoder_layers", also=("num_hidden_layers",)),
        decoder_layers=keys.whole("decoder_layers"),
        width=width,
        encoder_heads=encoder_heads,
        decoder_heads=decoder_heads,
        encoder_feed_forward_width=keys.whole("encoder_ffn_dim", 1536),
        decoder_feed_forward_width=keys.whole("decoder_ffn_dim", 1536),
        vocabulary=keys.whole("vocab_size", 51865),
        source_positions=positions,
        target_positions=keys.whole("max_target_positions", 448),
        is_tied=keys.flag("tie_word_embeddings", True),
        has_head=task == "ForConditionalGeneration",
    ).nodes(Lengths(frames, target))


READERS: dict[str, Callable[[Keys], list[Node]]] = {"t5": t5, "whisper": whisper}
