"""Comparison of two releases: every published value that moved, by how much, and through which input.

Models added and gone.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import yaml

from pipeline.publishing.releases import KEYS, Release

# Keys of a record that change no estimate: evidence, and values that are only compared.
ASIDE = set(
    "sources quotes quote source via derived note evidence reviewed external_estimates missing aliases rejected"
    " text read second_reading checked".split()  # the last line: keys of former releases
)
AMOUNT = ("value", "low", "high")
MOST_NAMED = 3  # records named for one value that moved

METHODS = ("headline_method", "reported_flop", "operation_count_flop", "gpu_time_informed_flop")
MADE_FROM = {
    "training_flop": METHODS,
    "training_flop_low": METHODS,
    "training_flop_high": METHODS,
    "gpu_time_informed_flop": ("gpu_time_flop", "utilization_fraction"),
    "method_ratio": ("operation_count_flop", "gpu_time_flop"),
    "is_disputed": ("method_ratio",),
    "dispute_cause": ("method_ratio",),
    "implied_utilization_fraction": ("operation_count_flop", "gpu_time_flop"),
    "operation_count_flop": ("operation_count_basis",),
    "gpu_time_flop": ("hardware", "hardware_basis", "precision", "precision_basis"),
    "utilization_fraction": ("utilization_basis", "precision", "hardware"),
    "energy_kwh": ("chip_hours", "hardware", "parent_organization"),
    "energy_kwh_low": ("energy_kwh",),
    "energy_kwh_high": ("energy_kwh",),
    "cost_usd": ("energy_kwh", "chip_hours", "hardware", "cost_basis"),
    "cost_usd_low": ("cost_usd",),
    "cost_usd_high": ("cost_usd",),
    "cost_basis": ("chip_hours", "hardware"),
    "co2_kg": ("energy_kwh", "country"),
    "co2_kg_low": ("co2_kg",),
    "co2_kg_high": ("co2_kg",),
}
OPERATIONS = re.compile(
    r"(active_)?parameters|forward_flop|connections|network|architecture|training\[\d+\]"
    r"(\.(example_unit|examples|epochs|steps|batch|\w+_length|architecture|is_forward_only|has_frozen_weights)|$)"
)
GPU_TIME = re.compile(r"organization_kind|published|training\[\d+\](\.(hardware|precision|framework|timed_with)|$)")
FACTS = {
    "operation_count_flop": OPERATIONS,
    "operation_count_basis": OPERATIONS,
    **dict.fromkeys(("gpu_time_flop", "hardware", "hardware_basis", "precision", "precision_basis"), GPU_TIME),
    "headline_method": re.compile("reported_flop"),
    **dict.fromkeys(("utilization_fraction", "utilization_basis"), re.compile(r"training\[\d+\]\.utilization")),
}
# Records by folder, other than the model's own, that a value depends on.
ELSEWHERE = {
    "reported_flop": ("errata",),
    "headline_method": ("errata", "defaults"),
    "operation_count_flop": ("defaults",),
    "gpu_time_flop": ("hardware", "defaults"),
    "utilization_fraction": ("measurements", "hardware", "defaults"),
    "training_flop_low": ("defaults",),  # spreads
    "training_flop_high": ("defaults",),
    "energy_kwh": ("energy", "hardware"),
    **dict.fromkeys(("cost_usd", "cost_basis"), ("hardware_prices", "energy", "hardware")),
    "co2_kg": ("grid_factors", "energy"),
}
OF_ENERGY = (
    "defaults/chip-load",
    "defaults/facility-overhead",
    "defaults/cost",
    "defaults/electricity-price",
    "defaults/grid-spread",
    "defaults/price-index",
    "defaults/price-terms",
    "defaults/water-use",
)  # the folder "energy" here: defaults that no FLOP depends on
COLUMNS = ("table", "id", "column", "before", "after", "change_fraction", "through")
LONGEST_SHOWN = 60  # characters of a record's value


class Move(NamedTuple):
    """A published value that moved; empty text is unknown, `change_fraction` is after / before - 1."""

    table: str
    id: str
    column: str
    before: str
    after: str
    change_fraction: float | None
    through: list[str]

    @property
    def cells(self) -> list[Any]:
        """All columns but the last, as they are shown: numbers where they are some, None where nothing is known."""
        change = None if self.change_fraction is None else float(f"{self.change_fraction:.4g}")
        return [self.table, self.id, self.column, _cell(self.before), _cell(self.after), change]

    @property
    def size(self) -> float:
        """Absolute relative change; infinite for a value that appeared, vanished or is no number."""
        return float("inf") if self.change_fraction is None else abs(self.change_fraction)

    @property
    def is_of_numbers(self) -> bool:
        """Whether either side is a number."""
        return number(self.before) is not None or number(self.after) is not None


def number(text: str) -> float | None:
    """The number that a published cell shows, None for words and where it is empty."""
    try:
        return float(text)
    except ValueError:
        return None


class Comparison:
    """What moved from one release to another."""

    def __init__(self, old: Release, new: Release) -> None:
        self.old, self.new = old, new

        # Models, and columns (`table.column`) of tables that both have, that only the new release has, or only the old.
        models = [release.tables["estimates"].keys() for release in (old, new)]
        self.added, self.gone = sorted(models[1] - models[0]), sorted(models[0] - models[1])
        both = old.tables.keys() & new.tables.keys()
        columns = [
            {f"{table}.{name}" for table in both for row in release.tables[table].values() for name in row}
            for release in (old, new)
        ]
        self.columns_added, self.columns_gone = sorted(columns[1] - columns[0]), sorted(columns[0] - columns[1])

    def moves(self, least: float = 0.0) -> list[Move]:
        """Values that moved by at least this fraction; with a fraction above 0, numbers only."""
        moves = (
            self._move(table, key, column)
            for table, rows in self._pairs.items()
            for key, row in sorted(rows.items())
            for column in row
        )
        return [move for move in moves if least == 0 or (move.is_of_numbers and move.size >= least)]

    @cached_property
    def _pairs(self) -> dict[str, dict[str, dict[str, tuple[str, str]]]]:
        # Columns that only one of them has are no moves: `columns_added` and `columns_gone` list them.
        pairs: dict[str, dict[str, dict[str, tuple[str, str]]]] = {}
        for table in (table for table in self.old.tables if table in self.new.tables):
            old_rows, new_rows = self.old.tables[table], self.new.tables[table]
            rows = {key: _moved(old_rows[key], new_rows[key]) for key in old_rows.keys() & new_rows.keys()}
            pairs[table] = {key: moved for key, moved in rows.items() if moved}
        return pairs

    def _move(self, table: str, key: str, column: str) -> Move:
        before, after = self._pairs[table][key][column]
        first, last = number(before), number(after)
        change = last / first - 1 if first and last is not None else None
        return Move(table, key, column, before, after, change, self._through(table, key, column))

    def _through(self, table: str, key: str, column: str) -> list[str]:
        if table != "estimates":
            return self._elsewhere("measurements", "hardware", "defaults")
        return list(dict.fromkeys(self._reasons(key, column))) or self._unexplained(column)

    def _reasons(self, key: str, column: str) -> Iterator[str]:
        moved = self._pairs["estimates"].get(key, {})
        reasons = []
        for source in MADE_FROM.get(column, ()):
            if source in moved:
                reasons += [_named(source, *moved[source]), *self._reasons(key, source)]
        base = self.new.bases.get(key, "")
        if column in self._pairs["estimates"].get(base, {}):
            reasons.append(f"{column} of {base}, its base model")
        wanted = FACTS.get(column, re.compile(rf"{column}\b"))
        for path, (before, after) in self.inputs.get(f"models/{key}", {}).items():
            if wanted.match(path):
                reasons.append(f"{path}: {_short(before)} -> {_short(after)}")
        yield from reasons or self._elsewhere(*ELSEWHERE.get(column, ()), row=key)

    @cached_property
    def inputs(self) -> dict[str, dict[str, tuple[str, str]]]:
        """Changes in records, by folder and id, then by path.

        Empty where the releases have neither both records nor both facts.
        """
        old, new = self.old, self.new
        if old.records is not None and new.records is not None:
            names = [name for name in {**old.records, **new.records} if old.records.get(name) != new.records.get(name)]
            pairs = {name: (_leaves(old.records.get(name)), _leaves(new.records.get(name))) for name in names}
        else:
            known = {**(old.facts or {}), **(new.facts or {})} if self.has_inputs else {}
            pairs = {name: ((old.facts or {}).get(name, {}), (new.facts or {}).get(name, {})) for name in known}
        return {name: moved for name, (before, after) in sorted(pairs.items()) if (moved := _changed(before, after))}

    @property
    def has_inputs(self) -> bool:
        """Whether both have records, or both have facts, so that inputs can be compared."""
        has_records = self.old.records is not None and self.new.records is not None
        return has_records or (self.old.facts is not None and self.new.facts is not None)

    def _elsewhere(self, *folders: str, row: str | None = None) -> list[str]:
        chips = self.new.tables["estimates"][row].get("hardware", "").split(" + ") if row else None
        changed = []
        for folder in folders:
            names = [name for name in self.inputs if name.startswith(f"{folder}/") and name not in OF_ENERGY]
            if folder == "energy":
                names = [name for name in self.inputs if name in OF_ENERGY]
            if folder == "hardware" and chips is not None:
                names = [name for name in names if name.removeprefix("hardware/") in chips]
            if folder == "errata":
                names = [name for name in names if self._is_erratum_of(name, row or "")]
            more = f"{len(names) - MOST_NAMED} more of {folder}"
            changed += names[:MOST_NAMED] + ([more] if len(names) > MOST_NAMED else [])
        return changed

    def _is_erratum_of(self, name: str, model: str) -> bool:
        texts = [(release.records or {}).get(name, "") for release in (self.old, self.new)]
        stated = any(re.search(rf"^model: *{model}$", text, re.MULTILINE) for text in texts)
        return stated or name.startswith(f"errata/{model}")  # a database lacks the erratum's model

    def _unexplained(self, column: str) -> list[str]:
        is_estimated = column.endswith(("_flop", "_low", "_high", "_fraction", "_method", "_ratio", "_cause"))
        if not (self.has_inputs and is_estimated):
            return []
        is_params = None not in (self.old.params, self.new.params) and self.old.params != self.new.params
        return ["params.yaml, or the method" if is_params else "the method: no record of it moved"]

    def rows(self, least: float = 0.0) -> list[list[Any]]:
        """One row a value, with the columns COLUMNS; models that were added or removed come first."""
        added = [Move("estimates", key, *self.headlines(key), None, ["model added"]) for key in self.added]
        gone = [Move("estimates", key, *self.headlines(key), None, ["model gone"]) for key in self.gone]
        return [[*move.cells, "; ".join(move.through) or None] for move in (*added, *gone, *self.moves(least))]

    def headlines(self, model: str) -> tuple[str, str, str]:
        """The column of the headline, and what each release has there; empty where it lacks the model."""
        before, after = (release.tables["estimates"].get(model, {}) for release in (self.old, self.new))
        return "training_flop", before.get("training_flop", ""), after.get("training_flop", "")

    def as_json(self, least: float = 0.0) -> str:
        """The same as JSON; null is unknown."""
        moves = [dict(zip(COLUMNS, (*move.cells, move.through), strict=True)) for move in self.moves(least)]
        whole = {
            "old": self.old.name,
            "new": self.new.name,
            "added": self.added,
            "gone": self.gone,
            "columns_added": self.columns_added,
            "columns_gone": self.columns_gone,
            "moved": moves,
        }
        return json.dumps(whole, indent=2, ensure_ascii=False)

    def summary(self, least: float = 0.0) -> Iterator[str]:
        """A summary of the comparison, one line each: numbers of moves, changed columns, missing inputs."""
        moves = self.moves(least)
        models, cells = (len({move.id for move in moves if move.table == table}) for table in KEYS)
        yield (
            f"{self.old.name} -> {self.new.name}: {len(moves)} values moved, of {models} models and {cells} cases of utilization;"
            f" {len(self.added)} models added, {len(self.gone)} gone"
        )
        for which, columns in (("added", self.columns_added), ("gone", self.columns_gone)):
            if columns:
                yield f"columns {which}: {', '.join(columns)}"
        if not self.has_inputs:
            yield "they have no records or facts alike, so `through` names published columns alone"


def _moved(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (old, after[name]) for name, old in before.items() if name in after and old != after[name]}


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    paths = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return {path: (before.get(path, "absent"), after.get(path, "absent")) for path in paths if not _is_aside(path)}


def _is_aside(path: str) -> bool:
    return not ASIDE.isdisjoint(re.split(r"[.\[]", path))


def _leaves(text: str | None) -> dict[str, str]:
    """Every value of a record as it is written, by its path as in the table `facts`.

    Empty for a text that is no YAML.
    """
    try:
        return dict(_walk(yaml.load(text, Loader=yaml.CBaseLoader), "")) if text else {}
    except yaml.YAMLError:
        return {}


def _walk(content: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(content, dict) and ("value" in content or "low" in content):
        yield path, str(content.get("value", f"{content.get('low')} to {content.get('high')}"))
    if isinstance(content, dict):
        for key, inner in content.items():
            if key not in ASIDE and key not in AMOUNT:
                yield from _walk(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(content, list) and "architecture" not in path:
        for place, inner in enumerate(content):
            yield from _walk(inner, f"{path}[{place}]")
    else:
        yield path, content if isinstance(content, str) else json.dumps(content)


def _named(column: str, before: str, after: str) -> str:
    is_word = number(before) is None and number(after) is None
    return f"{column}: {before or 'unknown'} -> {after or 'unknown'}" if is_word else column


def _short(written: str) -> str:
    return written if len(written) <= LONGEST_SHOWN else f"{written[:LONGEST_SHOWN]}…"


def _cell(text: str) -> float | str | None:
    value = number(text)
    return value if value is not None else text or None
