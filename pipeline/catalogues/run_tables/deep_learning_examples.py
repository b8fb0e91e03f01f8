"""NVIDIA's DeepLearningExamples: the tables of training throughput in the README of each network.

Headings name the machine ("DGX A100 (8x A100 80GB)"), columns the format. What a record of the same README states is left out.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pipeline.catalogues import run_table
from pipeline.catalogues.clones import Repository
from pipeline.records import loading

REPOSITORY = "NVIDIA/DeepLearningExamples"
HEADING = re.compile(r"^(#+)\s*(.*)")
TRAINING = re.compile(r"training performance|pre-?training|fine-tuning", re.IGNORECASE)
MACHINE = re.compile(r"\((?P<chips>\d+)x ?(?P<chip>A100|V100) ?(?P<memory>\d+)?")
FORMATS = {"mixed precision": "fp16", "amp": "fp16", "bf16": "bf16", "tf32": "tf32", "fp32": "fp32"}
OTHER_COLUMN = re.compile(r"speed-?up|scaling|time|batch|accum|loss|number of|\basp|quant|calibration|accuracy")
NUMBER = re.compile(r"(\d[\d,]*(?:\.\d+)?)(?: ?img/s)?")
# The README's folder, its headings, the model's column and the length of sequences; the first that fits.
TASKS = (
    (r"se-resnext101|widese|quant|Sparsity|GPUNet", "other"),
    (r"resnext101-32x4d", "resnext-101-32x4d"),
    (r"resnet50|RN50v1\.5", "resnet-50"),
    (r"efficientnet.*-b0", "efficientnet-b0"),
    (r"efficientnet.*-b4", "efficientnet-b4"),
    (r"LanguageModeling/BERT .*pre-training.* length 128$", "bert-large-128"),
    (r"LanguageModeling/BERT .*pre-training.* length 512$", "bert-large-512"),
)


def rows(repository: Repository, mistakes: list[str]) -> Iterator[dict[str, Any]]:
    """A row a throughput, each once; a line for each table whose machine is not named is added to `mistakes`."""
    known, names = _known(), Counter[str]()
    for path in (path for path in repository.paths if path.endswith("README.md") and "triton" not in path):
        folder, place = path.removesuffix("/README.md"), repository.place(path)
        for headings, cells in _lines(repository.texts([path]).get(path, "")):
            machine, columns = MACHINE.search(headings), list(_throughputs(cells))
            model, length = cells.get("model", ""), cells.get("sequence length", "")
            if machine is None:
                problem = f"{path}: no machine above the table of {headings[:70]!r}"
                mistakes += [problem] if columns and problem not in mistakes else []
                continue
            for column, precision in columns:
                number, chips = NUMBER.fullmatch(cells[column]), _chips(cells, int(machine["chips"]))
                rate = float(number[1].replace(",", "")) if number else 0.0
                if not rate or not chips or (path, rate) in known:
                    continue
                known.add((path, rate))
                words = f"{folder} {model} {length} {machine['chip']} {chips} {precision}"
                row = re.sub(r"[^a-z0-9]+", "-", words.lower())
                names[row] += 1
                about = f"{folder} {headings} {model} length {length}"
                yield {
                    "row": f"{row}-{names[row]}" if names[row] > 1 else row,
                    "submitter": "NVIDIA",
                    "task": next((task for mark, task in TASKS if re.search(mark, about, re.IGNORECASE)), "other"),
                    "chip": _chip(headings, machine),
                    "chips": chips,
                    "precision": precision,
                    "precision_words": column,
                    "precision_place": place,
                    "examples_seen": rate,
                    "run_seconds": 1,
                    "repeats": 1,
                    "place": place,
                }


def _lines(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Lines of tables of training: the headings above, the nearest first, and the cells by the names of columns."""
    above, names = dict[int, str](), list[str]()
    for line in text.splitlines():
        if not line.lstrip().startswith("|"):
            names = []
            if heading := HEADING.match(line):
                above = {level: words for level, words in above.items() if level < len(heading[1])}
                above[len(heading[1])] = heading[2]
            continue
        cells = [re.sub(r"\*\*|<br ?/?>|\s+", " ", cell).strip() for cell in line.strip().strip("|").split("|")]
        headings = " < ".join(above[level] for level in sorted(above, reverse=True))
        if not names:
            names = [cell.lower() for cell in cells]
        elif TRAINING.search(headings) and "nference" not in headings:
            yield headings, dict(zip(names, cells, strict=False))


def _throughputs(cells: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Columns of throughput and their number formats, the first that the column names."""
    for column in cells:
        precision = next((word for mark, word in FORMATS.items() if mark in column), None)
        if precision and not OTHER_COLUMN.search(column.replace("throughput", "")):
            yield column, precision


def _chips(cells: dict[str, str], of_node: int) -> int | None:
    """Of the line's GPUs or nodes; None where neither is a number."""
    gpus, nodes = cells.get("gpus", ""), cells.get("nodes", cells.get("num nodes", ""))
    return int(gpus) if gpus.isdigit() else int(nodes) * of_node if nodes.isdigit() else None


def _chip(headings: str, machine: re.Match[str]) -> str:
    """The chip of NVIDIA's own machines: DGX-1 has the V100 as SXM2, DGX-2 as SXM3, of 450 W in DGX-2H."""
    if machine["chip"] == "A100":
        return f"NVIDIA A100-SXM4-{machine['memory'] or 40}GB"
    if "DGX-2H" in headings:
        return "NVIDIA V100-SXM3-32GB (450W)"
    return "V100 SXM3 32GB" if "DGX-2" in headings else f"V100 SXM2 {machine['memory'] or 16}GB"


def _known() -> set[tuple[str, float]]:
    """README and throughput of each row of a record."""
    records = [loading.read(path)[0].record for path in sorted(run_table.FOLDER.glob("nvidia-*.yaml"))]
    return {
        (record.sources[record.source_of(row.timing)].url.split("/", 7)[7], row.timing.amount)
        for record in records
        for row in record.rows
    }
