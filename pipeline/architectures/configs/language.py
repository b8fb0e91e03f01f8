"""Layers of language models, from a config.json's keys and from properties of its class that no key states."""

import re
from collections import Counter
from typing import Any

from pipeline.architectures.configs.keys import Keys, Reading, shown
from pipeline.architectures.configs.lengths import assumed_length
from pipeline.architectures.configs.parts import feed_forward, linear, mixer, norm, vector
from pipeline.architectures.configs.settings import Settings
from pipeline.architectures.configs.stack import feed_forwards, mixers
from pipeline.architectures.configs.vocabulary import CLASSES, TYPES, stem_of
from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Side, Sum
from schemas.spelling import nearest

INSIDE = ("text_config", "llm_config", "language_config", "thinker_config")
OF_THE_OUTER_LEVEL = ("tie_word_embeddings", "id2label")  # the wrapper's value takes precedence
NO_TOWERS = ("quantization_config", "generation_config", "compression_config")
MOST_LEVELS = 4
HEADS = {
    **dict.fromkeys(("ForCausalLM", "LMHeadModel", "WithLMHeadModel", "ForConditionalGeneration", "Decoder"), "words"),
    **dict.fromkeys(("ForMaskedLM", "ForPreTraining"), "words"),
    **dict.fromkeys(("Model", "TextModel"), "states"),
    "ForSequenceClassification": "sequence",
    "ForTokenClassification": "tokens",
    "ForQuestionAnswering": "span",
}


def type_of(config: dict[str, Any]) -> str | None:
    """Return the type in types.yml: by model_type, by the first class named, or by the text model inside."""
    name, named = config.get("model_type"), config.get("architectures")
    if isinstance(name, str) and name in TYPES:
        return name
    if not isinstance(named, list) or not named or not isinstance(named[0], str):
        return None
    stem = stem_of(named[0])
    kinds = [kind for kind, row in CLASSES.items() if stem in row["classes"] and kind in TYPES]
    # Several types may have one class; prefer the type with the same name.
    return min(kinds, key=lambda kind: re.sub(r"\W|_", "", kind) != stem.lower(), default=None)


def text_model(config: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the config of the text model inside, or the config itself, and descriptions of the parts around it."""
    around: list[str] = []
    for _ in range(MOST_LEVELS):
        key = next((key for key in INSIDE if isinstance(config.get(key), dict) and config[key]), None)
        if key is None:
            return config, around
        inner = config[key]
        towers = [name for name in config if name.endswith("_config") and name != key and name not in NO_TOWERS]
        said = [f"what {name} says, with its projection" for name in towers if isinstance(config[name], dict)]
        around += said or [f"what {config.get('model_type')} has around the text model of {key}"]
        outer = {name: config[name] for name in OF_THE_OUTER_LEVEL if name in config}
        usual = f"{config.get('model_type')}_text"
        kind = {} if type_of(inner) else {"model_type": usual if usual in TYPES else config.get("model_type")}
        config = {**inner, **outer, **kind}
    raise ArchitectureError("text_config is nested too deeply", key)


def read(config: dict[str, Any], lengths: Lengths, has_own_lengths: bool, prediction_depth: int | None) -> Reading:
    """Return the layers described by a language model's config, like `configs.read`."""
    inner, around = text_model(config)
    kind = type_of(inner)
    if kind is None:
        raise ArchitectureError(_not_known(inner.get("model_type")), "model_type")
    keys = Keys(inner, kind, lengths, None, has_own_lengths)
    settings = Settings(keys)
    task = keys.task("", HEADS, settings.row.get("classes", ()))
    for name in around:
        keys.leave_out(name)
    if "auto_map" in config or "auto_map" in inner:
        keys.leave_out("the code that the config names (auto_map): counted as the class of that name")
    length = lengths.sequence_length
    if length is None:
        keys.need_own_lengths("sequence_length")
        longest_key = settings.key_of.get("positions", "")
        length = keys.assume("sequence_length", assumed_length(inner, _longest(settings), longest_key, kind))
    keys.reading.lengths = Lengths(length)
    keys.reading.prediction_depth = _predictions(settings, prediction_depth)
    keys.reading.nodes = _nodes(settings, task, length, keys.reading.prediction_depth or 0)
    return keys.reading


def _not_known(name: object) -> str:
    if name is None:
        return "a config needs model_type, or architectures with a class that is known"
    if f"{name}_text" in TYPES:
        return f"a config of {name} needs text_config, the text model's inside"
    hint = nearest(name, TYPES, longest_list=0) if isinstance(name, str) else ""
    return f"model_type {shown(name)} cannot be read{hint}"


def _longest(settings: Settings) -> int | None:
    """Return the longest sequence that the config allows; RoBERTa's positions begin after the padding token's."""
    positions: int | None = settings.get("positions")
    if not positions or not settings.row.get("is_padded"):
        return positions
    padding = settings.config.get("pad_token_id", 1)
    unused = 1 + (padding if isinstance(padding, int) else 1)
    if positions - unused < 1:
        raise settings.error("positions", f"leaves no position: {positions}, of which {unused} are padding")
    return positions - unused


def _predictions(settings: Settings, asked: int | None) -> int | None:
    """Return the number of modules that predict further tokens: the caller's, otherwise the file's; None if there are none."""
    stated: int | None = settings.get("predictions") or None
    if stated and asked is None:
        words = f"{settings.key_of['predictions']}; training may have had another"
        settings.keys.reading.assumed["prediction_depth"] = words
    elif stated and not asked:
        settings.keys.leave_out("the modules that predict further tokens")
    return asked if stated and asked is not None else stated


def _nodes(settings: Settings, task: str, length: float, predictions: int) -> list[Node]:
    """Return the network over one sequence, with its head."""
    width, row = settings.need("width"), settings.row
    narrow = settings.get("embedding_width") or width
    words = {"vocabulary": settings.need("vocabulary")}
    is_widened_late = "embedding_projection_bias" in row  # after positions and segments are added
    added = _positions(settings, narrow if is_widened_late else width, length)
    added += [norm(settings)] if settings.get("embedding_norm") or row.get("embedding_norm") else []
    added += vector(settings.need("layers") * settings.need("heads") + 1) if row.get("contact_head") else []
    is_widened = narrow != width or row.get("always_projects")
    widening: list[Node] = [linear(width, is_widened_late)] if is_widened else []
    nodes: list[Node] = [Input((length,)), Layer("embedding", {**words, "width": narrow})]
    nodes += [*added, *widening] if is_widened_late else [*widening, *added]
    further, ended = _further_block(settings) if predictions else [], _ended(settings)
    nodes += _blocks(settings)
    head = HEADS.get(task, "states" if row.get("head") == "none" else "words")
    if head != "words":
        return [*nodes, *ended, *_other_head(settings, head)]
    head_nodes = [*ended, *_word_head(settings, task, narrow)]
    if not predictions:
        return [*nodes, *head_nodes]
    nodes.append(Side(head_nodes))
    shared = Side([norm(settings), Layer("unembedding", {**words, "is_tied": True})])
    return [*nodes, *[Layer("next_token_merge"), *further, shared] * predictions]


def _positions(settings: Settings, width: int, length: float) -> list[Node]:
    """Return the nodes added to the word embeddings: learned positions, segments, a table of relative positions."""
    row, nodes = settings.row, vector((settings.get("segments") or 0) * width)
    kind = settings.config.get("position_embedding_type") or "absolute"
    has_other = settings.config.get("alibi") and "positions" in row
    if has_other or kind not in ("absolute", *row.get("position_kinds", ())):
        key = "alibi" if has_other else "position_embedding_type"
        message = f"{key}: the config is of another network than {settings.keys.class_type}"
        raise ArchitectureError(message, key)
    if "positions" in row and kind == "absolute":
        longest = _longest(settings) or settings.need("positions")
        if length > longest:
            raise settings.error("positions", f"allows sequences of {longest} positions, not {length:g}")
        nodes.append(Layer("position_embedding", {"positions": settings.get("positions") + row["positions"]}))
    if span := settings.get("relative_span"):  # a table and its norm
        nodes += vector(2 * span * width + 2 * width)
    buckets = settings.get("relative_buckets")
    return nodes + (vector(buckets * settings.need("heads")) if buckets else [])


def _blocks(settings: Settings) -> list[Node]:
    """Return all blocks, with equal blocks together; their order changes no sum."""
    layers, searched = settings.need("layers"), settings.config.get("block_configs")
    if searched is not None:
        if not isinstance(searched, list) or len(searched) != layers:
            raise settings.keys.error("block_configs", f"must have each of the {layers} layers")
        return [
            Repeat(times, _searched(settings, *sizes)) for sizes, times in Counter(map(_block_sizes, searched)).items()
        ]
    kinds = list(zip(mixers(settings, layers), feed_forwards(settings, layers), strict=True))
    groups = settings.get("groups")
    if not groups:
        return [Repeat(times, _block(settings, *kind)) for kind, times in Counter(kinds).items()]
    if groups > layers:
        raise settings.error("groups", f"is more than the layers: {groups} of {layers}")
    block, again = _block(settings, *kinds[0]), settings.get("layers_per_group", 1)
    nodes: list[Node] = [Repeat(groups * again, block)]
    return nodes + ([Repeat((layers - groups) * again, _shared(block))] if layers > groups else [])


def _shared(nodes: list[Node]) -> list[Node]:
    """Return the same layers, sharing the weights of earlier ones."""
    return [
        Sum(_shared(list(node.main)), _shared(list(node.shortcut)))
        if isinstance(node, Sum)
        else Layer(node.kind, {**node.arguments, "is_shared": True})
        for node in nodes
        if isinstance(node, Sum | Layer)
    ]


def _further_block(settings: Settings) -> list[Node]:
    """Return the block that predicts a further token: of the kinds stated in the config, otherwise like the last layer."""
    stated = settings.get("prediction_kinds")
    if stated:
        return [
            node
            for kind in settings.words("prediction_kinds", len(stated)) or ()
            for node in _block(settings, kind, "dense")
        ]
    layers = settings.need("layers")
    block = _block(settings, mixers(settings, layers)[-1], feed_forwards(settings, layers)[-1])
    return block * (settings.get("prediction_layers") or 1)


def _block(settings: Settings, mixing: str, feeding: str) -> list[Node]:
    row, before = settings.row, [norm(settings)]
    if row.get("is_single"):  # one part per layer: a mixer or a feed-forward network
        part = feed_forward(settings, mixing) if mixing in ("dense", "sparse") else mixer(settings, mixing)
        return [Sum([*before, *part])]
    mixed, fed = mixer(settings, mixing), feed_forward(settings, feeding)
    if row.get("is_parallel_state"):
        mixed = [Side(mixer(settings, "mamba")), *mixed]
    extra = vector(sum(settings.get(size) if isinstance(size, str) else size for size in row.get("layer_vectors", ())))
    streams = settings.get("streams")
    around = [Side([Layer("hyper_connection", {"streams": streams})])] if streams else []
    norms = row["norms"]
    if settings.get("is_parallel", False):
        usual = 2 if settings.get("is_new_decoder") else row.get("parallel_norms", norms)
        norms = settings.get("parallel_norms") or usual
    if norms == 1:
        return [Sum([*before, *extra, Sum(mixed, fed)])]
    after = before if norms == 4 else []
    return [Sum([*around, *before, *mixed, *after]), Sum([*around, *before, *fed, *after, *extra])]


def _block_sizes(block: Any) -> tuple[float, float]:
    """Return heads per key-value head and feed-forward factor (of 2/3 width) of a DeciLM block; 0 means none."""
    try:
        numbers = block["attention"].get("n_heads_in_group") or 0, block["ffn"].get("ffn_mult") or 0
        if all(type(number) in (int, float) and 0 <= number < 1000 for number in numbers):
            return numbers
    except (AttributeError, KeyError, TypeError):
        pass
    message = "block_configs must have attention.n_heads_in_group and ffn.ffn_mult in each block"
    raise ArchitectureError(message, "block_configs")


def _searched(settings: Settings, heads_of_group: float, factor: float) -> list[Node]:
    parts: list[Node] = []
    if heads_of_group:
        settings.values["key_value_heads"] = int(settings.need("heads") // heads_of_group)
        parts.append(Sum([norm(settings), *mixer(settings, "attention")]))
    if factor:
        settings.values["feed_forward"] = -(-int(2 * factor * settings.need("width") / 3) // 256) * 256
        parts.append(Sum([norm(settings), *feed_forward(settings, "dense")]))
    return parts


def _ended(settings: Settings) -> list[Node]:
    """Return the nodes after the last block: the collapse of several streams, and a norm."""
    streams = settings.get("streams")
    nodes: list[Node] = [Side([Layer("hyper_connection", {"streams": streams, "is_last": True})])] if streams else []
    is_normed = settings.row.get("final_norm", True) and settings.get("first_norm", True)
    return [*nodes, norm(settings)] if is_normed and not settings.get("no_final_norm") else nodes


def _word_head(settings: Settings, task: str, narrow: int) -> list[Node]:
    """Return the scores of words and, in BERT's pretraining, of whether one sentence follows the other."""
    width, row = settings.need("width"), settings.row
    nodes: list[Node] = []
    if task == "ForPreTraining":
        nodes.append(Side([Layer("select_position"), linear(width), linear(2)]))
    if row.get("head") == "masked":
        nodes += [linear(narrow, settings.get("masked_bias", True)), norm(settings)]
    elif narrow != width:
        nodes.append(linear(narrow, False))
    has_bias = bool(row.get("head_bias") or settings.get("head_bias"))
    words = {"vocabulary": settings.need("vocabulary"), "is_tied": bool(settings.get("tied")), "has_bias": has_bias}
    return [*nodes, Layer("unembedding", words)]


def _other_head(settings: Settings, head: str) -> list[Node]:
    """Return a head of labels instead of words, or only an encoder's pooler."""
    labels, is_encoder = settings.keys.labels(), not settings.row.get("causal", True)
    has_pooler = is_encoder and (head == "sequence" or (head == "states" and settings.row.get("has_pooler", True)))
    nodes: list[Node] = [Layer("select_position"), linear(settings.get("width"))] if has_pooler else []
    number = {"states": 0, "span": 2}.get(head, labels)
    return [*nodes, linear(number, is_encoder or head != "sequence")] if number else nodes
