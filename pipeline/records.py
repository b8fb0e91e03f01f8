"""Hand-written records: YAML to facts, with file and line; checks across records. All mistakes are collected, then raised once."""

import math
import types
import typing
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from pipeline import evidence, yaml_text
from pipeline.architectures import nearest, placed_layers
from pipeline.architectures.network import ArchitectureError, Lengths
from pipeline.yaml_text import Mistake
from schemas import records as schema
from schemas.records import Architecture, Chip, Measurement, Model, Phase, Records


class RecordError(Exception):
    """Everything that is wrong with a set of records."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = sorted(set(mistakes))
        super().__init__("\n".join(map(str, self.mistakes)))


class Loaded(NamedTuple):
    """A record with the text that knows its lines."""

    kind: str
    identifier: str
    record: Any
    text: yaml_text.Text
    file: str

    def mistake(self, steps: tuple[str | int, ...], message: str) -> Mistake:
        """A mistake at this place of the record."""
        line = yaml_text.line_of(self.text.node, steps)
        return Mistake(self.file, line, yaml_text.written_path(self.text.content, steps), message)


def load(paths: Iterable[Path], among: Iterable[Path] = ()) -> Records:
    """The records of these files and folders together with those of `among`, such as the ledger's own, all checked.

    A file's kind is the name of its folder (models, hardware, …), anywhere else it is a model. Raises RecordError.
    """
    loaded: list[Loaded] = []
    mistakes: list[Mistake] = []
    seen: set[Path] = set()
    for path in _files([*among, *paths], mistakes):
        if path.resolve() in seen:
            continue
        seen.add(path.resolve())
        found, problems = _load_one(path)
        mistakes += problems
        if found:
            loaded.append(found)
    mistakes += _repeated(loaded)
    everything = Records(**{kind: {} for kind in schema.KINDS})
    for each in loaded:
        getattr(everything, each.kind).setdefault(each.identifier, each.record)
    for each in loaded:
        mistakes += _Check(each, everything).mistakes()
    if mistakes:
        raise RecordError(mistakes)
    return everything


def _files(paths: Iterable[Path], mistakes: list[Mistake]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.suffix in {".yaml", ".yml"})
            if not inside:
                mistakes.append(Mistake(str(path), 0, "", "holds no .yaml file"))
            yield from inside
        elif path.exists():
            yield path
        else:
            beside = [str(other) for other in path.parent.glob("*.yaml")] if path.parent.is_dir() else []
            mistakes.append(Mistake(str(path), 0, "", f"does not exist{nearest(str(path), beside) if beside else ''}"))


def _load_one(path: Path) -> tuple[Loaded | None, list[Mistake]]:
    shown = str(path)
    kind = path.parent.name if path.parent.name in schema.KINDS else "models"
    text, mistakes = yaml_text.read(path, shown)
    if text is None:
        return None, mistakes
    if not schema.IDENTIFIER.fullmatch(path.stem):
        mistakes.append(Mistake(shown, 0, "", f"{path.stem!r} is not an id; ids are kebab-case, such as gpt-3"))
    try:
        record = schema.KINDS[kind].model_validate(text.content)
    except ValidationError as problems:
        draft = Loaded(kind, path.stem, None, text, shown)
        return None, mistakes + [_mistake(draft, problem) for problem in problems.errors()]
    return Loaded(kind, path.stem, record, text, shown), mistakes


def _mistake(draft: Loaded, problem: Any) -> Mistake:
    steps, given, kind = problem["loc"], problem["input"], problem["type"]
    if kind == "extra_forbidden":
        known = _fields_at(schema.KINDS[draft.kind], steps[:-1])
        hint = (
            "; a comma inside {…} starts a new key: put the text in quotes"
            if given is None
            else nearest(str(steps[-1]), known)
        )
        return draft.mistake(steps, f"{str(steps[-1])!r} is not a key here{hint}")
    if kind == "missing":
        return draft.mistake(steps[:-1], f"needs {steps[-1]}")
    if kind == "enum":
        words = [word.strip(" '") for word in problem["ctx"]["expected"].replace(" or ", ", ").split(",")]
        return draft.mistake(steps, f"{given!r} is not a word for this{nearest(given, words)}")
    if kind in {"model_type", "dict_type"}:
        return draft.mistake(steps, f"is an object such as {{value: …, source: …}}, not {given!r}"[:200])
    if kind == "string_pattern_mismatch":
        return draft.mistake(steps, f"{given!r} does not have the form {problem['ctx']['pattern']}")
    if kind == "string_type":
        return draft.mistake(steps, f"must be text, not {given!r}")
    if kind in {"float_type", "int_type"}:
        return draft.mistake(steps, f"must be a number, not {given!r}")
    return draft.mistake(steps, problem["msg"].removeprefix("Value error, "))


def _fields_at(model: Any, steps: tuple[str | int, ...]) -> list[str]:
    for step in steps:
        candidates = [model] if not isinstance(model, types.UnionType) else list(typing.get_args(model))
        found: Any = None
        for candidate in candidates:
            origin = typing.get_origin(candidate)
            if isinstance(candidate, type) and issubclass(candidate, BaseModel) and step in candidate.model_fields:
                found = candidate.model_fields[str(step)].annotation
            elif origin in (list, dict):
                found = typing.get_args(candidate)[-1]
        model = found if found is not None else model
    kinds = [model] if not isinstance(model, types.UnionType) else typing.get_args(model)
    return [
        name for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel) for name in kind.model_fields
    ]


def _repeated(loaded: list[Loaded]) -> Iterator[Mistake]:
    seen: dict[tuple[str, str], Loaded] = {}
    names: dict[str, Loaded] = {}
    for each in loaded:
        other = seen.setdefault((each.kind, each.identifier), each)
        if other is not each:
            yield Mistake(each.file, 1, "", f"{each.identifier!r} is already the id of {other.file}; ids are unique")
        if isinstance(each.record, Chip):
            for name in {each.record.name, *each.record.aliases}:
                other = names.setdefault(name.lower(), each)
                if other is not each:
                    yield each.mistake(("aliases",), f"{name!r} is already a name of {other.identifier}")


class _Check:
    """What one record must keep with regard to itself and to all others."""

    def __init__(self, loaded: Loaded, records: Records) -> None:
        self.loaded, self.record, self.records = loaded, loaded.record, records
        self.chips = records.chip_ids()

    def mistakes(self) -> Iterator[Mistake]:
        """All mistakes of the record."""
        yield from self._evidence()
        if isinstance(self.record, Model):
            yield from self._model(self.record)
        if isinstance(self.record, Measurement):
            yield from self._measurement(self.record)
        if isinstance(self.record, schema.Erratum):
            yield from self._erratum(self.record)

    def _erratum(self, erratum: schema.Erratum) -> Iterator[Mistake]:
        if erratum.model is not None and erratum.model not in self.records.models:
            yield self._say(f"{erratum.model!r} is not a model{nearest(erratum.model, self.records.models)}", "model")
        result = evidence.arithmetic(erratum.factors)
        if result is None:
            yield self._say(f"{erratum.factors!r} is not arithmetic (digits + - * / ** ( ))", "factors")
        elif not math.isclose(result, erratum.corrected_value.amount, rel_tol=5e-3):
            yield self._say(f"the factors give {result:.6g}, not {erratum.corrected_value.written}", "corrected_value")

    def _say(self, message: str, *steps: str | int) -> Mistake:
        return self.loaded.mistake(steps, message)

    def _evidence(self) -> Iterator[Mistake]:
        sources = self.record.sources
        for path, fact in schema.facts(self.record):
            steps = _steps(path)
            if fact.source not in sources:
                yield self._say(
                    f"{fact.source!r} is not one of this record's sources{nearest(fact.source, sources)}", *steps
                )
            doubt = evidence.doubt(fact)
            if doubt:
                yield self._say(doubt, *steps)
        if isinstance(self.record, Model) and self.record.architecture:
            yield from self._covered(self.record.architecture, ("architecture",))
        if isinstance(self.record, Measurement):
            for name, architecture in self.record.architectures.items():
                yield from self._covered(architecture, ("architectures", name))

    def _covered(self, architecture: Architecture, steps: tuple[str | int, ...]) -> Iterator[Mistake]:
        if architecture.source not in self.record.sources:
            known = nearest(architecture.source, self.record.sources)
            yield self._say(f"{architecture.source!r} is not one of this record's sources{known}", *steps, "source")
        for index, each in enumerate(architecture.evidence):
            for key in each.covers:
                if key not in architecture.settings:
                    yield self._say(
                        f"{key!r} is not a key of this architecture{nearest(key, architecture.settings)}",
                        *steps,
                        "evidence",
                        index,
                        "covers",
                    )

    def _model(self, model: Model) -> Iterator[Mistake]:
        yield from self._base(model)
        phases = [phase.phase for phase in model.training]
        for index, phase in enumerate(model.training):
            if phase.phase in phases[:index]:
                yield self._say(
                    f"{phase.phase!r} is already the name of phase {phases.index(phase.phase)}",
                    "training",
                    index,
                    "phase",
                )
            yield from self._phase(model, phase, index)

    def _base(self, model: Model) -> Iterator[Mistake]:
        base, chain = model.base_model, [self.loaded.identifier]
        if base is not None and base not in self.records.models:
            yield self._say(f"{base!r} is not a model{nearest(base, self.records.models)}", "base_model")
        while base is not None and base in self.records.models:
            chain.append(base)
            if base in chain[:-1]:
                yield self._say(f"base models go in a circle: {' -> '.join(chain)}", "base_model")
                return
            base = self.records.models[base].base_model

    def _phase(self, model: Model, phase: Phase, index: int) -> Iterator[Mistake]:
        if model.architecture is not None:
            yield from self._counted(model.architecture, Lengths(*phase.sequence_lengths), ("architecture",))
        for place, allocation in enumerate(phase.hardware):
            steps = ("training", index, "hardware", place)
            if allocation.chip is None:
                continue
            chip = self._chip(allocation.chip.value)
            if chip is None:
                yield self._unknown_chip(allocation.chip.value, *steps, "chip")
                continue
            released = chip.released.value
            if released[: len(model.published)] > model.published[: len(released)]:
                yield self._say(
                    f"{chip.name} was released on {released}, after the model of {model.published}", *steps, "chip"
                )
            if phase.precision and phase.precision.value not in chip.peaks:
                yield self._no_peak(chip, phase.precision.value, "training", index, "precision")
            if (
                allocation.chip_time
                and allocation.chip_time.amount_unit == "core_second"
                and chip.cores_per_chip is None
            ):
                yield self._say(f"counts cores, but {chip.name} states no cores_per_chip", *steps, "chip_time")

    def _measurement(self, measurement: Measurement) -> Iterator[Mistake]:
        names = [row.row for row in measurement.rows]
        for index, row in enumerate(measurement.rows):
            steps = ("rows", index)
            if row.row in names[:index]:
                yield self._say(f"{row.row!r} is already the name of row {names.index(row.row)}", *steps, "row")
            chip = self._chip(row.chip)
            if chip is None:
                yield self._unknown_chip(row.chip, *steps, "chip")
            elif row.precision not in chip.peaks:
                yield self._no_peak(chip, row.precision, *steps, "precision")
            architecture = self.records.measured_architecture(measurement, row.architecture)
            if architecture is None:
                known = [*measurement.architectures, *self.records.models]
                yield self._say(
                    f"{row.architecture!r} is not an architecture{nearest(row.architecture, known)}",
                    *steps,
                    "architecture",
                )
                continue
            yield from self._counted(architecture, Lengths(*row.sequence_lengths), ("architectures", row.architecture))
            if row.throughput and row.throughput.amount_unit == "token_per_second" and row.sequence_length is None:
                yield self._say("tokens a second need a sequence_length", *steps)

    def _chip(self, spelling: str) -> Chip | None:
        return self.records.hardware.get(self.chips.get(spelling.lower(), ""))

    def _unknown_chip(self, spelling: str, *steps: str | int) -> Mistake:
        close = get_close_matches(spelling.lower(), self.chips, n=1, cutoff=0.5)
        hint = f"; did you mean {self.chips[close[0]]!r}?" if close else nearest(spelling, self.records.hardware)
        return self._say(f"{spelling!r} is not a chip or alias{hint}", *steps)

    def _no_peak(self, chip: Chip, precision: str, *steps: str | int) -> Mistake:
        return self._say(f"{chip.name} has no {precision} peak; it has {', '.join(chip.peaks)}", *steps)

    def _counted(self, architecture: Architecture, long: Lengths, steps: tuple[str | int, ...]) -> Iterator[Mistake]:
        try:
            placed_layers(architecture.settings, long)
        except ArchitectureError as problem:
            inner = ("layers", problem.key) if isinstance(problem.key, int) else (problem.key,) if problem.key else ()
            yield self._say(str(problem), *steps, *inner)


def _steps(path: str) -> tuple[str | int, ...]:
    parts: list[str | int] = []
    for part in path.replace("]", "").replace("[", ".").split("."):
        parts.append(int(part) if part.isdigit() else part)
    return tuple(parts)
