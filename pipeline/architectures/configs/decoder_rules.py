"""What several keys of a decoder's config.json mean together; a rule is given the settings that were read before it."""

from typing import Any

from pipeline.architectures.configs.keys import Keys
from schemas.spelling import nearest

Settings = dict[str, Any]  # of TransformerDecoder
LAYER_TYPES = ("full_attention", "sliding_attention")


def gpt2(keys: Keys, settings: Settings) -> Settings:
    """Learned positions; a decoder that reads an encoder is refused."""
    if keys.flag("add_cross_attention", False):
        raise keys.error("add_cross_attention", "is true; a decoder that reads an encoder cannot be counted alone")
    return {"learned_positions": keys.whole("n_positions", 1024, also=("max_position_embeddings",))}


def windows_everywhere(keys: Keys, settings: Settings) -> Settings:
    """A window in every layer, unless sliding_window is null."""
    return {"window_layers": settings["layers"]}


def windows_where_used(keys: Keys, settings: Settings) -> Settings:
    """A window in every layer, where use_sliding_window."""
    return {"window_layers": settings["layers"] if keys.flag("use_sliding_window", False) else 0}


def windows_of_last_layers(keys: Keys, settings: Settings) -> Settings:
    """Windows from layer max_window_layers on, where use_sliding_window."""
    if not keys.flag("use_sliding_window", False):
        return {"window_layers": 0}
    last = settings["layers"] - keys.whole("max_window_layers", 28, least=0)
    return _windows(keys, settings, max(last, 0))


def windows_of_first_layers(keys: Keys, settings: Settings) -> Settings:
    """Windows in every other one of the first max_window_layers, where use_sliding_window."""
    first = min(settings["layers"], keys.whole("max_window_layers", 28, least=0))
    if not keys.flag("use_sliding_window", False):
        return {"window_layers": 0}
    return _windows(keys, settings, (first + 1) // 2)


def windows_in_every_other_layer(keys: Keys, settings: Settings) -> Settings:
    """A window in every other layer, the first among them."""
    return _windows(keys, settings, -(-settings["layers"] // 2))


def windows_but_every_sixth_layer(keys: Keys, settings: Settings) -> Settings:
    """A window in all layers but every sixth, or what sliding_window_pattern says."""
    pattern = keys.whole("sliding_window_pattern", 6, also=("_sliding_window_pattern",))
    return _windows(keys, settings, settings["layers"] - settings["layers"] // pattern)


def _windows(keys: Keys, settings: Settings, windowed: int) -> Settings:
    # Those layers that layer_types names, or else as many as `windowed`.
    types = keys.config.get("layer_types")
    if types is None:
        return {"window_layers": windowed}
    if not isinstance(types, list) or len(types) != settings["layers"]:
        raise keys.error("layer_types", f"must name each of the {settings['layers']} layers")
    for kind in types:
        if kind not in LAYER_TYPES:
            raise keys.error("layer_types", f"names {kind!r}, which is no kind of layer{nearest(kind, LAYER_TYPES)}")
    return {"window_layers": types.count("sliding_attention")}


def norms_of_heads(keys: Keys, settings: Settings) -> Settings:
    """A norm of each head's query and key, which all heads share."""
    return {"attention_norm_parameters": 2 * settings["head_width"]}


def norms_of_all_heads(keys: Keys, settings: Settings) -> Settings:
    """A norm of all queries and one of all keys."""
    heads = settings["heads"] + settings["key_value_heads"]
    return {"attention_norm_parameters": heads * settings["head_width"]}


def norms_of_phi(keys: Keys, settings: Settings) -> Settings:
    """Norms with biases of each head's query and key, where qk_layernorm."""
    return {"attention_norm_parameters": 4 * settings["head_width"]} if keys.flag("qk_layernorm", False) else {}


def experts_everywhere(keys: Keys, settings: Settings) -> Settings:
    """Every feed-forward is a mixture of experts, of the width that other types have without them."""
    return {"expert_width": settings["feed_forward_width"], "feed_forward_width": None}


def experts_by_step(keys: Keys, settings: Settings) -> Settings:
    """A layer has experts where its number is a multiple of decoder_sparse_step and not in mlp_only_layers."""
    layers, step = settings["layers"], keys.whole("decoder_sparse_step", 1)
    dense = keys.config.get("mlp_only_layers") or []
    if not isinstance(dense, list) or not all(type(index) is int and 0 <= index < layers for index in dense):
        raise keys.error("mlp_only_layers", f"must be a list of layers from 0 to {layers - 1}")
    return {"dense_layers": sum(index in dense or (index + 1) % step > 0 for index in range(layers))}


def experts_after_first_dense(keys: Keys, settings: Settings) -> Settings:
    """Experts in every moe_layer_freq-th layer after the first_k_dense_replace first ones."""
    step, first = keys.whole("moe_layer_freq", 1), settings["dense_layers"]
    dense = sum(index < first or index % step > 0 for index in range(settings["layers"]))
    return {"dense_layers": dense, "shared_experts": settings["shared_experts"] or 0}


def further_tokens(keys: Keys, settings: Settings) -> Settings:
    """Modules that predict further tokens are not counted; Hugging Face's class leaves them out too."""
    if keys.maybe_whole("num_nextn_predict_layers", 1, least=0):
        keys.not_counted.append("the modules that predict further tokens (num_nextn_predict_layers)")
    return {}


def falcon(keys: Keys, settings: Settings) -> Settings:
    """One key-value head in the first architecture; groups of them and two parallel norms in the new one."""
    heads = settings["heads"]
    is_new, is_multi_query = keys.flag("new_decoder_architecture", False), keys.flag("multi_query", True)
    groups = keys.maybe_whole("num_kv_heads", also=("n_head_kv",)) or heads
    groups = groups if is_new else 1 if is_multi_query else heads
    is_parallel = keys.flag("parallel_attn", True)
    norms = keys.maybe_whole("num_ln_in_parallel_attn") or (2 if is_new else 1)
    return {
        "key_value_heads": keys.groups("num_kv_heads", heads, groups),
        "norms_per_block": norms if is_new or is_parallel else 2,
    }


def opt(keys: Keys, settings: Settings) -> Settings:
    """Learned positions, two more than the longest sequence; the smallest has a narrower embedding and no last norm."""
    length, longest = keys.lengths.sequence_length or 0, keys.whole("max_position_embeddings", 2048)
    if length > longest:
        raise keys.error("max_position_embeddings", f"allows {longest} positions, not {length}")
    narrow = keys.maybe_whole("word_embed_proj_dim")
    has_last_norm = keys.flag("do_layer_norm_before", True) and not keys.flag("_remove_final_layer_norm", False)
    is_learned = keys.flag("layer_norm_elementwise_affine", True)
    return {
        "learned_positions": longest + 2,
        "embedding_width": None if narrow == settings["width"] else narrow,
        "has_norm_biases": is_learned,
        "has_norm_scales": is_learned,
        "has_final_norm": has_last_norm,
    }
