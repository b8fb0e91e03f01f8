"""Readers of encoder-decoder models: T5, BART and related models, and Whisper."""

from pipeline.architectures.blocks import NORM, block
from pipeline.architectures.configs.keys import ACTIVATIONS, Keys
from pipeline.architectures.configs.parts import vector
from pipeline.architectures.families.transformer_encoder_decoder import TransformerEncoderDecoder
from pipeline.architectures.families.whisper import mel_convolutions
from pipeline.architectures.network import Input, Layer, Node, Repeat

T5_LENGTH = 512  # Raffel et al., arXiv 1910.10683, section 3.1.2; relative positions set no maximum
TASKS = ("ForConditionalGeneration", "Model")


def t5(keys: Keys) -> list[Node]:
    """Return T5's stacks. In umt5, each layer has a table of relative positions; in other types, only the first."""
    task = keys.task(TASKS[0], (*TASKS, "EncoderModel"))
    length = keys.length("sequence_length", "n_positions", usual=T5_LENGTH)
    if task != "EncoderModel":
        keys.length("target_length", "n_positions", usual=T5_LENGTH)
    keys.known |= {"dense_act_fn", "is_gated_act"}
    form = keys.word("feed_forward_proj", [*ACTIVATIONS, *(f"gated-{activation}" for activation in ACTIVATIONS)])
    if keys.config.get("is_gated_act") not in (None, form.startswith("gated-")):
        raise keys.error("is_gated_act", f"contradicts feed_forward_proj, {form}")
    layers, heads = keys.whole("num_layers", ("num_hidden_layers",)), keys.whole("num_heads", ("num_attention_heads",))
    decoder_layers = keys.maybe_whole("num_decoder_layers") or layers
    buckets = keys.whole("relative_attention_num_buckets")
    if is_local := keys.model_type == "longt5":
        keys.word("encoder_attention_type", ["local"])
        keys.known.add("global_block_size")
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
        encoder_reach=keys.whole("local_radius") if is_local else None,
    )
    is_encoder = task == "EncoderModel"
    # The network counts one table of relative positions per stack; umt5 has one per layer.
    tables = (layers - 1 + (0 if is_encoder else decoder_layers - 1)) if keys.model_type == "umt5" else 0
    nodes = network.encoder(length) if is_encoder else network.nodes(keys.reading.lengths)
    return [*nodes, *([Layer("learned_parameters", {"number": tables * buckets * heads})] if tables else [])]


# For each class: the number of learned positions that no sequence uses (None if positions are not learned), whether a
# norm follows the embedding, and whether one follows each stack.
BARTS: dict[str, tuple[int | None, bool, bool]] = {
    **dict.fromkeys(("bart", "plbart", "mvp"), (2, True, False)),
    "mbart": (2, True, True),
    "blenderbot-small": (0, True, False),
    **dict.fromkeys(("blenderbot", "pegasus", "whisper"), (0, False, True)),
    "marian": (0, False, False),
    "m2m_100": (None, False, True),
    "fsmt": (1, False, False),  # `bart` reads pad_token_id instead of the 1; each side has its own vocabulary
}


def bart(keys: Keys) -> list[Node]:
    """Return the stacks of BART and related models. Whisper's --sequence-length is in mel frames, two per position."""
    task, width = keys.task(TASKS[0], TASKS), keys.whole("d_model", ("hidden_size",))
    is_pair, is_sound = keys.model_type == "fsmt", keys.model_type == "whisper"
    vocabulary = keys.whole("src_vocab_size" if is_pair else "vocab_size")
    is_tied = keys.flag("tie_word_embeddings")
    if keys.config.get("decoder_vocab_size") not in (None, vocabulary):
        raise keys.error("decoder_vocab_size", "other than vocab_size cannot be counted")
    keys.known |= {"decoder_vocab_size", *(("langs", "decoder") if is_pair else ())}
    unused, has_embedding_norm, has_last_norm = BARTS[keys.model_type]
    unused = keys.whole("pad_token_id", least=0) + 1 if is_pair else unused
    nodes: list[Node] = []
    source: dict[str, float] | None = None
    for side, name, kind in (("encoder", "sequence_length", "source"), ("decoder", "target_length", "target")):
        is_decoder = side == "decoder"
        has_frames = is_sound and not is_decoder
        key = f"max_{kind}_positions" if is_sound else "max_position_embeddings"
        length, positions = keys.length(name, key, times=2 if has_frames else 1), keys.whole(key)
        if has_frames and length > 2 * positions:
            raise keys.error(key, f"allows at most {2 * positions} mel frames, not {length:g}")
        # Some configs state the encoder's heads and layers under these keys.
        other_heads, other_layers = ([], []) if is_decoder else (["num_attention_heads"], ["num_hidden_layers"])
        attention = {**keys.heads(f"{side}_attention_heads", width, other_heads), "has_biases": True}
        feed = {"width": keys.whole(f"{side}_ffn_dim"), "has_biases": True}
        vocabulary = keys.whole("tgt_vocab_size") if is_pair and is_decoder else vocabulary
        is_shared = is_decoder and not is_sound and is_tied
        words = {"vocabulary": vocabulary, "width": width, "is_shared": is_shared}
        look_up = [Input((length,)), Layer("embedding", words)]
        nodes += mel_convolutions(keys.whole("num_mel_bins"), length, width) if has_frames else look_up
        nodes += [] if unused is None else [Layer("position_embedding", {"positions": positions + unused})]
        nodes += [NORM] if has_embedding_norm else []
        blocks = block({**attention, "has_key_bias": not is_sound}, feed, source)
        nodes += [Repeat(keys.whole(f"{side}_layers", other_layers), blocks), *([NORM] if has_last_norm else [])]
        source = {"source_positions": (length + 1) // 2 if is_sound else length, "source_width": width}
    tied = {"vocabulary": vocabulary, "is_tied": is_tied}
    # If untied, each stack has its own table of embeddings, and the model still holds the common one, unused.
    unused_table = 0 if is_tied or is_pair or is_sound else vocabulary * width
    return [*nodes, *vector(unused_table), *([Layer("unembedding", tied)] if task == TASKS[0] else [])]
