"""Turn a language model's config.json into layers, with the properties that its class implies but no key states."""

import re
from collections import Counter
from typing import Any

from pipeline.architectures.configs.keys import Keys, Reading, shown
from pipeline.architectures.configs.lengths import assumed_length
from pipeline.architectures.configs.outer_parts import Part, is_wrapper, parts_around
from pipeline.architectures.configs.parts import feed_forward, mixer, norm, vector
from pipeline.architectures.configs.settings import Settings
from pipeline.architectures.configs.stack import feed_forwards, layer_settings, mixers, searched_layers
from pipeline.architectures.configs.vocabulary import CLASSES, KEYS, TYPES, stem_of
from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, Repeat, Side, Sum
from pipeline.architectures.node_networks import linear, nodes_of
from schemas.spelling import nearest

INSIDE = ("text_config", "llm_config", "language_config", "thinker_config")
OF_THE_OUTER_LEVEL = ("tie_word_embeddings", "id2label")  # the outer value takes precedence
LATE = "embedding_projection_bias"  # a class that widens embeddings after adding positions and segments
MOST_LEVELS = 4
HEADS: dict[str, str] = {task: head for head, tasks in KEYS["heads"].items() for task in tasks}


def type_of(config: dict[str, Any]) -> str | None:
    """Return a config's type in types.yml, by model_type, the first class in `architectures` or its keys; or None."""
    name, class_names = config.get("model_type"), config.get("architectures")
    if name is None and class_names is None:
        return next((dialect["type"] for dialect in KEYS["dialects"] if config.keys() >= {*dialect["keys"]}), None)
    if isinstance(name, str) and name in TYPES:
        return name
    if not isinstance(class_names, list) or not class_names or not isinstance(class_names[0], str):
        return None
    stem = stem_of(class_names[0])
    kinds = [kind for kind, row in CLASSES.items() if stem in row["classes"] and kind in TYPES]
    # Several types may share a class; prefer the type with the same name.
    return min(kinds, key=lambda kind: re.sub(r"\W|_", "", kind) != stem.lower(), default=None)


def text_model(config: dict[str, Any]) -> tuple[dict[str, Any], list[Part]]:
    """Return the innermost config of a text model (or the config itself), and the parts around it.

    Raise ArchitectureError if the text model is only a part of a network of another kind, such as a detector.
    """
    around: list[Part] = []
    for _ in range(MOST_LEVELS):
        key = next((key for key in INSIDE if isinstance(config.get(key), dict) and config[key]), None)
        if key is None:
            kind = type_of(config)
            around += parts_around(config) if kind and TYPES[kind].get("is_flat") else []
            described = {part.key for part in around}
            return {name: value for name, value in config.items() if name not in described}, around
        if not is_wrapper(config):
            of = f"{key} of {shown(config.get('model_type'))}"
            raise ArchitectureError(
                f"{of} may be only a part of the network; to count that part, save it as a file", key
            )
        around += parts_around(config, key)
        inner = config[key]
        outer = {name: config[name] for name in OF_THE_OUTER_LEVEL if name in config}
        text_type = f"{config.get('model_type')}_text"
        kind = (
            {}
            if type_of(inner) or is_wrapper(inner)
            else {"model_type": text_type if text_type in TYPES else config.get("model_type")}
        )
        config = {**inner, **outer, **kind}
    raise ArchitectureError("text_config is nested too deeply", key)


def read(config: dict[str, Any], lengths: Lengths, has_own_lengths: bool, prediction_depth: int | None) -> Reading:
    """Return the layers described by a language model's config, like `configs.read`."""
    inner, around = text_model(config)
    kind = type_of(inner)
    if kind is None:
        raise ArchitectureError(*_refusal(inner))
    keys = Keys(inner, kind, lengths, None, has_own_lengths)
    keys.is_stock = keys.is_stock and "auto_map" not in config
    settings = Settings(keys)
    known = HEADS.keys() - settings.row.get("no_heads", ())
    task = keys.task("", known, settings.row.get("classes", ()))
    keys.reading.parts = around
    keys.reading.not_counted += dict.fromkeys(part.words for part in around)
    if "leaves_out" in settings.row:
        keys.leave_out(settings.row["leaves_out"])
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


def _refusal(config: dict[str, Any]) -> tuple[str, str]:
    """Return the sentence that reports a type that cannot be read, and says what to state instead, and its key."""
    name = config.get("model_type")
    if name is None and "_class_name" in config:
        return f"{shown(config['_class_name'])} of diffusers cannot be read", "_class_name"
    if name is None and "base_model_name_or_path" in config:
        base = shown(config["base_model_name_or_path"])
        return f"an adapter has no layers; estimate with --frozen and --base-model or --config of {base}", "model_type"
    if name is None and {"global_step", "log_history"} <= {*config}:
        return "a trainer's state has no layers; its folder's config.json has them", "model_type"
    if name is None:
        return "a config needs model_type, or architectures with a known class", "model_type"
    if f"{name}_text" in TYPES:
        return f"a config of {name} needs text_config, the config of its text model", "model_type"
    hint = nearest(name, TYPES, longest_list=0) if isinstance(name, str) else ""
    return f"model_type {shown(name)} cannot be read{hint}", "model_type"


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


def _predictions(settings: Settings, asked_depth: int | None) -> int | None:
    """Return how many modules predict further tokens, as the caller or else the file states; None if there are none."""
    stated_depth: int | None = (settings.get("has_predictions", True) and settings.get("predictions")) or None
    if stated_depth and asked_depth is None:
        words = f"{settings.key_of['predictions']}; training may have used another number"
        settings.keys.reading.assumed["prediction_depth"] = words
    elif stated_depth and not asked_depth:
        settings.keys.leave_out("the modules that predict further tokens")
    return asked_depth if stated_depth and asked_depth is not None else stated_depth


def _nodes(settings: Settings, task: str, length: float, predictions: int) -> list[Node]:
    """Return the network for one sequence, with its head."""
    width, row = settings.need("width"), settings.row
    narrow = settings.get("embedding_width") or width
    words = {"vocabulary": settings.need("vocabulary")}
    prompt = settings.get("prompt") or 0  # learned vectors before the words, which the head does not score
    nodes: list[Node] = [Input((length + prompt,)), *_embedding(settings, width, narrow, length)]
    further_blocks, final_nodes = _further_block(settings) if predictions else [], _final_nodes(settings)
    final_nodes += [linear(narrow, False)] if narrow != width and LATE not in row else []
    nodes += _blocks(settings)
    head = row.get("heads", {}).get(task) or HEADS.get(task, "states" if row.get("head") == "none" else "words")
    if head in row.get("pools", () if row.get("causal", True) else ("states", "sequence")):
        final_nodes.append(Side([Layer("select_position"), linear(width)]))
    if head != "words":
        return [*nodes, *final_nodes, *_other_head(settings, head)]
    nodes += [Input((length,)), Layer("embedding", {**words, "width": width, "is_shared": True})] if prompt else []
    head_nodes = [*final_nodes, *_word_head(settings, task, narrow)]
    if not predictions:
        return [*nodes, *head_nodes]
    nodes.append(Side(head_nodes))
    shared = Side([norm(settings), Layer("unembedding", {**words, "is_tied": True})])
    return [*nodes, *[Layer("next_token_merge"), *further_blocks, shared] * predictions]


def _embedding(settings: Settings, width: int, narrow: int, length: float) -> list[Node]:
    """Return the embedding of words, positions and segments; a projection widens an embedding narrower than `width`."""
    row = settings.row
    is_widened_late = LATE in row
    position_nodes = _positions(settings, narrow if is_widened_late else width, length)
    position_nodes += [norm(settings)] if settings.get("embedding_norm") or row.get("embedding_norm") else []
    position_nodes += _learned(settings, "learned")
    is_widened = narrow != width or row.get("always_projects")
    widening: list[Node] = [linear(width, is_widened_late)] if is_widened else []
    nodes: list[Node] = [Layer("embedding", {"vocabulary": settings.need("vocabulary"), "width": narrow})]
    nodes += nodes_of(settings, row.get("embedded", ()))
    return [*nodes, *position_nodes, *widening] if is_widened_late else [*nodes, *widening, *position_nodes]


def _positions(settings: Settings, width: int, length: float) -> list[Node]:
    """Return the layers that are added to the embedding: learned positions and segments."""
    row, nodes = settings.row, vector((settings.get("segments") or 0) * width)
    kind = settings.config.get("position_embedding_type") or "absolute"
    if "positions" in row and kind == "absolute":
        longest = _longest(settings) or settings.need("positions")
        if length > longest:
            raise settings.error("positions", f"allows at most {longest} positions, not {length:g}")
        nodes.append(Layer("position_embedding", {"positions": settings.get("positions") + row["positions"]}))
    return nodes


def _blocks(settings: Settings) -> list[Node]:
    """Return all blocks, with equal blocks grouped, because their order does not change the sums."""
    layers, groups = settings.need("layers"), settings.get("groups")
    usual = zip(
        mixers(settings, layers), feed_forwards(settings, layers), *layer_settings(settings, layers), strict=True
    )
    layer_kinds: list[tuple[Any, ...]] = searched_layers(settings, layers) or list(usual)
    if not groups:
        return [Repeat(times, _block(settings, *layer_kind)) for layer_kind, times in Counter(layer_kinds).items()]
    if groups > layers:
        raise settings.error("groups", f"is {groups}, more than the {layers} layers")
    # Layers of a group share weights, so only the first use of each group adds parameters (ALBERT).
    block, repetitions = _block(settings, *layer_kinds[0]), settings.get("layers_per_group", 1)
    nodes: list[Node] = [Repeat(groups * repetitions, block)]
    return nodes + ([Repeat((layers - groups) * repetitions, block, is_shared=True)] if layers > groups else [])


def _further_block(settings: Settings) -> list[Node]:
    """Return the nodes of one module that predicts a further token.

    The config may list the kind of each of its blocks. Otherwise, each block is like the network's last layer.
    """
    stated_kinds = settings.get("prediction_kinds") or ()
    block_kinds = [(kind, "dense") for kind in settings.words("prediction_kinds", len(stated_kinds)) or ()]
    if not block_kinds:
        layers = settings.need("layers")
        last_feed = settings.row.get("predicts") or feed_forwards(settings, layers)[-1]
        last_layer = mixers(settings, layers)[-1], last_feed
        block_kinds = [last_layer] * (settings.get("prediction_layers") or 1)
    return [node for kind in block_kinds for node in _block(settings, *kind)]


def _block(settings: Settings, mixing: str, feeding: str, *block_settings: tuple[str, int]) -> list[Node]:
    """Return one block, with its own settings. A block found by a search may lack a mixer or feed-forward."""
    settings.values |= block_settings
    row, pre = settings.row, [norm(settings)]
    if row.get("is_single"):  # one part per layer: a mixer or a feed-forward network
        part = feed_forward(settings, mixing) if mixing in ("dense", "sparse") else mixer(settings, mixing)
        return [Sum([*pre, *part])]
    mix = mixer(settings, mixing) if mixing else []
    feed = feed_forward(settings, feeding) if feeding else []
    if row.get("is_parallel_state"):
        mix = [Side(mixer(settings, "mamba")), *mix]
    learned = _learned(settings, "learned_in_layers")
    streams = settings.get("streams")
    side = [Side([Layer("hyper_connection", {"streams": streams})])] if streams else []
    # 4: a norm before and after each part. 2: only before each part. 1: one norm before both parts, which are parallel.
    norms = 4 if settings.get("post_norms") else row["norms"]
    if settings.get("is_parallel", False):
        usual = 2 if settings.get("is_new_decoder") else row.get("parallel_norms", norms)
        norms = settings.get("parallel_norms") or usual
    if norms == 1:
        return [Sum([*pre, *learned, Sum(mix, feed)])]
    post = pre if norms == 4 else []
    parts = [[*side, *pre, *mix, *post]] if mixing else []
    parts += [[*side, *pre, *feed, *post, *learned]] if feeding else []
    return [*map(Sum, parts), *nodes_of(settings, row.get("layer_ends", ()))]


def _learned(settings: Settings, kind: str) -> list[Node]:
    """Return the class's other learned parameters, per network or layer (`kind`), from sums of products of settings."""
    return vector(sum(settings.amount(product) for product in settings.row.get(kind, ())))


def _final_nodes(settings: Settings) -> list[Node]:
    """Return the nodes after the last block: a merge of the residual streams, if there are several, and a norm."""
    streams = settings.get("streams")
    nodes: list[Node] = [Side([Layer("hyper_connection", {"streams": streams, "is_last": True})])] if streams else []
    is_normed = settings.row.get("final_norm", True) and settings.get("first_norm", True)
    kind = "rms" if settings.row.get("final_norm") == "rms" else None
    return [*nodes, norm(settings, kind)] if is_normed and not settings.get("no_final_norm") else nodes


def _word_head(settings: Settings, task: str, narrow: int) -> list[Node]:
    """Return the head that scores words and, in BERT's pretraining, whether one sentence follows the other."""
    width, row = settings.need("width"), settings.row
    nodes: list[Node] = []
    if task == "ForPreTraining":
        nodes.append(Side([Layer("select_position"), linear(width), linear(2)]))
    if row.get("head") == "masked":
        nodes += _transform(settings, settings.get("output_width") or narrow)
    nodes += nodes_of(settings, row.get("word_head", ()))
    has_bias = bool(row.get("head_bias") or settings.get("head_bias"))
    is_tied = bool(settings.get("tied", row.get("tied"))) and not row.get("never_ties")
    words = {"vocabulary": settings.need("vocabulary"), "is_tied": is_tied, "has_bias": has_bias}
    second_bias = words["vocabulary"] if row.get("head_bias") == "untied_twice" and not is_tied else 0
    return [*nodes, *vector(second_bias), Layer("unembedding", words)]


def _transform(settings: Settings, width: int) -> list[Node]:
    return [linear(width, settings.get("masked_bias", True)), norm(settings)]


def _other_head(settings: Settings, head: str) -> list[Node]:
    """Return a head that scores labels instead of words."""
    row, width, is_encoder = settings.row, settings.need("width"), not settings.row.get("causal", True)
    nodes: list[Node] = [Layer("select_position")] if is_encoder and head == "sequence" else []
    nodes += _transform(settings, width) if head != "states" and row.get("transforms_labels") else []
    nodes += [linear(width)] if head == "replaced" else []
    number = {"states": 0, "span": 2, "replaced": 1}.get(head, settings.keys.labels())
    return [*nodes, linear(number, is_encoder or head != "sequence")] if number else nodes
