"""Make the rows of one MLPerf Training round: the median of the successful runs for each submitter, system and benchmark."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from statistics import median_low
from typing import Any

from pipeline.base.clones import Repository
from pipeline.catalogues.mlperf.formats import (
    Chip,
    FormatError,
    Machine,
    StatedFormat,
    printed_format,
    readable,
    stated_format,
)
from pipeline.catalogues.mlperf.logs import LogError, Run, node_watts, read, spread

RESULT = re.compile(r"^(?P<submitter>[^/]+)/results/(?P<system>[^/]+)/(?P<benchmark>[^/]+)/result_[^/]*\.txt$")
# Benchmarks whose implementation folders have other names.
FOLDERS = {"gpt3": ("gpt3", "large_language_model"), "llama2_70b_lora": ("llama2_70b_lora", "llm_finetune")}
NO_CHIP = ("N/A", "NA", "NONE")
SPLIT = re.compile(r"(?<![a-z_])(tensor|pipeline|expert)_model_parallel_size['\"]?\s*[=:]\s*(\d{1,5})\b")
TPU_VERSION = re.compile(r"tpu-?(v\d\w*)")


@dataclass(frozen=True)
class System:
    """A system as described by its submitter. None means that the description lacks the value."""

    chip: str | None
    nodes: int | None
    chips_per_node: int | None


def rows(
    round_name: str, repository: Repository, chip_of: Callable[[str], Chip | None], mistakes: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each result of a round. Add a line to `mistakes` for each log that cannot be used or contradicts itself.

    `chip_of` maps a name to a chip, or to None if the name is unknown.
    """
    results: dict[tuple[str, str, str], list[str]] = {}
    for path in repository.distinct_paths:
        if match := RESULT.match(path):
            results.setdefault((match["submitter"], match["system"], match["benchmark"]), []).append(path)
    for (submitter, system_name, benchmark), paths in sorted(results.items()):
        runs = _runs(repository, paths, benchmark, mistakes)
        if not runs:
            continue
        system = _system(repository, submitter, system_name)
        path, run = _median_run(runs)
        log = repository.texts([path])[path]
        chip = chip_of(system.chip) if system.chip else None
        chips, statement = None, None
        if system.nodes and system.chips_per_node:
            chips = system.nodes * system.chips_per_node
            try:
                if chip:
                    machine = Machine(system_name, benchmark, system.nodes, system.chips_per_node, chip)
                    statement = _format(repository, submitter, machine, path, log)
            except FormatError as mistake:
                mistakes.append(f"{repository.place(path)}: precision unknown: {mistake}")
        yield {
            "row": re.sub(r"[^a-z0-9]+", "-", f"{round_name}-{submitter}-{system_name}-{benchmark}".lower()).strip("-"),
            "submitter": submitter,
            "division": run.division,
            "task": benchmark,
            "chip": system.chip,
            "chips": chips,
            "nodes": system.nodes,
            **parallelism(log),
            "precision": statement and statement.precision,
            "precision_words": statement and statement.words,
            "precision_place": statement and repository.place(statement.path),
            "batch": run.batch,
            "examples_seen": run.examples_seen,
            "run_seconds": run.run_seconds,
            "evaluation_seconds": run.evaluation_seconds,
            "node_watts": node_watts(repository.texts(_power_logs(repository, path)).values(), run),
            "repeats": len(runs),
            "repeats_log_sd": spread([run.rate for run in runs.values()]),
            "place": repository.place(path),
        }


def parallelism(log: str) -> dict[str, int]:
    """Return the degrees of parallelism that a log prints, such as `tensor_parallel`, except contradictory ones.

    >>> parallelism("tensor_model_parallel_size: 2\\nConfig(tensor_model_parallel_size=2, expert_model_parallel_size=1)")
    {'tensor_parallel': 2, 'expert_parallel': 1}
    """
    printed: dict[str, set[int]] = {}
    for kind, size in SPLIT.findall(log):
        printed.setdefault(f"{kind}_parallel", set()).add(int(size))
    return {kind: sizes.pop() for kind, sizes in printed.items() if len(sizes) == 1}


def _runs(repository: Repository, paths: list[str], benchmark: str, mistakes: list[str]) -> dict[str, Run]:
    runs = {}
    for path, text in repository.texts(paths).items():
        try:
            runs[path] = read(text, benchmark)
        except LogError as mistake:
            mistakes.append(f"{repository.place(path)}: {mistake}")
    return runs


def _median_run(runs: Mapping[str, Run]) -> tuple[str, Run]:
    rate = median_low(run.rate for run in runs.values())
    return next((path, run) for path, run in runs.items() if run.rate == rate)


def _power_logs(repository: Repository, path: str) -> list[str]:
    """Return the power logs of a result, one per node: `power/<name of the log>/node_0.txt` and so on."""
    log = PurePosixPath(path)
    folder = f"{log.parent}/power/{log.stem}/node_"
    return [path for path in repository.paths if path.startswith(folder)]


def _system(repository: Repository, submitter: str, name: str) -> System:
    """Return the system with this name, or the only system whose name differs only in spelling."""
    folder = f"{submitter}/systems/"
    described = {
        PurePosixPath(path).stem: path
        for path in repository.paths
        if path.startswith(folder) and path.endswith(".json")
    }
    spelled_alike = [path for stem, path in described.items() if _plain(stem) == _plain(name)]
    path = described.get(name) or (spelled_alike[0] if len(spelled_alike) == 1 else None)
    try:
        entry = json.loads(repository.texts([path])[path]) if path else {}
    except (ValueError, KeyError):
        entry = {}
    chip = str(entry.get("accelerator_model_name") or "").strip()
    if chip.upper() in NO_CHIP:
        chip = ""
    if chip == "TPU" and (version := TPU_VERSION.search(name)):
        chip = f"TPU {version[1]}"  # Google's systems state the version only in their names
    return System(chip or None, _count(entry.get("number_of_nodes")), _count(entry.get("accelerators_per_node")))


def _format(repository: Repository, submitter: str, machine: Machine, log_path: str, log: str) -> StatedFormat | None:
    """Return a run's precision from its log, or otherwise from the folders of its implementation; None if they leave it open.

    Raises:
        FormatError: the run's log or configs contradict themselves.
    """
    if printed := printed_format(log_path, log, machine.chip.formats):
        return printed
    for folders in _implementations(repository, submitter, machine):
        by_folder = [stated_format(texts, machine, log) for texts in map(repository.texts, folders)]
        statements = [statement for statement in by_folder if statement]
        if len({statement.precision for statement in statements}) == 1:
            return statements[0]
    return None


def _implementations(repository: Repository, submitter: str, machine: Machine) -> Iterator[list[list[str]]]:
    """Yield the files of each folder named after the system, then the files of each folder not named after another system."""
    names = "|".join(FOLDERS.get(machine.benchmark, (re.escape(machine.benchmark),)))
    folder = re.compile(
        rf"^{re.escape(submitter)}/benchmarks?/(?:[^/]+/)?(?:{names})/(?:implementations?/)?(?:[^/]+/)?"
    )
    implementation_files = [(match.group(), path) for path in repository.paths if (match := folder.match(path))]
    words = {path: {*map(_plain, path.split("/"))} for _, path in implementation_files}
    system = _plain(machine.system)
    results = re.compile(rf"{re.escape(submitter)}/results/([^/]+)/")
    others = {_plain(match[1]) for path in repository.paths if (match := results.match(path))} - {system}
    named = [(implementation, path) for implementation, path in implementation_files if system in words[path]]
    shared = [(implementation, path) for implementation, path in implementation_files if others.isdisjoint(words[path])]
    # Names of implementations may nest; files belong to the outermost one.
    for files in (named, shared):
        roots = {implementation for implementation, _ in files}
        folders: dict[str, list[str]] = {}
        for implementation, path in files:
            root = min((root for root in roots if implementation.startswith(root)), key=len)
            if readable(path, root):
                folders.setdefault(root, []).append(path)
        if folders:
            yield list(folders.values())


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _count(value: Any) -> int | None:
    digits = re.fullmatch(r"\s*(\d{1,7})\s*", str(value))
    return int(digits[1]) if digits and int(digits[1]) else None
