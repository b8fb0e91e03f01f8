"""The config keys that a class of transformers reads, and which of them change neither a parameter nor an operation.

Names come from the source of the class and of the modules that all classes share. A name changes nothing if networks
built with another value have the same parameters, the same products and the same pairs of positions in attention.
"""

import ast
import inspect
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
import transformers
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from pipeline.architectures.configs.vocabulary import MEANING
from tests.architectures.in_torch import config_networks, type_networks

SHARED = ("configuration_utils", "modeling_layers", "modeling_rope_utils", "modeling_utils")
OF_MASKS = ("is_causal", "attention_chunk_size", "sliding_window", "layer_types")  # read by masking_utils
# What every class stores, or reads only to load and distribute a network. Positions that rotate add no product.
STORED = {
    *(name for name, value in vars(transformers.PreTrainedConfig).items() if not callable(value)),
    *transformers.PreTrainedConfig.__dataclass_fields__,
    *"num_labels torch_dtype rope_scaling rope_parameters quantization_config compression_config generation_config".split(),
    *"gradient_checkpointing experts_implementation attn_implementation per_layer_config is_heterogeneous mtp_layer_types compile_config".split(),
    *"out_features out_indices stage_names".split(),  # the layers whose states a backbone returns
}  # fmt: skip
# What earlier versions stored for every class, also for classes with code of their own.
STORED_EARLIER = {
    *transformers.GenerationConfig().to_dict(),
    *"add_cross_attention cross_attention_hidden_size tie_encoder_decoder pruned_heads torchscript use_bfloat16 tf_legacy_loss".split(),
    *"finetuning_task task_specific_params tokenizer_class prefix sep_token_id decoder_start_token_id".split(),
}  # fmt: skip
HIDDEN = -1e30  # scores below are of hidden pairs
LENGTH = 24


@cache
def source(path: Path) -> dict[str, set[Any]]:
    """Return the names that a file reads from a config, each with the values that the file compares it with."""
    names: set[str] = set()
    compared: dict[str, set[Any]] = {}
    is_class_of_config = path.name.startswith("configuration_")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name):
                found = [name] if "config" in owner.lower() or (is_class_of_config and owner == "self") else []
            case (
                ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, ast.Constant(value=str(name)), *_])
                | ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=str(name)), *_])
            ) if path.stem not in SHARED:
                found = [name]
            case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str(name))) if "config" in owner:
                found = [name]
            case ast.AnnAssign(target=ast.Name(id=name)) if is_class_of_config:
                found = [name]
            case _:
                found = []
        names.update(found)
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
            parts = [part for side in node.comparators for part in ast.walk(side) if isinstance(part, ast.Constant)]
            compared.setdefault(node.left.attr, set()).update(part.value for part in parts)
    return {name: compared.get(name, set()) - {None} for name in names}


def names_read(model_type: str) -> dict[str, set[Any]]:
    """Return the names that a type's classes read, with the values that they are compared with.

    What only the shared modules read is the same for all types, and is returned for Llama.
    """
    config_class = transformers.CONFIG_MAPPING[model_type]
    home, root = Path(inspect.getfile(config_class)).parent, Path(transformers.__file__).parent
    files = [*home.glob("modeling_*.py"), *home.glob("configuration_*.py")]
    names: dict[str, set[Any]] = {}
    for path in (*files, *((root / f"{name}.py" for name in SHARED) if model_type == "llama" else ())):
        for name, values in source(path).items():
            names.setdefault(name, set()).update(values)
    makes_masks = re.compile(r"create_(causal|sliding|chunked|masks)")
    names |= {name: set() for name in OF_MASKS if any(makes_masks.search(path.read_text()) for path in files)}
    return {
        name: values
        for name, values in names.items()
        if name not in STORED and name[0] != "_" and not callable(getattr(config_class, name, None))
    }


class _Pairs(TorchDispatchMode):
    """Counts the scores that softmax does not hide."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        is_softmax = operation.overloadpacket in (torch.ops.aten._softmax, torch.ops.aten._safe_softmax)
        if is_softmax and args[0].device.type == "cpu" and args[0].shape[-1] >= LENGTH:  # not over experts
            self.number += int((args[0] > HIDDEN).sum())
        return operation(*args, **(kwargs or {}))


def measured(model: Any, given: dict[str, Any]) -> tuple[int, int, int]:
    """Return a network's parameters, its products in a forward pass, and its visible pairs of positions."""
    with _Pairs() as pairs, FlopCounterMode(display=False) as products:
        model(**given)
    return sum(weights.numel() for weights in model.parameters()), products.get_total_flops(), pairs.number


def other_values(default: Any, compared: set[Any]) -> list[Any]:
    """Return values to try in place of a key's default."""
    if isinstance(default, bool):
        return [not default]
    if isinstance(default, int | float):
        return [2 * default + 1, default // 2 if isinstance(default, int) else default / 2, 0 * default, default + 2]
    if isinstance(default, str):
        return [value for value in sorted(map(str, compared)) if value != default]
    if isinstance(default, list) and all(isinstance(entry, int | float) for entry in default):
        return [[0] * len(default), [1] * len(default), [2 * entry + 1 for entry in default]]
    return [True, 1, 0.5, [1]] if default is None else []


def changing_nothing(candidates: dict[str, list[Any]], measure: Callable[[dict[str, Any]], Any]) -> set[str]:
    """Return the names of which every value that can be built measures the same, and at least one can be built."""
    usual, same, differ = measure({}), set(), set()

    def split(group: dict[str, Any]) -> None:
        try:
            outcome = measure(group)
        except Exception:  # a class may refuse a value, alone or with others
            outcome = None
        if outcome == usual:
            same.update(group)
        elif len(group) > 1:
            names = list(group)
            for half in (names[: len(names) // 2], names[len(names) // 2 :]):
                split({name: group[name] for name in half})
        elif outcome is not None:
            differ.update(group)

    for turn in range(max(map(len, candidates.values()), default=0)):
        if group := {name: values[turn] for name, values in candidates.items() if turn < len(values)}:
            split(group)
    return same - differ


def unchanged_names(model_type: str, own_keys: dict[str, str] | None) -> set[str]:
    """Return the names that a type's classes read and that change nothing; own_keys is None for types with a reader."""
    known = {} if own_keys is None else {**MEANING, **own_keys}
    config_class = transformers.CONFIG_MAPPING[model_type]
    auto_class = _other_class(model_type) if own_keys is not None else None
    defaults = config_class().to_dict() if own_keys is None else type_networks.built(model_type, (), auto_class)[1]

    def is_taken(name: str, value: Any) -> bool:
        if isinstance(value, list):  # may need as many entries as there are layers
            return True
        try:
            config_class(**{name: value})
        except Exception:  # a class may refuse a value
            return False
        return True

    names = {name: values for name, values in names_read(model_type).items() if name not in {*known, *OF_MASKS}}
    candidates = {
        name: [value for value in other_values(defaults.get(name), compared) if is_taken(name, value)]
        for name, compared in names.items()
    }
    if own_keys is None:
        return changing_nothing(candidates, partial(_forward_with_reader, model_type))
    same = changing_nothing(candidates, partial(_forward, model_type))
    tasks = [
        task for task, (types, _) in type_networks.TASKS.items() if model_type in types and _heads(model_type, [task])
    ]
    return changing_nothing({name: candidates[name] for name in same}, lambda more: _heads(model_type, tasks, more))


def _other_class(model_type: str) -> Any:
    """Return the class that builds a type which no list of causal or masked models has; None for the others."""
    if model_type in type_networks.MODELS:
        return None
    unlisted = {"siglip_text_model": transformers.SiglipTextModel, "step3p5": transformers.Step3p7TextModel}
    if model_type in unlisted:
        return SimpleNamespace(from_config=unlisted[model_type]._from_config)
    return transformers.AutoModel


def _forward(model_type: str, more: dict[str, Any]) -> tuple[int, int, int]:
    auto_class = _other_class(model_type)
    if model_type in type_networks.CANNOT_RUN:
        model, _ = type_networks.built(model_type, more)
        return sum(weights.numel() for weights in model.parameters()), 0, 0
    model, _ = type_networks.built(model_type, more, auto_class, device="cpu")
    return measured(model.eval(), {"input_ids": torch.ones(1, LENGTH, dtype=torch.long), "use_cache": False})


def _forward_with_reader(model_type: str, more: dict[str, Any]) -> tuple[int, int, int]:
    numbers = next(numbers for name, numbers in config_networks.ALL.items() if name.split()[0] == model_type)
    model, written = config_networks.built(model_type, {**numbers, **more})
    return measured(model, config_networks.inputs(model, written)[0])


def _heads(model_type: str, tasks: list[str], more: Any = ()) -> list[int] | None:
    """Return the parameters with the head of each task; None if a single head cannot be built."""
    try:
        models = [type_networks.built(model_type, more, type_networks.TASKS[task][1])[0] for task in tasks]
    except Exception:
        if len(tasks) == 1 and not more:
            return None
        raise
    return [sum(weights.numel() for weights in model.parameters()) for model in models]
