"""Parts of a language model's layer: attention, states, feed-forward networks, experts."""

from typing import Any

from pipeline.architectures.configs.settings import Settings
from pipeline.architectures.configs.vocabulary import MIXERS
from pipeline.architectures.network import ArchitectureError, Layer, Node, Side, Sum
from pipeline.architectures.node_networks import linear, nodes_of


def vector(number: int) -> list[Node]:
    """Return a layer of learned parameters, or no layer if `number` is 0."""
    return [Layer("learned_parameters", {"number": number})] if number else []


def norm(settings: Settings, other: str | None = None) -> Layer:
    """Return the class's kind of normalisation over a layer's width, or the kind `other`."""
    kind = other or settings.row["norm"]
    has_bias = kind == "layer" and settings.get("norm_bias", settings.row.get("norm_bias", True))
    has_scale = kind != "none" and settings.get("norm_scale") is not False
    return Layer("layer_norm", {"has_bias": has_bias and has_scale, "has_scale": has_scale})


def mixer(settings: Settings, kind: str) -> list[Node]:
    """Return the mixer of positions in a layer of this kind. Raise ArchitectureError if the class lacks the kind."""
    if kind == "mamba":
        return _mamba(settings) if settings.row.get("mamba") == 1 else _mamba2(settings)
    if settings.row.get(kind, kind) in MIXERS:
        return nodes_of(settings, MIXERS[settings.row.get(kind, kind)])
    if kind in ("attention", "window", "chunk", "selected", "shared_index"):
        return _latent(settings, kind) if settings.get("key_value_rank") else _attention(settings, kind)
    raise ArchitectureError(f"a layer of kind {kind} cannot be counted", "model_type")


def _heads(settings: Settings, kind: str) -> dict[str, int]:
    """Return the numbers and widths of a layer's heads, which may differ between windowed and full layers."""
    width, heads = settings.need("width"), settings.need("heads")
    head = settings.get("head_width")
    head = head or settings.keys.divided(
        settings.key_of["heads"], width, heads, f"a {settings.key_of['width']} of {width}"
    )
    groups, value = settings.get("key_value_heads") or heads, settings.get("value_width")
    # With multi_query, query heads share one key head, otherwise each has its own; Falcon's new decoder states groups.
    if "multi_query" in settings.values and not settings.get("is_new_decoder"):
        groups = 1 if settings.get("multi_query") else heads
    if settings.row.get("is_square") and heads * head != width:
        raise settings.error("head_width", f"must be {width} / {heads}, the width per head in this class, not {head}")
    if kind == "window" and settings.get("window_heads"):
        heads, groups = settings.get("window_heads"), settings.get("window_key_value_heads") or groups
        head, value = settings.get("window_head_width") or head, settings.get("window_value_width") or value
    elif kind == "window":
        groups *= settings.row.get("window_groups", 1)
    if kind == "attention" and settings.get("global_head_width"):  # Gemma 4
        head = settings.get("global_head_width")
        if settings.get("keys_are_values"):
            groups = settings.get("global_key_value_heads") or groups
    settings.keys.divided(
        settings.key_of.get("key_value_heads", "num_key_value_heads"), heads, groups, f"the {heads} heads"
    )
    return {"heads": heads, "key_value_heads": groups, "head_width": head, "value_width": value or head}


def _biases(settings: Settings) -> dict[str, bool]:
    """Return which projections of attention have biases: all, only the input projections, or none."""
    row = settings.row
    attention_bias = settings.get("attention_bias", settings.get("all_biases", row.get("biases", False)))
    has_input_biases = {"none": False, "always": True}.get(row.get("attention_bias", ""), attention_bias)
    has_output_bias = settings.get("output_bias", False if "attention_bias" in row else attention_bias)
    if has_input_biases and has_output_bias:
        return {"has_biases": True}
    return {"has_input_biases": True} if has_input_biases else {}


def _norm_parameters(settings: Settings, heads: dict[str, int]) -> int:
    """Return the number of parameters in the query and key norms.

    Each has one gain per component of a head, shared by all heads ("head"), or of all heads ("all"). A layer norm also
    has biases.
    """
    is_normed = settings.get("normalises_heads", not settings.row.get("qk_norm_off"))
    kind = settings.row.get("qk_norm") if is_normed else None
    head = heads["head_width"]
    all_heads = (heads["heads"] + heads["key_value_heads"]) * head
    return {"head": (1 if settings.get("shares_keys") else 2) * head, "all": all_heads, "layer": 4 * head}.get(
        str(kind), 0
    )


def _attention(settings: Settings, kind: str) -> list[Node]:
    """Return a layer's attention of this kind, with the gate, indexer and sinks that its class or config has."""
    heads, row = _heads(settings, kind), settings.row
    inner = heads["heads"] * heads["value_width"]
    looks_back = settings.get("looks_back", True) and settings.get("bidirectional") is not True
    is_causal = (row.get("causal", True) or settings.get("decodes")) and looks_back
    arguments: dict[str, Any] = {**heads, "is_causal": is_causal, **_biases(settings)}
    arguments["norm_parameters"] = _norm_parameters(settings, heads)
    arguments["relative_rows"] = 2 * (settings.get("relative_span") or 0)
    if row.get("rows_are_projected"):  # DeBERTa: relative rows have their own weights; count those in reach
        reached = min(settings.keys.reading.lengths.sequence_length or 0, settings.need("positions"))
        arguments |= {"relative_rows": 2 * reached, "has_key_bias": False, "norm_parameters": (2 * inner + 1) * inner}
    gate = {"element": inner, "head": heads["heads"]}.get(row.get("gate"), inner if settings.get("output_gate") else 0)
    nodes: list[Node] = [Side([linear(gate, False)])] if gate else []
    if kind == "window" and is_causal:
        arguments["window"] = settings.get("window") // (2 if row.get("half_window") else 1)
    elif kind == "window":
        # Classes of encoders halve the window; a bidirectional decoder takes it as the radius.
        is_radius = row.get("radius") or not settings.get("looks_back", True)
        arguments["reach"] = settings.get("window") // (1 if is_radius else 2)
    elif kind == "chunk":
        arguments["chunk"] = settings.need("chunk")
    elif kind == "selected":
        arguments["window"] = settings.need("index_blocks") * settings.need("index_block")
        index = settings.need("index_width")
        nodes += [Side([linear((settings.need("index_heads") + 1) * index, False)]), *vector(2 * index)]
        settings.keys.leave_out("the indexer's scores")
    elif kind == "attention" and settings.get("global_head_width") and settings.get("keys_are_values"):
        arguments["has_values"] = False
    if settings.get("shares_keys"):
        arguments["has_keys"] = False
    has_sinks = settings.get("window_sinks" if kind == "window" else "full_sinks", row.get("sinks") in (True, kind))
    return [*nodes, Layer("self_attention", arguments), *vector(heads["heads"] if has_sinks else 0)]


def _latent(settings: Settings, kind: str) -> list[Node]:
    """Return latent attention, with the gate that its class or config has.

    With an indexer, each query sees only `index_keys` keys. A layer of kind shared_index uses another layer's indexer.
    """
    names = "heads key_value_rank rotary_width value_width"
    arguments = {name: settings.need(name) for name in names.split()} | {
        "head_width": settings.need("plain_width"),
        "query_rank": settings.get("query_rank") or None,
    }
    arguments["has_biases"] = bool(settings.get("attention_bias"))
    if settings.get("index_heads") and settings.get("index_width"):
        arguments["selected_keys"] = settings.need("index_keys")
        if kind != "shared_index":
            arguments |= {name: settings.need(name) for name in ("index_heads", "index_width")}
    gate_width = 1 if settings.row.get("gate") == "head" else arguments["value_width"]
    has_gate = settings.get("output_gate") or "gate" in settings.row
    gate = [Side([linear(arguments["heads"] * gate_width, False)])] if has_gate else []
    return [*gate, Layer("latent_attention", arguments)]


def _mamba(settings: Settings) -> list[Node]:
    """Return a Mamba layer. Unless stated, its rank is a sixteenth of the width, rounded up."""
    width, state = settings.need("width"), settings.get("state_width", 16)
    stated_rank = settings.get("state_rank")
    rank = stated_rank if isinstance(stated_rank, int) and stated_rank else -(-width // 16)
    inner = settings.get("state_inner") or settings.get("state_expand", 2) * width
    widths = {"inner_width": inner, "state_width": state, "rank": rank, "kernel": settings.get("state_kernel", 4)}
    has_bias = bool(settings.get("state_bias") or settings.get("all_biases"))
    biases = {"has_bias": has_bias, "has_convolution_bias": settings.get("state_kernel_bias", True)}
    norms = vector(rank + 2 * state if settings.row.get("state_norms") else 0)
    return [Layer("state_space", {**widths, **biases}), *norms]


def _mamba2(settings: Settings) -> list[Node]:
    """Return a Mamba-2 layer. Configs state the inner width, the heads or the head width; the others follow.

    `other_parameters` are the norm, three numbers per head (decay, skip and bias of the step size) and the biases.
    """
    width, state, groups = settings.need("width"), settings.get("state_width", 16), settings.get("state_groups", 1)
    expanded = settings.get("state_expand", 2) * width
    heads, head = settings.get("state_heads"), settings.get("state_head_width")
    heads = heads or expanded // (head or settings.need("state_head_width"))
    head = (settings.get("state_inner") or 0) // heads or head or expanded // heads
    inner = heads * head
    channels = inner + 2 * groups * state
    other_parameters = (inner if settings.get("state_has_norm", True) else 0) + 3 * heads
    other_parameters += channels if settings.get("state_kernel_bias", True) else 0
    if settings.get("state_bias") or settings.get("all_biases"):
        other_parameters += inner + channels + heads + width
    arguments = {"heads": heads, "value_width": head, "key_heads": groups, "key_width": state}
    more = {"kernel": settings.get("state_kernel", 4), "scalars_per_head": 1, "has_gate": True}
    return [Layer("linear_attention", {**arguments, **more, "other_parameters": other_parameters})]


def feed_forward(settings: Settings, kind: str) -> list[Node]:
    """Return a layer's feed-forward network: dense, of experts (`sparse`), or the sum of both with norms (`both`)."""
    if kind == "both":
        norm_node = norm(settings)
        experts = [norm_node, *feed_forward(settings, "sparse")]
        experts += [*vector(settings.need("width") + settings.need("experts")), norm_node]
        return [Sum([*feed_forward(settings, "dense"), norm_node], experts)]
    if kind == "sparse":
        return _experts(settings)
    inner = settings.get("dense_width") or settings.get("feed_forward") or 4 * settings.need("width")
    factor, step = settings.get("feed_forward_factor", 1), settings.get("feed_forward_step")
    if step and settings.get("adjusts_feed_forward", True):
        # As in Llama's code: two thirds of the width, times a factor, rounded up to a multiple of `step`.
        base = settings.need("width") if settings.row.get("linear") == "xlstm" else int(2 * inner / 3)
        inner = int((factor * base + step - 1) // step * step)
    usual = settings.row.get("feed_forward_bias", settings.get("all_biases", settings.row.get("biases", False)))
    has_biases = bool(settings.get("feed_forward_bias", usual))
    return [Layer("feed_forward", {"width": inner, "is_gated": settings.row["gated"], "has_biases": has_biases})]


def _experts(settings: Settings) -> list[Node]:
    """Return routed and shared experts; a stated shared width of 0 means that there are no shared experts."""
    experts, used, row = settings.get("experts"), settings.need("experts_per_token"), settings.row
    if used > experts:
        raise settings.error("experts_per_token", f"is {used}, more than the {experts} experts")
    width = settings.get("expert_width") or settings.need("feed_forward")
    arguments: dict[str, Any] = {"experts": experts, "experts_per_token": used, "expert_width": width}
    arguments |= {"is_gated": row["gated"], "has_biases": bool(row.get("expert_bias"))}
    arguments["latent_width"] = settings.get("latent_width") or None
    shared, shared_width = settings.get("shared_experts", row.get("shared", 0)), settings.get("shared_width")
    if shared and shared_width != 0:
        # If a width is stated, it is the width of all shared experts together.
        arguments |= {"shared_experts": 1 if shared_width else shared, "shared_expert_width": shared_width}
        arguments["has_shared_gate"] = bool(row.get("shared_gate"))
    nodes = [Layer("mixture_of_experts", arguments), *vector(experts if row.get("router_bias") else 0)]
    return [*nodes, norm(settings)] if row.get("norms_experts") else nodes
