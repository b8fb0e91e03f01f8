"""Marin's speedruns: `data/runs.json` of its leaderboard, whole runs whose operations and time stand in one entry.

The entry has neither chips nor tokens. Its `training_hardware_flops` is its time times chips times their dense peak, and
`model_flops` is tokens times Levanter's count for one (levanter/utils/flop_utils.py, `lm_flops_per_token`, times 3), so that
both follow exactly; results of single runs, which name the machine and the tokens, agree (the record's note).
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from pipeline.catalogues.clones import Repository

REPOSITORY = "marin-community/speedrun"
PATH = "data/runs.json"
# Of each chip's dense peak in BF16 as Marin's program has it. The H200's is that of the H100: the run's name decides.
CHIPS = {275e12: "TPU v4", 459e12: "TPU v5p", 197e12: "TPU v5e", 312e12: "A100", 989.5e12: "H100"}
# Parameters of a network, among them those of norms, by which runs of one network differ; layers, width, feed-forward
# width, heads and key-value heads, as results of single runs state them. All have untied embeddings of VOCABULARY words.
NETWORKS = {
    "llama-30m": ((33784960,), (4, 128, 448, 2, 2)),
    "llama-50m": ((50874048, 50875584), (4, 192, 448, 2, 2)),
    "llama-75m": ((73273600,), (8, 256, 896, 4, 4)),
    "llama-130m": ((154147328, 154153472), (6, 512, 1792, 8, 8)),
    "llama-200m": ((210052480, 210061440), (7, 640, 2560, 5, 5)),
    "llama-300m": ((299649792, 299668224), (12, 768, 2688, 12, 12)),
    "llama-400m": ((358304128, 358322048), (10, 896, 3584, 7, 7)),
    "llama-520m": ((602457088, 602506240), (24, 1024, 3584, 16, 8)),
    "llama-800m": ((837003904, 837046144), (15, 1408, 5632, 11, 11)),
    "llama-1-2b": ((1431373824, 1431439360), (16, 2048, 7168, 16, 8)),
    "llama-1-4b": ((2136049664,), (24, 2048, 8192, 16, 16)),
}
VOCABULARY = 128256
LENGTHS = (1024, 2048, 4096)
STEP = 128  # sequences of a step, or a multiple
WHOLE = 1e-5  # a quotient this near a whole number is one
FORMAT = {
    "precision": "bf16",
    "precision_words": "p=f32,c=bfloat16",
    "precision_place": "github:marin-community/marin@0009e7493735947d7ef96c5d652f0b0c2a81fbf2:experiments/defaults.py",
}


def rows(repository: Repository, mistakes: list[str]) -> Iterator[dict[str, Any]]:
    """A row a run, its steps without evaluations; a line for each without time or of no known machine is added to `mistakes`."""
    text = repository.texts([PATH]).get(PATH)
    if text is None:
        mistakes.append(f"{PATH}: it is not in the clone")
    for run in json.loads(text or "[]"):
        name, seconds = run["run_name"], run["training_time"]
        machine = _machine(run["training_hardware_flops"] / seconds) if seconds else None
        if machine is None:
            mistakes.append(f"{name}: it has no time, or its chips times their peak are no machine that is known")
            continue
        chip, chips = machine
        task, sequences = _trained(run["model_size"], run["model_flops"])
        yield {
            "row": re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-"),
            "submitter": "Marin community",
            "task": task,
            "chip": "H200" if chip == "H100" and "H200" in name.upper() else chip,
            "chips": chips,
            **FORMAT,
            "examples_seen": sequences,
            "run_seconds": seconds,
            "repeats": 1,
            "place": repository.place(PATH),
        }


def _machine(flop_per_second: float) -> tuple[str, int] | None:
    for peak, chip in CHIPS.items():
        chips = round(flop_per_second / peak)
        if chips and abs(flop_per_second / peak / chips - 1) < WHOLE:
            return chip, chips
    return None


def _trained(parameters: int, flop: float) -> tuple[str, int | None]:
    """The task, a network and its length, and the sequences seen: those whose length makes them whole steps."""
    for name, (sizes, shape) in NETWORKS.items():
        if parameters in sizes:
            for length in LENGTHS:
                steps = flop / (3 * _token_flop(*shape, length)) / (STEP * length)
                if abs(steps - round(steps)) < WHOLE:
                    return f"{name}-{length}", round(steps) * STEP
    return "other", None


def _token_flop(layers: int, width: int, inner: int, heads: int, key_value_heads: int, length: int) -> int:
    """Levanter's forward FLOP of a token: attention over all pairs, its softmax as three."""
    head_width = width // heads
    projections = 2 * width * head_width * (heads + 2 * key_value_heads) + 2 * width**2
    attention = 4 * length * width + 3 * length * heads
    return layers * (6 * width * inner + projections + attention) + 2 * width * VOCABULARY
