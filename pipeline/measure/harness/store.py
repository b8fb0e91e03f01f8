"""Results on disk, written after each task, so that a crash loses at most the task under way."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.paths import replace_file

FORMAT = 1
Result = dict[str, Any]


class StoreError(ValueError):
    """Results that cannot be continued, in one line."""


class Store:
    """The results of one machine: `environment`, `options`, and `results` and `problems` by the task's name."""

    def __init__(self, path: Path, environment: Result, options: Result) -> None:
        """Opens the results at this path, or begins new ones. Raises StoreError for another kind of file and another machine's."""
        self.path = path
        self.content: Result = {
            "format": FORMAT, "environment": environment, "options": options, "results": {}, "problems": {},
        }  # fmt: skip
        if path.exists():
            self.content = {**_read(path), "options": options}
            self._refuse_another(environment)

    def _refuse_another(self, environment: Result) -> None:
        before = self.content["environment"]
        for key in ("device_name", "torch", "cuda"):
            if before.get(key) != environment.get(key):
                raise StoreError(
                    f"{self.path} was measured with {key} {before.get(key)}, this machine has {environment.get(key)};"
                    " choose another --out"
                )

    @property
    def results(self) -> dict[str, Result]:
        """What was measured, by the task's name."""
        results: dict[str, Result] = self.content["results"]
        return results

    @property
    def problems(self) -> dict[str, str]:
        """What could not be measured and why, by the task's name."""
        problems: dict[str, str] = self.content["problems"]
        return problems

    def add(self, name: str, result: Result) -> None:
        """Keeps a result and writes everything; a problem of the same task is removed."""
        self.results[name] = result
        self.problems.pop(name, None)
        self.write()

    def add_problem(self, name: str, problem: str) -> None:
        """Keeps a problem in one line and writes everything."""
        self.problems[name] = problem
        self.write()

    def write(self) -> None:
        """Writes the results, and the same as a table of names and numbers, each as a whole file or not at all."""
        write_text(self.path, json.dumps(self.content, indent=1))
        replace_file(self.path.with_suffix(".csv"), self._write_table)

    def _write_table(self, path: Path) -> None:
        with path.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("task", "key", "value"))
            for name, result in self.results.items():
                writer.writerows((name, key, value) for key, value in flat(result))


def write_text(path: Path, text: str) -> None:
    """Writes a file as a whole or not at all, in a folder that need not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, lambda beside: beside.write_text(text))


def flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Each number or text of a result with its path.

    >>> list(flat({"step": {"wall": [1.5, 2.0]}, "batch": 4}))
    [('step.wall.0', 1.5), ('step.wall.1', 2.0), ('batch', 4)]
    """
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else None
    if inside is None:
        yield key, value
        return
    for name, inner in inside:
        yield from flat(inner, f"{key}.{name}" if key else str(name))


def _read(path: Path) -> Result:
    try:
        content = json.loads(path.read_text())
    except ValueError as problem:
        raise StoreError(f"{path} is not JSON ({problem}); move it away or choose another --out") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise StoreError(f"{path} holds no results of this harness; choose another --out")
    return content
