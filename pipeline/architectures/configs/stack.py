"""The kinds of mixer (attention, a state, a convolution) and feed-forward network in each layer of a language model."""

from typing import Any

from pipeline.architectures.configs.settings import Settings


def mixers(settings: Settings, layers: int) -> list[str]:
    """Return the kind of each layer's mixer. Raise ArchitectureError if the config lists impossible kinds."""
    kinds = _stated_mixers(settings, layers) or _usual_mixers(settings, layers)
    is_used = settings.get("has_windows", settings.row.get("windows") in (None, "all"))
    if not is_used or not settings.get("window"):
        kinds = ["attention" if kind == "window" else kind for kind in kinds]
    if heads_by_layer := settings.get("heads_of_layers"):  # may differ between windowed and other layers
        for kind, setting in (("attention", "heads"), ("window", "window_heads")):
            numbers = {number for number, layer_kind in zip(heads_by_layer, kinds, strict=False) if layer_kind == kind}
            if len(numbers) > 1 or len(heads_by_layer) != layers:
                raise settings.error("heads_of_layers", f"must have one number for all layers of {kind}")
            settings.values |= dict.fromkeys([setting] if numbers else [], *numbers)
    return kinds


def _stated_mixers(settings: Settings, layers: int) -> list[str] | None:
    """Return the kind of each layer's mixer if the config lists them, whichever form it uses; otherwise None."""
    stated_kinds = settings.words("indexers", layers) or settings.words("kinds", layers)
    listed = settings.get("attention_layers")
    if stated_kinds is not None or listed is None:
        return stated_kinds
    # full_attn_layers numbers layers from 1; the other keys number them from 0.
    first_number = settings.key_of["attention_layers"] == "full_attn_layers"
    other_kind = "mamba" if "mamba" in settings.row else "linear"
    return ["attention" if layer + first_number in listed else other_kind for layer in range(layers)]


def _usual_mixers(settings: Settings, layers: int) -> list[str]:
    """Return the kind of each layer's mixer as it follows from a step (every n-th layer) or from the class."""
    row, step = settings.row, settings.get("window_pattern") or settings.row.get("pattern")
    if every := settings.get("attention_step"):
        offset = settings.get("attention_offset", 0)
        return ["attention" if layer % every == offset else "mamba" for layer in range(layers)]
    if row.get("pattern_of") and step:
        return ["attention" if (layer + 1) % step == 0 else row["pattern_of"] for layer in range(layers)]
    if "mamba" in row and not row.get("is_parallel_state"):
        return ["mamba"] * layers
    if row.get("window_every_but_first") and step:
        return ["window" if layer % step else "attention" for layer in range(layers)]
    if "start" in row:  # the class fixes the first layers; two kinds then alternate
        return [*row["start"], *row["then"] * layers][:layers]
    first = settings.get("full_layers_first", 28)
    windowed_layers = {None: range(0), "last": range(first, layers), "even_first": range(0, first, 2)}
    windowed = windowed_layers.get(row.get("windows"), range(layers))
    return ["window" if layer in windowed else "attention" for layer in range(layers)]


def feed_forwards(settings: Settings, layers: int) -> list[str]:
    """Return the kind of each layer's feed-forward network. Raise ArchitectureError for an impossible list."""
    if not settings.get("experts"):
        return ["dense"] * layers
    if "adds_experts" in settings.values:
        return ["both" if settings.get("adds_experts") else "dense"] * layers
    return settings.words("feed_forward_kinds", layers) or _spread_experts(settings, layers)


def _spread_experts(settings: Settings, layers: int) -> list[str]:
    """Return sparse for listed layers, or for every n-th layer but the first and listed dense ones; otherwise dense."""
    sparse = settings.get("expert_layers")
    if sparse:
        return ["sparse" if layer in sparse else "dense" for layer in range(layers)]
    dense, step = settings.get("dense_layers") or (), settings.get("expert_step", 1)
    if any(layer >= layers for layer in dense):
        raise settings.error("dense_layers", f"must be a list of layers from 0 to {layers - 1}")
    if isinstance(step, list):
        if len(step) < layers:
            raise settings.error("expert_step", f"must be 0 or 1 for each of the {layers} layers")
        return ["sparse" if step[layer] else "dense" for layer in range(layers)]
    if not isinstance(step, int) or step < 1:
        raise settings.error("expert_step", "must be a whole number above 0")
    first, last = settings.get("dense_first", 0), settings.get("sparse_last", -1)
    # A sparse_last of -1 is the last layer, and one beyond the last layer sets no limit.
    last = last if isinstance(last, int) and last != -1 else layers - 1
    key = settings.key_of.get("expert_step")
    # The place of the layer with experts among `step` layers: as stated, the first, or the last.
    shift = {"expert_layer_period": settings.get("expert_offset", 0), "moe_layer_freq": 0}.get(str(key), step - 1)
    has_experts = [first <= layer <= last and layer % step == shift and layer not in dense for layer in range(layers)]
    return ["sparse" if is_sparse else "dense" for is_sparse in has_experts]


def layer_settings(settings: Settings, layers: int) -> list[list[tuple[str, Any]]]:
    """Return settings that differ between layers: the width of their feed-forward networks, and whose keys they use.

    The last `shared_layers` layers use keys and values of earlier ones, and may have networks of twice the width.
    """
    shared, widths = settings.get("shared_layers") or 0, settings.get("feed_forward_widths")
    if widths and len(widths) != layers:
        raise settings.error("feed_forward_widths", f"must have a number for each of the {layers} layers")
    if shared >= layers:
        raise settings.error("shared_layers", f"is {shared}, but only {layers} layers have keys to share")
    is_last = [layer >= layers - shared for layer in range(layers)]
    columns = [[("shares_keys", shares) for shares in is_last]] if shared else []
    if shared and settings.get("is_wider_if_shared"):
        widths = [settings.need("feed_forward") * (1 + shares) for shares in is_last]
    return [*columns, *([[("feed_forward", width) for width in widths]] if widths else [])]


def searched_layers(settings: Settings, layers: int) -> list[tuple[Any, ...]] | None:
    """Return each layer's mixer, feed-forward network and settings in DeciLM, found by a search; otherwise None."""
    blocks = settings.config.get("block_configs")
    if blocks is None:
        return None
    if not isinstance(blocks, list) or len(blocks) != layers:
        raise settings.keys.error("block_configs", f"must have each of the {layers} layers")
    kinds = []
    for block in blocks:
        try:
            group, factor = block["attention"].get("n_heads_in_group") or 0, block["ffn"].get("ffn_mult") or 0
            heads = group and settings.keys.divided("block_configs", settings.need("heads"), group, "the heads")
            # DeciLM rounds the width of a feed-forward network up to a multiple of 256.
            inner = -(-int(2 * factor * settings.need("width") / 3) // 256) * 256
        except (AttributeError, KeyError, TypeError, OverflowError):
            raise settings.keys.error("block_configs", "must have n_heads_in_group and ffn_mult throughout") from None
        block_settings = ("key_value_heads", heads), ("feed_forward", settings.keys.checked("block_configs", inner, 0))
        kinds.append(("attention" if heads else "", "dense" if inner else "", *block_settings))
    return kinds
