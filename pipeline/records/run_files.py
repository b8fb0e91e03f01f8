"""Read the figures of a training run from the files that it left behind: those of the Hugging Face trainer, and logs.

Only the files in NAMES, a trainer's state and logs are read, never weights, optimizers or pickled arguments.
"""

import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from schemas.errors import InputError
from schemas.figures import declarations

MOST_BYTES = 50_000_000
SHORTEST_LINE, LONGEST_LINE = 12, 2_000  # of a log that are compared with patterns, in characters
NAMES = ("config.json", "adapter_config.json", "trainer_state.json", "all_results.json", "args.json")
LOGS = (".log", ".out", ".txt")
NEVER_OPENED = (".bin", ".pt", ".pth", ".ckpt", ".safetensors")  # weights, optimizers and pickled arguments


@cache
def _vocabulary() -> dict[str, Any]:
    """Return what keys of files and lines of logs state: run_files.yml."""
    text = Path(__file__).with_suffix(".yml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)  # type: ignore[no-any-return]


class Taken(NamedTuple):
    """A figure, its value and the place that states it, such as "trainer_state.json: global_step"."""

    name: str
    value: Any
    place: str


def is_of_run(written: str) -> bool:
    """Return whether this is a run's file, or a folder that contains one; a folder with a slash always is."""
    path = Path(written)
    if path.is_dir():
        names = [name for name in NAMES[1:] if (path / name).is_file()]  # a folder of weights has only a config
        return "/" in written or any((*names, *_logs(path), *_states(path)))
    return path.name in NAMES or path.suffix in (*LOGS, *NEVER_OPENED) or any(_states(path))


def _states(path: Path) -> Iterator[Path]:
    """Yield the files that are a trainer's state under another name: those in a folder, or the file itself.

    They are known by their start, because the trainer sorts its keys.
    """
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        if file.suffix == ".json" and file.is_file() and not file.is_symlink() and file.name not in NAMES:
            with file.open("rb") as content:
                if b'"log_history"' in content.read(4_096):
                    yield file


def _logs(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.suffix in LOGS and path.is_file())


class RunFiles(NamedTuple):
    """The figures of `estimate` that a run's files state, what was taken from which file, and the trainer's total."""

    figures: dict[str, Any]
    taken: list[Taken]
    total_flos: float | None


def read(path: Path, stated: dict[str, Any]) -> RunFiles:
    """Return the figures of a file of a run or of a folder of such files; `stated` are the user's own figures.

    Raise InputError if a file cannot be read, if files contradict each other, or if none states a figure.
    """
    if path.suffix in NEVER_OPENED:
        raise InputError([("", f"{path} is not opened; name its folder, whose trainer_state.json states the run")])
    files = [path] if not path.is_dir() else [file for name in NAMES if (file := path / name).exists()]
    files += [*_states(path), *_logs(path)] if path.is_dir() else []
    facts: dict[str, Taken] = {}
    for taken in (taken for file in files for taken in (_of_log(file) if file.suffix in LOGS else _of_json(file))):
        known = facts.setdefault(taken.name, taken)
        if taken.name not in stated and known.value != taken.value and not _is_near(known.value, taken.value):
            message = f"{known.place} states {known.value}, but {taken.place} states {taken.value}"
            way_on = (
                f"state --{taken.name.replace('_', '-')}" if taken.name in declarations() else "name the right file"
            )
            raise InputError([("", f"{message}; {way_on}")])
    if not facts:
        raise InputError([("", f"{path}: states no figure of a run; these files do: {', '.join(NAMES)}, or a log")])
    figures, used = _figures(facts, stated)
    total = facts.get("total_flos")
    taken = [fact for fact in facts.values() if fact.name in used - stated.keys()]
    return RunFiles(figures, taken, total and float(total.value))


def _figures(facts: dict[str, Taken], stated: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Return the figures that follow from the facts, and the names of the facts that they use."""
    value = {name: fact.value for name, fact in facts.items()}
    if not {"parameters", "forward_flop"}.isdisjoint(stated):
        value.pop("config", None)
    figures = {name: value[name] for name in ("config", "sequence_length", "target_length") if name in value}
    used = {*figures}

    def use(names: Iterable[str], **more: Any) -> None:
        """Add figures that follow from the facts of these names."""
        figures.update(more)
        used.update(names)

    if "base_model" in value:
        use(["base_model"], base_model=value["base_model"], frozen=True)
    is_with_data = bool({"tokens", "images", "examples", "steps"} & stated.keys())
    logged = ("samples_per_second", "seconds", "steps")
    batch = value.get("batch")
    samples = value.get("samples_per_second", 0) * value.get("seconds", 0)  # of old trainers, these are steps
    if "total_flos" in value and not is_with_data and not {"tokens", "batch"} & {*value, *stated}:
        use(["total_flos"], total_flos=value["total_flos"])
    if "tokens" in value and not is_with_data:
        use(["tokens"], tokens=value["tokens"])
    elif batch is None and samples > 1.1 * value.get("steps", math.inf) and not is_with_data:
        use(logged, steps=value["steps"], batch=f"{samples / value['steps']:.15g} sequences")
    elif batch or "sequences" in value or "batch" in stated:
        if not batch and "sequences" in value:
            batch = value["sequences"] * value.get("accumulation", 1) * value.get("processes", 1)
            batch = f"{batch:.15g} sequences"
        batch = stated.get("batch", batch)
        step_time = value.get("step_time") or value.get("milliseconds", 0) / 1000
        names = ("batch", "sequences", "accumulation", "processes") if "batch" not in stated else ()
        if step_time and "chips" in stated:
            use([*names, "step_time", "milliseconds"], batch=batch, step_time=step_time)
        if "steps" in value and not is_with_data:
            use([*names, "steps"], batch=batch, steps=value["steps"])
    if "tflops_per_chip" in value and "hardware" in stated and "step_time" not in figures:
        use(["tflops_per_chip"], tflops_per_chip=value["tflops_per_chip"])
    is_timed = bool({"days", "chip_hours", "step_time", "tokens_per_second"} & {*figures, *stated})
    if "seconds" in value and {"chips", "hardware"} <= stated.keys() and not is_timed:
        use(["seconds"], days=f"{value['seconds']} s")
    return figures, used


def _is_near(first: Any, second: Any) -> bool:
    return not isinstance(first, str) and math.isclose(first, second, rel_tol=0.01)


def _text(path: Path) -> str:
    """Return the text of a file. Raise InputError if it is no text, and like `_refuse_unreadable`."""
    _refuse_unreadable(path)
    try:
        return path.read_text(encoding="utf-8")
    except ValueError:
        raise InputError([("", f"{path} is no text")]) from None


def _refuse_unreadable(path: Path) -> None:
    """Raise InputError for a link and for a file that is too large."""
    if path.is_symlink() or not path.is_file():
        what = "is a link, a folder or a device; name the file itself" if os.path.lexists(path) else "does not exist"
        raise InputError([("", f"{path} {what}")])
    if path.stat().st_size > MOST_BYTES:
        raise InputError([("", f"{path} is larger than {MOST_BYTES:,} bytes; state its figures, such as --steps")])


def _of_json(path: Path) -> Iterator[Taken]:
    """Yield what a JSON file states by the keys of the vocabulary; of the trainer's history, only its last entry."""
    if path.name == NAMES[0]:
        _refuse_unreadable(path)
        yield Taken("config", str(path), path.name)
        return
    text = _text(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise InputError([("", f"{path} is not JSON: {str(problem)[:80]}")]) from None
    if not isinstance(content, dict):
        raise InputError([("", f"{path} is not a JSON object")])
    history = content.get("log_history")
    last = history[-1] if isinstance(history, list) and history and isinstance(history[-1], dict) else {}
    for key, name in _vocabulary()["keys"].items():
        value = content.get(key, last.get(key))
        is_word = name == "base_model" and isinstance(value, str)
        if is_word or (isinstance(value, int | float) and not isinstance(value, bool) and value > 0):
            yield Taken(name, value, f"{path.name}: {key}")


def _of_log(path: Path) -> Iterator[Taken]:
    """Yield the middle of the numbers that the lines of a log after the first state by its patterns."""
    numbers: dict[str, list[float]] = {}
    patterns = [re.compile(pattern) for pattern in _vocabulary()["lines"]]
    _refuse_unreadable(path)
    with path.open(encoding="utf-8", errors="replace") as lines:
        long = (line[:LONGEST_LINE] for line in lines if len(line) > SHORTEST_LINE)
        for match in (found for line in long for pattern in patterns if (found := pattern.search(line))):
            for name, digits in match.groupdict().items():
                if digits and (number := float(digits.replace(",", "").rstrip("."))):
                    is_speed = name == "steps_per_second"
                    values = numbers.setdefault("step_time" if is_speed else name, [])
                    values.append(1 / number if is_speed else number)
    for name, (first, *later) in numbers.items():  # the first step is slow: it compiles and fills caches
        values = sorted(later or [first])
        of = f"median without the first of {len(values) + 1} lines" if later else "1 line"
        yield Taken(name, values[len(values) // 2], f"{path.name}: {of}")
