"""Results on disk: written after each work, beside and then renamed, so that a crash loses at most the work under way."""

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FORMAT = 1
Result = dict[str, Any]


class StoreError(ValueError):
    """Results that cannot be gone on with, in one line."""


class Store:
    """The results of one machine: `environment`, `options`, `results` and `problems` by work's name."""

    def __init__(self, path: Path, environment: Result, options: Result) -> None:
        """Opens the results at this path, or begins them. Raises StoreError where they are no results or another machine's."""
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
                said = f"{key} {before.get(key)}, this machine has {environment.get(key)}; choose another --out"
                raise StoreError(f"{self.path} was measured with {said}")

    @property
    def results(self) -> dict[str, Result]:
        """What was measured, by work's name."""
        found: dict[str, Result] = self.content["results"]
        return found

    @property
    def problems(self) -> dict[str, str]:
        """What could not be measured and why, by work's name."""
        found: dict[str, str] = self.content["problems"]
        return found

    def add(self, name: str, result: Result) -> None:
        """Keeps a result and writes everything; a problem that it had before is over."""
        self.results[name] = result
        self.problems.pop(name, None)
        self.write()

    def add_problem(self, name: str, problem: str) -> None:
        """Keeps one line on what went wrong and writes everything."""
        self.problems[name] = problem
        self.write()

    def write(self) -> None:
        """Writes the results, and beside them the same as a table of names and numbers."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        replace(self.path, json.dumps(self.content, indent=1))
        rows = [(name, key, value) for name, result in self.results.items() for key, value in flat(result)]
        beside = self.path.with_suffix(".csv.new")
        with beside.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("work", "key", "value"))
            writer.writerows(rows)
        os.replace(beside, self.path.with_suffix(".csv"))


def replace(path: Path, text: str) -> None:
    """Writes a file beside its place and renames it, so that there is always a whole one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(text)
    os.replace(beside, path)


def flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Each number or word of a result with its path.

    >>> list(flat({"step": {"wall": [1.5, 2.0]}, "batch": 4}))
    [('step.wall.0', 1.5), ('step.wall.1', 2.0), ('batch', 4)]
    """
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else None
    if inside is None:
        yield key, value
        return
    for name, each in inside:
        yield from flat(each, f"{key}.{name}" if key else str(name))


def _read(path: Path) -> Result:
    try:
        content = json.loads(path.read_text())
    except ValueError as problem:
        raise StoreError(f"{path} is not JSON ({problem}); move it away or choose another --out") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise StoreError(f"{path} holds no results of this harness; choose another --out")
    return content
