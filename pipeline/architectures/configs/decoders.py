"""Decoder-only language models, whose keys and defaults are in decoders.yml."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from pipeline.architectures.configs import decoder_rules
from pipeline.architectures.configs.decoder_rules import Settings
from pipeline.architectures.configs.keys import REQUIRED, Keys
from pipeline.architectures.families.transformer_decoder import TransformerDecoder
from pipeline.architectures.network import Layer, Node

Type = dict[str, Any]
TYPES: dict[str, Type] = yaml.load(Path(__file__).with_suffix(".yml").read_text(), Loader=yaml.CSafeLoader)
TASKS = ("ForCausalLM", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "Model")
LONGEST = ("max_position_embeddings", "n_positions", "seq_length", "max_seq_len")
# What the other keys say of a TransformerDecoder.
SETTINGS = {
    **dict.fromkeys(("hidden_size", "n_embd", "d_model"), "width"),
    **dict.fromkeys(("num_hidden_layers", "n_layer", "n_layers"), "layers"),
    **dict.fromkeys(("num_attention_heads", "n_head", "n_heads"), "heads"),
    "num_key_value_heads": "key_value_heads",
    **dict.fromkeys(("head_dim", "qk_nope_head_dim"), "head_width"),
    "vocab_size": "vocabulary",
    **dict.fromkeys(("intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim"), "feed_forward_width"),
    "sliding_window": "window",
    **dict.fromkeys(("bias", "use_bias", "enable_bias"), "has_biases"),
    "attention_bias": "has_attention_biases",
    "qkv_bias": "has_input_biases",
    "mlp_bias": "has_feed_forward_biases",
    "tie_word_embeddings": "is_tied",
    **dict.fromkeys(("num_local_experts", "num_experts", "n_routed_experts"), "experts"),
    "num_experts_per_tok": "experts_per_token",
    "moe_intermediate_size": "expert_width",
    "n_shared_experts": "shared_experts",
    "shared_expert_intermediate_size": "shared_expert_width",
    "first_k_dense_replace": "dense_layers",
    "q_lora_rank": "query_rank",
    "kv_lora_rank": "key_value_rank",
    "qk_rope_head_dim": "rotary_width",
    "v_head_dim": "value_width",
}
NULLABLE = (
    *("num_key_value_heads", "head_dim", "n_inner", "ffn_hidden_size", "sliding_window"),
    *("n_shared_experts", "q_lora_rank"),
)
MAY_BE_ZERO = ("sliding_window", "n_shared_experts", "first_k_dense_replace")


def _decoder(type_: Type, keys: Keys) -> list[Node]:
    settings = _stated(type_, keys)
    settings |= _heads(type_, keys, settings)
    for rule in type_.get("rules", ()):
        settings |= getattr(decoder_rules, rule)(keys, settings)
    if not (settings.get("window") and settings.get("window_layers")):
        settings |= {"window": None, "window_layers": None}
    return _network(keys, {**settings, **type_.get("always", {})}, (*TASKS, *type_.get("tasks", ())))


def _stated(type_: Type, keys: Keys) -> Settings:
    """What the keys of a type say, one by one."""
    settings: Settings = {}
    for key, written in type_["keys"].items():
        default, names = REQUIRED if written == "required" else written, type_.get("names", {}).get(key, ())
        least = 0 if key in MAY_BE_ZERO else 1
        if key in LONGEST:
            keys.sequence_length(key, default, also=names)
        elif isinstance(default, bool):
            settings[SETTINGS[key]] = keys.flag(key, default)
        elif key in NULLABLE:
            settings[SETTINGS[key]] = keys.maybe_whole(key, default, also=names, least=least)
        else:
            settings[SETTINGS[key]] = keys.whole(key, default, also=names, least=least)
    return settings


def _heads(type_: Type, keys: Keys, settings: Settings) -> Settings:
    """Widths that follow from others where a config leaves them out; counts that must divide others, or be among them."""
    spelled = {SETTINGS.get(key): keys.spelling(key, type_.get("names", {}).get(key, ())) for key in type_["keys"]}
    heads, width = settings["heads"], settings["width"]
    if (settings.get("experts_per_token") or 0) > (settings.get("experts") or 0):
        more = f"{settings['experts_per_token']} of {settings['experts']}"
        raise keys.error("num_experts_per_tok", f"is more than the experts: {more}")
    return {
        "head_width": settings.get("head_width") or keys.heads(spelled["heads"], spelled["width"], heads, width),
        "key_value_heads": keys.groups("num_key_value_heads", heads, settings.get("key_value_heads") or heads),
        "feed_forward_width": settings.get("feed_forward_width") or 4 * width,
    }


def _network(keys: Keys, settings: Settings, tasks: tuple[str, ...]) -> list[Node]:
    """The decoder with the head that the config names."""
    task = keys.task("ForCausalLM", tasks)
    has_head = task in ("ForCausalLM", "ForConditionalGeneration")
    nodes = TransformerDecoder(**settings, has_head=has_head).nodes(keys.lengths)
    if has_head or task == "Model":
        return nodes
    classes = 2 if task == "ForQuestionAnswering" else keys.labels()
    has_bias = task != "ForSequenceClassification"
    return [*nodes, Layer("linear", {"out_features": classes, "has_bias": has_bias})] if classes else nodes


def _gemma3(keys: Keys) -> list[Node]:
    """Gemma 3 with a vision tower, of which the text model is counted."""
    text = keys.inner("text_config")
    if not text:
        raise keys.error("text_config", "is needed: a config of gemma3 has the text model's inside")
    task = keys.task("ForConditionalGeneration", (*TASKS, "ForConditionalGeneration"))
    outer = {key: keys.config[key] for key in ("tie_word_embeddings", "id2label", "num_labels") if key in keys.config}
    keys.config = {**text, **outer, "architectures": [task]}
    keys.refuse_unknown_activations()
    keys.not_counted.append("the vision tower and its projection")
    return READERS["gemma3_text"](keys)


READERS: dict[str, Callable[[Keys], list[Node]]] = {
    **{name: partial(_decoder, type_) for name, type_ in TYPES.items()},
    "gemma3": _gemma3,
}
