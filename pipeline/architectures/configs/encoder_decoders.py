"""Readers of encoder-decoder models: T5, BART and related models, and Whisper."""

from pipeline.architectures.blocks import NORM, block
from pipeline.architectures.configs.keys import ACTIVATIONS, Keys
from pipeline.architectures.families.transformer_encoder_decoder import TransformerEncoderDecoder
from pipeline.architectures.families.whisper import Whisper
from pipeline.architectures.network import Input, Layer, Lengths, Node, Repeat

T5_LENGTH = 512  # Raffel et al., arXiv 1910.10683, section 3.1.2; its relative positions set no maximum
TASKS = ("ForConditionalGeneration", "Model")


def t5(keys: Keys) -> list[Node]:
    """Return T5's stacks; umt5 has a table of relative positions in every layer, the others only in the first."""
    task = keys.task(TASKS[0], (*TASKS, "EncoderModel"))
    length = keys.length("sequence_length", "n_positions", usual=T5_LENGTH)
    if task != "EncoderModel":
        keys.length("target_length", "n_positions", usual=T5_LENGTH)
    form = keys.word("feed_forward_proj", [*ACTIVATIONS, *(f"gated-{activation}" for activation in ACTIVATIONS)])
    layers, heads = keys.whole("num_layers", ("num_hidden_layers",)), keys.whole("num_heads", ("num_attention_heads",))
    decoder_layers = keys.maybe_whole("num_decoder_layers") or layers
    buckets = keys.whole("relative_attention_num_buckets")
    network = TransformerEncoderDecoder(
        encoder_layers=layers,
        decoder_layers=decoder_layers,
        width=keys.whole("d_model", ("hidden_size",)),
        heads=heads,
        head_width=keys.whole("d_kv", ("head_dim",)),
        feed_forward_width=keys.whole("d_ff"),
        vocabulary=keys.whole("vocab_size"),
        is_gated=form.startswith("gated-"),
        is_tied=keys.flag("tie_word_embeddings"),
        has_biases=False,
        relative_positions=buckets,
        has_head=task == TASKS[0],
    )
    is_encoder = task == "EncoderModel"
    tables = (layers - 1 + (0 if is_encoder else decoder_layers - 1)) if keys.model_type == "umt5" else 0
    nodes = network.encoder(length) if is_encoder else network.nodes(keys.reading.lengths)
    return [*nodes, *([Layer("learned_parameters", {"number": tables * buckets * heads})] if tables else [])]


def whisper(keys: Keys) -> list[Node]:
    """Return Whisper's stacks; --sequence-length counts mel frames, two for each of max_source_positions."""
    task, width = keys.task(TASKS[0], TASKS), keys.whole("d_model", ("hidden_size",))
    encoder_heads = keys.heads("encoder_attention_heads", width, ("num_attention_heads",))["heads"]
    decoder_heads = keys.heads("decoder_attention_heads", width)["heads"]
    frames = keys.length("sequence_length", "max_source_positions", times=2)
    target = keys.length("target_length", "max_target_positions")
    positions = keys.whole("max_source_positions")
    if frames > 2 * positions:
        raise keys.error("max_source_positions", f"allows {2 * positions} mel frames, not {frames:g}")
    return Whisper(
        mel_bands=keys.whole("num_mel_bins"),
        encoder_layers=keys.whole("encoder_layers", ("num_hidden_layers",)),
        decoder_layers=keys.whole("decoder_layers"),
        width=width,
        encoder_heads=encoder_heads,
        decoder_heads=decoder_heads,
        encoder_feed_forward_width=keys.whole("encoder_ffn_dim"),
        decoder_feed_forward_width=keys.whole("decoder_ffn_dim"),
        vocabulary=keys.whole("vocab_size"),
        source_positions=positions,
        target_positions=keys.whole("max_target_positions"),
        is_tied=keys.flag("tie_word_embeddings"),
        has_head=task == TASKS[0],
    ).nodes(Lengths(frames, target))


# Per class: positions that no sequence uses, a norm after the embedding, a norm after each stack.
BARTS = {
    **dict.fromkeys(("bart", "plbart", "mvp"), (2, True, False)),
    "mbart": (2, True, True),
    "blenderbot-small": (0, True, False),
    **dict.fromkeys(("blenderbot", "pegasus"), (0, False, True)),
    "marian": (0, False, False),
}


def bart(keys: Keys) -> list[Node]:
    """Return the two stacks of BART and its kin, with separate positions and one shared embedding."""
    task, width = keys.task(TASKS[0], TASKS), keys.whole("d_model", ("hidden_size",))
    vocabulary = keys.whole("vocab_size")
    positions = "max_position_embeddings"
    lengths = {"encoder": keys.length("sequence_length", positions), "decoder": keys.length("target_length", positions)}
    if keys.config.get("decoder_vocab_size") not in (None, vocabulary):
        raise keys.error("decoder_vocab_size", "other than vocab_size cannot be counted")
    keys.known.add("decoder_vocab_size")
    unused, has_embedding_norm, has_last_norm = BARTS[keys.model_type]
    words = {"vocabulary": vocabulary, "width": width}
    nodes: list[Node] = []
    for side, length in lengths.items():
        is_decoder = side == "decoder"
        attention = {**keys.heads(f"{side}_attention_heads", width), "has_biases": True}
        source = {"source_positions": lengths["encoder"], "source_width": width} if is_decoder else None
        feed = {"width": keys.whole(f"{side}_ffn_dim"), "has_biases": True}
        layers = keys.whole(f"{side}_layers", () if is_decoder else ("num_hidden_layers",))
        nodes += [Input((length,)), Layer("embedding", {**words, "is_shared": is_decoder})]
        nodes.append(Layer("position_embedding", {"positions": keys.whole(positions) + unused}))
        nodes += [NORM] if has_embedding_norm else []
        nodes += [Repeat(layers, block(attention, feed, source)), *([NORM] if has_last_norm else [])]
    tied = {"vocabulary": vocabulary, "is_tied": keys.flag("tie_word_embeddings")}
    return [*nodes, *([Layer("unembedding", tied)] if task == TASKS[0] else [])]
