"""Compare default configs of transformers' types, with one key changed at a time, with torch: parameters to the digit.

A maintainer's program, of some minutes: `python -m tests.architectures.in_torch.mutants [TYPE ...]` prints each config that
is counted otherwise, and how many are equal, equal but for named parts, refused and wrong. Exits with 1 if any is wrong.
"""

import copy
import json
import random
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import torch
import transformers
from transformers.models.auto import modeling_auto

from pipeline.architectures.configs import parts_left_out, read
from pipeline.architectures.network import ArchitectureError, Lengths, place
from pipeline.formulas.totals import total

KINDS = "SEQ_TO_SEQ_CAUSAL_LM CAUSAL_LM MASKED_LM IMAGE_TEXT_TO_TEXT IMAGE_CLASSIFICATION SPEECH_SEQ_2_SEQ CTC".split()
NAMES = [getattr(modeling_auto, f"MODEL_FOR_{kind}_MAPPING_NAMES") for kind in KINDS] + [
    modeling_auto.MODEL_MAPPING_NAMES
]
SECONDS, MOST_KEYS, SEED = 25, 16, 5  # CPU seconds per network
SIZE = re.compile("bias|norm|tie|expert|window|inter|head_dim|kv|rank|dim|size|layers")
MAY_BE_ANY = re.compile(
    "token|version|architectures|model_type|num_labels|dtype|max_position|is_decoder|mtp|nextn|cross_attention"
)


# transformers 5.24 ties T5's tables whatever the file says; T5 v1.1 and mT5 are published untied, as we count.
TORCH_DIFFERS = {(name, "tie_word_embeddings") for name in ("t5", "mt5", "umt5", "longt5")}


class SlowError(Exception):
    """Raised if a network takes too long to build."""


def _stop(*_: Any) -> None:
    raise SlowError


def by_torch(model_type: str, class_name: str, config: dict[str, Any]) -> int:
    """Return the parameters of a class built on the meta device; shared ones once."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with torch.device("meta"):
            settings = transformers.CONFIG_MAPPING[model_type].from_dict(copy.deepcopy(config))
            model = getattr(transformers, class_name)(settings)
        model.tie_weights()
        return sum(weights.numel() for weights in {id(weights): weights for weights in model.parameters()}.values())
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def mutants(config: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield single keys with another value: flags turned, sizes halved and doubled, absent sizes stated."""
    changes: list[tuple[str, Any]] = []
    for key, value in config.items():
        if MAY_BE_ANY.search(key):
            continue
        if isinstance(value, bool):
            changes.append((key, not value))
        elif isinstance(value, int):
            changes += [(key, value // 2)] if value > 1 else []
            changes += [(key, value * 2 or 2)] if value <= 64 else []
        elif value is None and SIZE.search(key):
            changes.append((key, 64))
    random.Random(SEED).shuffle(changes)
    yield from changes[:MOST_KEYS]
    yield "tie_word_embeddings", not config.get("tie_word_embeddings", False)


def verdict(config: dict[str, Any], parameters: int) -> tuple[str, str]:
    """Return how our count compares with torch's, and what to print about it."""
    try:
        reading = read(config, Lengths(16_000, 64) if config["model_type"] == "wav2vec2" else Lengths(), None, True, 0)
        ours = total((layer.count, layer.backward_flop, layer.times) for layer in place(reading.nodes)).parameters
        parts = parts_left_out(config)
    except ArchitectureError as problem:
        return "refused", str(problem)
    if ours == parameters:
        return "equal", ""
    if parts:
        most = [part.parameters for part in parts]
        is_within = None in most or parameters <= ours + sum(number for number in most if number)
        return ("named remainder" if is_within else "remainder above its bound"), f"{ours:,} of {parameters:,}, {most}"
    return "wrong", f"{ours:,}, torch {parameters:,} ({ours / parameters - 1:+.2%})"


def main() -> int:
    """Print the verdicts on all types, or on those in the arguments."""
    signal.signal(signal.SIGPROF, _stop)
    transformers.logging.set_verbosity_error()
    tally: dict[str, Counter[str]] = {"default": Counter(), "mutant": Counter()}
    for model_type in sys.argv[1:] or transformers.CONFIG_MAPPING:
        listed = next((names[model_type] for names in NAMES if model_type in names), None)
        if listed is None:
            continue
        class_name = listed if isinstance(listed, str) else listed[0]
        try:
            config = json.loads(transformers.CONFIG_MAPPING[model_type]().to_json_string(use_diff=False))
            config |= {"model_type": model_type, "architectures": [class_name]}
            result, words = verdict(config, by_torch(model_type, class_name, config))
        except Exception:  # a class may refuse its own default config
            tally["default"]["not built"] += 1
            continue
        tally["default"][result] += 1
        if result != "equal":
            print(f"{model_type}: {result}: {words[:160]}", flush=True)
            continue
        for key, value in mutants(config):
            if (model_type, key) in TORCH_DIFFERS:
                continue
            changed = {**config, key: value}
            try:
                parameters = by_torch(model_type, class_name, changed)
            except Exception:  # or a value
                tally["mutant"]["not built"] += 1
                continue
            result, words = verdict(changed, parameters)
            tally["mutant"][result] += 1
            if result != "equal":
                print(f"{model_type} {key}={value}: {result}: {words[:160]}", flush=True)
    for name, results in tally.items():
        print(f"{name}: {sum(results.values())}: {dict(results)}")
    return int(any(results["wrong"] for results in tally.values()))


if __name__ == "__main__":
    sys.exit(main())
