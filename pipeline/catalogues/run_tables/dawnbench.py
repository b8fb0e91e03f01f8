"""DAWNBench's training entries: a JSON file of the network and machine, and beside it the hours at the end of each epoch.

None states format, chip and the size of its images all three, so that they are measurements of time alone.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from pipeline.catalogues.clones import Repository

REPOSITORY = "stanford-futuredata/dawn-bench-entries"
ENTRY = re.compile(r"^(?P<task>CIFAR10|ImageNet|SQuAD)/train/(?P<name>[^/]+)\.json$")
EXAMPLES = {
    "CIFAR10": 50_000,
    "ImageNet": 1_281_167,
}  # of an epoch; SQuAD's questions differ in length and are not counted
CHIP = re.compile(r"(GTX[ -]1080 ?Ti|2080 RTX|[VPKM]\d{2,3}|[PT]4\b|TPUv2)", re.IGNORECASE)
NUMBER = re.compile(
    r"(\d+) ?[*x]? ?(?:Tesla-)?(?:GPU|GTX|NVidia|[VPKM]\d{2,3}|[PT]4\b|TPUv2)|V100 ?\* ?(\d+)", re.IGNORECASE
)
NODES = re.compile(r"^(\d+) (?:nodes|\* 8)")
FORMATS = {"bf16": re.compile(r"resnet_bfloat16"), "fp16": re.compile(r'"mixed_precision": true|--fp16')}


def rows(repository: Repository, mistakes: list[str]) -> Iterator[dict[str, Any]]:
    """A row an entry, by its last epoch; a line for each without hours is added to `mistakes`."""
    for path in repository.paths:
        if not (match := ENTRY.match(path)):
            continue
        beside = path.removesuffix(".json") + ".tsv"
        texts = repository.texts([path, beside])
        try:
            entry, ends = json.loads(texts.get(path, "")), list(_ends(texts.get(beside, "")))
        except ValueError as problem:
            mistakes.append(f"{path}: {problem}")
            continue
        if not ends:
            mistakes.append(f"{path}: it has no hours of epochs")
            continue
        epochs, hours = max(ends)
        text = json.dumps(entry)
        stated = next(((word, hit) for word, mark in FORMATS.items() if (hit := mark.search(text))), None)
        yield {
            "row": re.sub(r"[^a-z0-9]+", "-", f"{match['task']}-{match['name']}".lower()).strip("-"),
            "submitter": entry["author"].replace("|", ","),  # which joins names in tables
            "task": match["task"].lower(),
            **_machine(entry["hardware"]),
            "precision": stated[0] if stated else None,
            "precision_words": stated[1].group() if stated else None,
            "precision_place": repository.place(path) if stated else None,
            "batch": _batch(entry.get("misc")),
            "examples_seen": epochs * EXAMPLES[match["task"]] if match["task"] in EXAMPLES else None,
            "run_seconds": 3600 * hours,
            "repeats": 1,
            "place": repository.place(beside),
        }


def _ends(table: str) -> Iterator[tuple[float, float]]:
    """Epochs and hours of a table whose columns stand in either order."""
    head, *lines = table.lstrip("\ufeff").splitlines() or [""]
    names = head.split()
    for line in lines:
        cells = dict(zip(names, line.split(), strict=False))
        if {"epoch", "hours"} <= set(cells) and float(cells["epoch"]) > 0:
            yield float(cells["epoch"]), float(cells["hours"])


def _machine(words: str) -> dict[str, Any]:
    """Chip and number as the words have them; of a machine that is named alone, or a share of a pod, no number."""
    chip, number, nodes = CHIP.search(words), NUMBER.search(words), NODES.search(words)
    chips = (int(number[1] or number[2]) if number else 1) * (int(nodes[1]) if nodes else 1)
    is_counted = chip and "Pod" not in words
    return {
        "chip": chip[1] if chip else words,
        "chips": chips if is_counted else None,
        "nodes": int(nodes[1]) if nodes else None,
    }


def _batch(misc: Any) -> int | None:
    stated = misc.get("batchSize", misc.get("batch_size")) if isinstance(misc, dict) else None
    return int(stated) if str(stated).isdigit() else None
