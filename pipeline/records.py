"""Hand-written records: YAML to facts, with file and line; checks across records. All mistakes are collected, then raised once."""

import math
import re
import types
import typing
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, TypeAdapter, ValidationError

from pipeline import evidence, yaml_text
from pipeline.architectures import nearest, placed_layers
from pipeline.architectures.network import ArchitectureError, Lengths, closest
from pipeline.yaml_text import Mistake
from schemas import records as schema
from schemas.records import Architecture, Chip, Measurement, Model, Phase, Records

TIME_TOLERANCE = 1.2  # chip time and chips x duration, both stated, may differ by this factor
ANOTHER_CHIP = "If it is another, add it to data/records/hardware, or leave chip out for the year's default peak"
COMMA = "; a comma inside {…} starts a new key: put text in quotes and write numbers without commas"


class RecordError(Exception):
    """Everything that is wrong with a set of records."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = sorted(set(mistakes))
        super().__init__("\n".join(map(str, self.mistakes)))


class Loaded(NamedTuple):
    """A record, or a draft of it where its file is wrong, with the text that knows its lines."""

    kind: str
    identifier: str
    record: Any
    text: yaml_text.Text
    file: str
    wrong: frozenset[str] = frozenset()  # fields that have a mistake of their own

    def is_wrong(self, field: str) -> bool:
        """Whether the shape of this field, or of something in it, is wrong already."""
        return any(wrong == field or wrong.startswith(f"{field}.") for wrong in self.wrong)

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
        loaded.append(found)
    mistakes += _repeated(loaded)
    everything = Records(**{kind: {} for kind in schema.KINDS})
    for each in loaded:
        getattr(everything, each.kind).setdefault(each.identifier, each.record)
    for each in loaded:
        mistakes += [found for found in _Check(each, everything).mistakes() if not each.is_wrong(found.field)]
    if mistakes:
        raise RecordError(mistakes)
    return everything


def _files(paths: Iterable[Path], mistakes: list[Mistake]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.yaml"))
            mistakes += [
                Mistake(str(other), 0, "", "records end in .yaml; rename it") for other in sorted(path.rglob("*.yml"))
            ]
            if not inside:
                mistakes.append(Mistake(str(path), 0, "", "holds no .yaml file"))
            yield from inside
        elif path.exists():
            yield path
        else:
            beside = [str(other) for other in path.parent.glob("*.yaml")] if path.parent.is_dir() else []
            mistakes.append(Mistake(str(path), 0, "", f"does not exist{nearest(str(path), beside) if beside else ''}"))


def _load_one(path: Path) -> tuple[Loaded, list[Mistake]]:
    shown = str(path)
    kind = path.parent.name if path.parent.name in schema.KINDS else "models"
    shape = schema.KINDS[kind]
    text, mistakes = yaml_text.read(path, shown)
    if not schema.IDENTIFIER.fullmatch(path.stem):
        mistakes.append(Mistake(shown, 0, "", f"{path.stem!r} is not an id{_nearest_id(path.stem)}"))
    if text is None:
        return Loaded(kind, path.stem, _draft(shape, {}), yaml_text.NOTHING, shown), mistakes
    try:
        return Loaded(kind, path.stem, shape.model_validate(text.content), text, shown), mistakes
    except ValidationError as problems:
        draft = Loaded(kind, path.stem, _draft(shape, text.content), text, shown)
        mistakes += [_mistake(draft, problem) for problem in _telling(problems.errors(), shape)]
        return draft._replace(wrong=frozenset(mistake.field for mistake in mistakes)), mistakes


def _telling(problems: list[Any], shape: Any) -> Iterator[Any]:
    # A number that is neither of two types is one problem; so is a key that is missing because it is misspelt.
    misspelt = {
        (*steps, closest(str(key), _known_at(shape, tuple(steps))))
        for problem in problems
        if problem["type"] == "extra_forbidden"
        for *steps, key in [problem["loc"]]
    }
    for problem in problems:
        if problem["loc"][-1:] != ("str",) and not (problem["type"] == "missing" and problem["loc"] in misspelt):
            yield problem


def _draft(shape: Any, content: Any) -> Any:
    # What is right in a wrong record, so that the rest can still be compared with the other records: wrong facts are None.
    try:
        return TypeAdapter(shape).validate_python(content)
    except ValidationError:
        pass
    origin, inside = typing.get_origin(shape), typing.get_args(shape)
    if origin in (types.UnionType, typing.Annotated):
        return _draft(inside[0], content)
    if origin is list:
        items = [_draft(inside[0], item) for item in content] if isinstance(content, list) else []
        return [] if None in items else items
    if origin is dict:
        if not isinstance(content, dict) or None in [_draft(inside[0], key) for key in content]:
            return {}
        return {key: _draft(inside[1], item) for key, item in content.items()}
    if not isinstance(shape, type) or not issubclass(shape, BaseModel) or issubclass(shape, schema.Seen):
        return "" if shape is str else None
    given = content if isinstance(content, dict) else {}
    known = {
        name: _draft(typing.Annotated[field.annotation, field], given.get(name))
        if name in given or field.is_required()
        else field.get_default(call_default_factory=True)
        for name, field in shape.model_fields.items()
    }
    others = given if shape.model_config.get("extra") == "allow" else {}
    return shape.model_construct(**{**others, **known})


def _mistake(draft: Loaded, problem: Any) -> Mistake:
    shape, steps, given, kind = schema.KINDS[draft.kind], problem["loc"], problem["input"], problem["type"]
    if kind == "extra_forbidden":
        hint = COMMA if given is None else nearest(str(steps[-1]), _known_at(shape, steps[:-1]))
        return draft.mistake(steps, f"{str(steps[-1])!r} is not a key here{hint}")
    if kind == "invalid_key":
        line = yaml_text.line_of(draft.text.node, steps)
        return draft.mistake(steps[:-1], f"{str(given)!r} is not a key here{COMMA}")._replace(line=line)
    if kind == "missing":
        return draft.mistake(steps, "is missing")
    if kind == "enum":
        words = [word.strip(" '") for word in problem["ctx"]["expected"].replace(" or ", ", ").split(",")]
        where = steps[:-1] if steps[-1] == "[key]" else steps
        return draft.mistake(where, f"{given!r} is not a word for this{nearest(given, words)}")
    if kind in {"model_type", "dict_type"}:
        return draft.mistake(steps, f"is an object such as {_example(_shapes_at(shape, steps))}, not {_shown(given)}")
    if kind == "list_type":
        return draft.mistake(steps, f"is a list, each entry of which begins with a dash, not {_shown(given)}")
    if kind in {"too_short", "string_too_short"}:
        return draft.mistake(steps, "is empty; state at least one" if kind == "too_short" else "is empty")
    if kind == "string_pattern_mismatch":
        is_address = problem["ctx"]["pattern"].startswith("^http")
        hint = "; it begins with https://" if is_address else _nearest_id(given)
        return draft.mistake(steps, f"{given!r} is not {'a web address' if is_address else 'an id'}{hint}")
    if kind == "string_type":
        return draft.mistake(steps, f"must be text, not {_shown(given)}")
    if kind in {"float_type", "int_type"}:
        return draft.mistake(steps, f"must be a number, not {_shown(given)}")
    if kind != "record":
        return draft.mistake(steps, f"{problem['msg'].replace('Input should', 'must')}, not {_shown(given)}")
    return draft.mistake(steps, problem["msg"])


def _shown(given: Any) -> str:
    return repr(given) if len(repr(given)) <= 60 else f"{repr(given)[:60]}…"


def _nearest_id(written: str) -> str:
    close = re.sub("[^a-z0-9]+", "-", written.lower()).strip("-")
    return f"; did you mean {close!r}?" if close else "; ids are lower-case words with hyphens, such as gpt-3"


def _shapes_at(model: Any, steps: tuple[str | int, ...]) -> list[type[BaseModel]]:
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
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]


def _known_at(model: Any, steps: tuple[str | int, ...]) -> list[str]:
    return [name for shape in _shapes_at(model, steps) for name in shape.model_fields]


def _example(shapes: list[type[BaseModel]]) -> str:
    for shape in shapes:
        needed = [name for name, field in shape.model_fields.items() if field.is_required()]
        names = ["value", "source"] if "value" in shape.model_fields else needed or list(shape.model_fields)[:2]
        return f"{{{', '.join(f'{name}: …' for name in names)}}}"
    return "{name: …}"


def _repeated(loaded: list[Loaded]) -> Iterator[Mistake]:
    seen: dict[tuple[str, str], Loaded] = {}
    names: dict[str, Loaded] = {}
    for each in loaded:
        other = seen.setdefault((each.kind, each.identifier), each)
        if other is not each:
            yield Mistake(each.file, 1, "", f"{each.identifier!r} is already the id of {other.file}; ids are unique")
        if isinstance(each.record, Chip):
            for name in {each.identifier, each.record.name, *each.record.aliases} - {""}:
                other = names.setdefault(name.lower(), each)
                if other.identifier != each.identifier:
                    field = "aliases" if name in each.record.aliases else "name"
                    yield each.mistake((field,), f"{name!r} is already a name of {other.identifier}")


class _Check:
    """What one record must keep with regard to itself and to all others."""

    def __init__(self, loaded: Loaded, records: Records) -> None:
        self.loaded, self.record, self.records = loaded, loaded.record, records
        self.chips = records.chip_ids()

    def mistakes(self) -> Iterator[Mistake]:
        """All mistakes of the record."""
        yield from self._sources(self.loaded.text.content)
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
        elif erratum.corrected_value and not math.isclose(result, erratum.corrected_value.amount, rel_tol=5e-3):
            yield self._say(f"the factors give {result:.6g}, not {erratum.corrected_value.written}", "corrected_value")

    def _say(self, message: str, *steps: str | int) -> Mistake:
        return self.loaded.mistake(steps, message)

    def _sources(self, content: Any, *steps: str | int) -> Iterator[Mistake]:
        known = self.loaded.text.content.get("sources")
        entries = content.items() if isinstance(content, dict) else enumerate(content)
        for step, inside in entries:
            if isinstance(inside, dict | list):
                yield from self._sources(inside, *steps, step)
            elif (
                step == "source"
                and isinstance(inside, str)
                and isinstance(known, dict)
                and known
                and inside not in known
            ):
                message = f"{inside!r} is not one of this record's sources{nearest(inside, map(str, known))}"
                yield self._say(message, *steps, step)

    def _evidence(self) -> Iterator[Mistake]:
        for path, fact in schema.facts(self.record):
            doubt = evidence.doubt(fact)
            if doubt:
                yield self._say(doubt, *_steps(path))
        if isinstance(self.record, Model) and self.record.architecture:
            yield from self._covered(self.record.architecture, ("architecture",))
        if isinstance(self.record, Measurement):
            for name, architecture in self.record.architectures.items():
                yield from self._covered(architecture, ("architectures", name))

    def _covered(self, architecture: Architecture, steps: tuple[str | int, ...]) -> Iterator[Mistake]:
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
            if phase.phase and phase.phase in phases[:index]:
                yield self._say(
                    f"{phase.phase!r} is already the name of phase {phases.index(phase.phase)}",
                    "training",
                    index,
                    "phase",
                )
            yield from self._phase(model, phase, index)
        if model.architecture is not None:
            for index, phase in enumerate(model.training):
                long = Lengths(*phase.sequence_lengths)
                yield from self._counted(model.architecture, long, ("architecture",), ("training", index))
            if not model.training:
                yield from self._counted(model.architecture, Lengths(), ("architecture",), ())

    def _base(self, model: Model) -> Iterator[Mistake]:
        base, chain = model.base_model, [self.loaded.identifier]
        if base is not None and base not in self.records.models:
            others = [other for other in self.records.models if other != self.loaded.identifier]
            yield self._say(f"{base!r} is not a model{nearest(base, others)}", "base_model")
        while base in self.records.models and base not in chain:
            chain.append(base)
            base = self.records.models[base].base_model
        if base == self.loaded.identifier:
            yield self._say(f"base models go in a circle: {' -> '.join([*chain, base])}", "base_model")

    def _phase(self, model: Model, phase: Phase, index: int) -> Iterator[Mistake]:
        for place, allocation in enumerate(phase.hardware):
            steps = ("training", index, "hardware", place)
            if allocation.chip is None:
                continue
            chip = self._chip(allocation.chip.value)
            if chip is None:
                yield self._unknown_chip(allocation.chip.value, *steps, "chip")
                continue
            released = chip.released.value if chip.released else ""
            if released[: len(model.published)] > model.published[: len(released)]:
                yield self._say(
                    f"{chip.name} was released on {released}, after the model of {model.published}", *steps, "chip"
                )
            if phase.precision and chip.peaks and phase.precision.value not in chip.peaks:
                yield self._no_peak(chip, phase.precision.value, "training", index, "precision")
            if (
                allocation.chip_time
                and allocation.chip_time.amount_unit == "core_second"
                and chip.cores_per_chip is None
            ):
                yield self._say(f"counts cores, but {chip.name} states no cores_per_chip", *steps, "chip_time")
            yield from self._time(allocation, chip, steps)

    def _time(self, allocation: schema.Allocation, chip: Chip, steps: tuple[str | int, ...]) -> Iterator[Mistake]:
        if not (allocation.chip_time and allocation.chips and allocation.duration):
            return
        cores = chip.cores_per_chip.amount if chip.cores_per_chip else 1.0
        stated = allocation.chip_time.amount / (cores if allocation.chip_time.amount_unit == "core_second" else 1.0)
        product = allocation.chips.amount * allocation.duration.amount
        if not 1 / TIME_TOLERANCE < stated / product < TIME_TOLERANCE:
            yield self._say(
                f"{allocation.chip_time.written} and chips x duration ({product / 86400:.6g} chip_day) contradict each other; "
                "keep the one that the source states",
                *steps,
                "chip_time",
            )

    def _measurement(self, measurement: Measurement) -> Iterator[Mistake]:
        names = [row.row for row in measurement.rows]
        for index, row in enumerate(measurement.rows):
            steps = ("rows", index)
            if row.row and row.row in names[:index]:
                yield self._say(f"{row.row!r} is already the name of row {names.index(row.row)}", *steps, "row")
            chip = self._chip(row.chip)
            if chip is None:
                yield self._unknown_chip(row.chip, *steps, "chip")
            elif row.precision and chip.peaks and row.precision not in chip.peaks:
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
            long = Lengths(*row.sequence_lengths)
            yield from self._counted(architecture, long, self._own(measurement, row.architecture), steps)
            if row.throughput and row.throughput.amount_unit == "token_per_second" and row.sequence_length is None:
                yield self._say("tokens a second need a sequence_length", *steps, "sequence_length")
        for name in set(measurement.architectures) - {row.architecture for row in measurement.rows}:
            yield from self._counted(measurement.architectures[name], Lengths(), ("architectures", name), ())

    def _own(self, measurement: Measurement, name: str) -> tuple[str, ...]:
        return ("architectures", name) if name in measurement.architectures else ()

    def _chip(self, spelling: str) -> Chip | None:
        return self.records.hardware.get(self.chips.get(spelling.lower(), ""))

    def _unknown_chip(self, spelling: str, *steps: str | int) -> Mistake:
        near = get_close_matches(spelling.lower(), self.chips, n=10, cutoff=0.5)
        if not near:
            return self._say(f"{spelling!r} is not a chip or alias{nearest(spelling, self.records.hardware)}", *steps)
        number = re.findall(r"\d+", spelling)[:1]
        same = [name for name in near if re.findall(r"\d+", name)[:1] == number]
        said = f"{spelling!r} is not a chip or alias; did you mean {self.chips[(same or near)[0]]!r}?"
        # An RTX 4090 need not be a misspelt RTX 3090.
        return self._say(said if same else f"{said} {ANOTHER_CHIP}", *steps)

    def _no_peak(self, chip: Chip, precision: str, *steps: str | int) -> Mistake:
        return self._say(f"{chip.name} has no {precision} peak; it has {', '.join(chip.peaks)}", *steps)

    def _counted(
        self, architecture: Architecture, long: Lengths, steps: tuple[str, ...], long_steps: tuple[str | int, ...]
    ) -> Iterator[Mistake]:
        # Problems of the architecture stand at `steps`, absent lengths at `long_steps`; without a place they are not this record's.
        try:
            placed_layers(architecture.settings, long)
        except ArchitectureError as first:
            for problem in (first, *first.others):
                is_length = problem.key in ("sequence_length", "target_length")
                place = long_steps if is_length else steps
                inner: tuple[str | int, ...] = () if problem.key is None else (problem.key,)
                if isinstance(problem.key, int):
                    inner = ("layers", problem.key) if architecture.family == "layers" else ()
                elif (
                    architecture.family == "hugging_face" and not is_length and problem.key not in architecture.settings
                ):
                    inner = ("config", problem.key) if problem.key else ("config",)
                if place:
                    yield self._say(str(problem), *place, *inner)


def _steps(path: str) -> tuple[str | int, ...]:
    parts: list[str | int] = []
    for part in path.replace("]", "").replace("[", ".").split("."):
        parts.append(int(part) if part.isdigit() else part)
    return tuple(parts)
