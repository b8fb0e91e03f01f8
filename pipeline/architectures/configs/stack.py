"""The kinds of mixer (attention, a state, a convolution) and feed-forward network in each layer of a language model."""

from pipeline.architectures.configs.settings import Settings
from pipeline.architectures.network import ArchitectureError


def mixers(settings: Settings, layers: int) -> list[str]:
    """Return the kind of each layer's mixer. Raise ArchitectureError for an impossible list of kinds."""
    kinds = _stated_mixers(settings, layers) or _usual_mixers(settings, layers)
    is_used = settings.row.get("windows") in (None, "all") or settings.get("has_windows", False)
    if is_used and settings.get("window"):
        return kinds
    return ["attention" if kind == "window" else kind for kind in kinds]


def _stated_mixers(settings: Settings, layers: int) -> list[str] | None:
    """Return the kinds that a list of layers states, in one of the forms that files use."""
    linear, sparse = settings.config.get("linear_attn_config"), settings.config.get("sparse_attention_config")
    if isinstance(linear, dict):
        full = _numbers(settings, "linear_attn_config", linear.get("full_attn_layers"), 0)
        return ["attention" if layer + 1 in full else "linear" for layer in range(layers)]
    if isinstance(sparse, dict) and "sparse_attention_freq" in sparse:
        is_sparse = _numbers(settings, "sparse_attention_config", sparse["sparse_attention_freq"], layers)
        return ["selected" if number else "attention" for number in is_sparse[:layers]]
    stated = settings.words("indexers", layers) or settings.words("kinds", layers)
    if stated is None and settings.get("attention_layers") is not None:
        stated = ["attention" if layer in settings.get("attention_layers") else "mamba" for layer in range(layers)]
    return stated


def _usual_mixers(settings: Settings, layers: int) -> list[str]:
    """Return the kinds that a step or the class implies."""
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
    if "lists" in row:
        raise ArchitectureError(f"a config of {settings.keys.model_type} needs {row['lists']}", "model_type")
    if "start" in row:  # the first layers of a class, then two kinds in turn
        return [*row["start"], *row["then"] * layers][:layers]
    first = settings.get("full_layers_first", 28)
    some = {None: range(0), "last": range(first, layers), "even_first": range(0, first, 2)}
    windowed = some.get(row.get("windows"), range(layers))
    return ["window" if layer in windowed else "attention" for layer in range(layers)]


def feed_forwards(settings: Settings, layers: int) -> list[str]:
    """Return the kind of each layer's feed-forward network. Raise ArchitectureError for an impossible list."""
    if not settings.get("experts"):
        return ["dense"] * layers
    if "adds_experts" in settings.values:
        return ["both" if settings.get("adds_experts") else "dense"] * layers
    return settings.words("feed_forward_kinds", layers) or _spread_experts(settings, layers)


def _spread_experts(settings: Settings, layers: int) -> list[str]:
    """Return which layers have experts: the listed ones, or every n-th one except the first and the listed dense ones."""
    sparse = settings.get("expert_layers")
    if isinstance(sparse, str):
        sparse = [int(number) for number in sparse.split(",") if number.strip().isdigit()]
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
    last = last % layers if isinstance(last, int) and layers else layers - 1
    key = settings.key_of.get("expert_step")
    rest = {"expert_layer_period": settings.get("expert_offset", 0), "moe_layer_freq": 0}.get(str(key), step - 1)
    has_experts = [first <= layer <= last and layer % step == rest and layer not in dense for layer in range(layers)]
    return ["sparse" if is_sparse else "dense" for is_sparse in has_experts]


def _numbers(settings: Settings, key: str, value: object, least: int) -> list[int]:
    if not isinstance(value, list) or len(value) < least or not all(isinstance(number, int) for number in value):
        raise settings.keys.error(key, "must have a list of layers")
    return value
