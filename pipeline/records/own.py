"""The record of a user's own model, from the few figures that its user states.

What these leave open is filled, and said.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError

from pipeline.architectures.network import Lengths
from pipeline.base.paths import RECORDS
from pipeline.records import loading
from pipeline.records.shape_mistakes import nearest_id
from schemas import facts
from schemas.records import IDENTIFIER, Model, Phase, Records
from schemas.shorthand import ShorthandError, ends
from schemas.spelling import Spellings, chosen, spellings
from schemas.vocabulary import Accounting, Domain, ExampleUnit, OrganizationKind, ParameterNetwork, Precision, Scope

Amount = str | float | tuple[float, float]
MOST_TOKENS_A_STEP = 1e9  # a batch in tokens that is given as one in sequences would be more
HEADER = (
    "# Written by `flopledger estimate`; the figures are your own. `flopledger estimate {file}` estimates it again,\n"
    "# `flopledger validate {file}` checks it after a change.\n"
)


class InputError(ValueError):
    """Everything that is wrong with the figures of a model, a line each, which begins with the figure's name."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{name}: {what}" if name else what for name, what in problems))

    def as_options(self) -> str:
        """The same, with the figures named as options of the command line."""
        return "\n".join(f"--{name.replace('_', '-')}: {what}" if name else what for name, what in self.problems)


@dataclass(frozen=True)
class Inputs:
    """What a user states of a model; None is not stated.

    An amount is a number, text such as 7B or 5..6, or a pair of ends.
    """

    parameters: Amount | None = None
    active_parameters: Amount | None = None  # of a mixture of experts: those that one token uses
    tokens: Amount | None = None  # seen in training; with epochs those of the data set
    images: Amount | None = None  # of the data set, seen so often as epochs says
    epochs: Amount | None = None
    steps: Amount | None = None
    batch: Amount | None = None  # sequences where sequence_length is stated, else tokens; images
    sequence_length: Amount | None = None
    chips: Amount | None = None
    days: Amount | None = None
    chip_hours: Amount | None = None
    hardware: str | None = None
    precision: str | None = None
    utilization: Amount | None = None
    config: str | None = None  # a config.json, or the name of a network
    image_size: int | None = None
    prediction_depth: int | None = None  # modules that predict further tokens, in training
    base_model: str | None = None
    domain: str | None = None
    published: str | None = None
    trained_in: str | None = None  # the country whose grid is taken
    name: str | None = None

    def stated(self) -> dict[str, Any]:
        """Those that are stated, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class Filled(NamedTuple):
    """Something that was not stated, the value taken for it, and why."""

    name: str
    value: str
    reason: str


class Own(NamedTuple):
    """A record as a mapping, as YAML would hold it, and what was filled in it."""

    record: dict[str, Any]
    filled: list[Filled]


# The fact that each amount is in a record, and the unit that is written behind it.
KINDS: dict[str, tuple[type[facts.Fact], str]] = {
    "parameters": (facts.Parameters, ""),
    "active_parameters": (facts.Parameters, ""),
    "tokens": (facts.Count, ""),
    "images": (facts.Count, ""),
    "epochs": (facts.Epochs, ""),
    "steps": (facts.Count, ""),
    "batch": (facts.Count, ""),
    "sequence_length": (facts.Length, ""),
    "chips": (facts.Chips, ""),
    "days": (facts.Duration, "day"),
    "chip_hours": (facts.ChipTime, "chip_hour"),
    "utilization": (facts.Fraction, ""),
}
WORDS: dict[str, tuple[str, Callable[[Records], Any]]] = {
    "hardware": ("a chip of the ledger", lambda records: records.chip_ids()),
    "precision": ("a precision", lambda _: [word.value for word in Precision]),
    "domain": ("a domain", lambda _: [word.value for word in Domain]),
    "trained_in": ("a place whose grid is known", lambda records: records.grid_places()),
    "base_model": ("a model of the ledger", lambda records: model_spellings(records)),
}
TOGETHER = (  # what may not both be stated
    ("days", "chip_hours", "both give the time: state one of them"),
    ("tokens", "images", "examples are of one kind: state one of them"),
)


def made(inputs: Inputs, records: Records, today: date | None = None) -> Own:
    """The record of the stated figures. Raises InputError with everything that is wrong with them.

    `records` need hold no more than names of models and chips; of a base model the ledger's record is read.
    `today` is when the model counts as published where that is not stated: it decides the usual number format, and the
    peak of an unknown chip.
    """
    problems: list[tuple[str, str]] = []
    stated = inputs.stated()
    amounts = dict(_amounts(stated, problems))
    words = dict(_words(stated, records, problems))
    problems += [
        (first, f"is stated beside {_spaced(second)}, and {said}")
        for first, second, said in TOGETHER
        if first in stated and second in stated
    ]
    problems += _alone(stated)
    network = _network(inputs, amounts, problems) if not problems else None
    if problems or network is None:
        raise InputError(problems)
    filled = list(network.filled)
    base = _model(words["base_model"]) if "base_model" in words else None
    if base is not None and not network.keys:
        network = _network_of(base, words["base_model"], amounts)
        filled += network.filled
    unit = _unit(stated, network, base)
    phase: dict[str, Any] = {
        "phase": "fine-tuning" if base else "pretraining",
        "accounting": (Accounting.FINE_TUNING if base else Accounting.PRETRAINING).value,
        "example_unit": unit.value,
        **_data(amounts, stated, unit, filled),
        **({"sequence_length": amounts["sequence_length"]} if "sequence_length" in amounts else network.lengths),
        **({"precision": {"value": words["precision"]}} if "precision" in words else {}),
        **({"utilization": {**amounts["utilization"], "kind": "mfu"}} if "utilization" in amounts else {}),
    }
    hardware = _hardware(amounts, words)
    day = inputs.published or str((today or date.today()).year)
    if inputs.published is None:
        filled.append(Filled("published", day, "this year"))
    record = {
        "name": inputs.name or "My model",
        "stated_by_user": True,
        "organization": "Unnamed organization",
        "organization_kind": OrganizationKind.MIXED.value,
        "published": day,
        "domain": words.get("domain") or _domain(unit, base).value,
        "scope": Scope.SINGLE.value,
        **({"base_model": words["base_model"]} if base else {}),
        **{name: amounts[name] for name in ("parameters", "active_parameters") if name in amounts},
        **({"trained_in": {"value": words["trained_in"]}} if "trained_in" in words else {}),
        **network.keys,
        "training": [{**phase, **({"hardware": [hardware]} if hardware else {})}],
    }
    return Own(record, filled)


def _model(identifier: str) -> Model:
    model: Model = loading.read(RECORDS / "models" / f"{identifier}.yaml")[0].record
    return model


def text(record: Mapping[str, Any], file: str) -> str:
    """The record as YAML, for a file of this name."""
    written = yaml.safe_dump(dict(record), sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    return HEADER.format(file=file) + written


def identifier_of(path: Path) -> str:
    """The id of a record that is to be written there. Raises InputError for a name that no record can have."""
    if path.suffix != ".yaml":
        raise InputError([("save", f"{str(path)!r} is not the name of a record; it ends in .yaml")])
    if not IDENTIFIER.fullmatch(path.stem):
        raise InputError([("save", f"{path.stem!r} is not an id{nearest_id(path.stem)}")])
    if path.exists():
        raise InputError([("save", f"{path} exists already; choose another name")])
    return path.stem


def _amounts(stated: Mapping[str, Any], problems: list[tuple[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, (kind, unit) in KINDS.items():
        if name not in stated:
            continue
        low = high = math.nan
        try:
            low, high = _ends(stated[name])
            if name == "utilization" and high > 1:
                what = f"{stated[name]} is above the peak, which is 1: no run reaches it; 40 per cent is 0.4 or 40%"
                problems.append((name, what))
                continue
            written = [_in_unit(end, unit) for end in (low, high)]
            fact = {"value": written[0]} if low == high else {"low": written[0], "high": written[1]}
            kind.model_validate(fact)
        except ValidationError as problem:
            what = problem.errors()[0]["msg"]
            problems.append((name, what.replace(f"{low:.15g}", str(stated[name]), 1) if low == high else what))
        except (ShorthandError, TypeError, ValueError) as problem:
            problems.append((name, str(problem)))
        else:
            yield name, fact


def _ends(given: Any) -> tuple[float, float]:
    if isinstance(given, str):
        return ends(given)
    if isinstance(given, bool) or not isinstance(given, int | float | tuple | list):
        raise TypeError(f"{given!r} is not a number, text such as '7B' or a pair of ends")
    both = tuple(given) if isinstance(given, tuple | list) else (given, given)
    if len(both) != 2:
        raise TypeError(f"{given!r} has {len(both)} numbers; a range has two")
    return float(both[0]), float(both[1])


def _in_unit(number: float, unit: str) -> Any:
    whole = int(number) if abs(number) < 1e18 and number == int(number) else number
    return f"{number:.15g} {unit}" if unit else whole


def _words(stated: Mapping[str, Any], records: Records, problems: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for name, (what, known) in WORDS.items():
        if name in stated:
            try:
                yield name, chosen(str(stated[name]), known(records), what)
            except LookupError as problem:
                problems.append((name, str(problem)))
    if "published" in stated:
        try:
            facts.DateWord.model_validate({"value": stated["published"]})
        except ValidationError as problem:
            problems.append(("published", problem.errors()[0]["msg"]))


def model_spellings(records: Records) -> Spellings:
    """Every id, name, alias and former id of a model, with its id."""
    return spellings(
        {"id": identifier, "name": model.name, "aliases": " | ".join([*model.aliases, *model.renamed_from])}
        for identifier, model in records.models.items()
    )


def _alone(stated: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, needed, why in (
        ("batch", ("steps",), "a batch is what one step sees"),
        ("steps", ("batch",), "a step sees a batch"),
        ("image_size", ("config",), "it is that of a network"),
        ("prediction_depth", ("config",), "it is that of a network"),
        ("epochs", ("tokens", "images"), "an epoch is one pass over a data set"),
        ("active_parameters", ("parameters",), "they are some of all"),
    ):
        if name in stated and not any(other in stated for other in needed):
            yield name, f"needs {' or '.join(map(_spaced, needed))}: {why}"


def _spaced(name: str) -> str:
    return name.replace("_", " ")


class _Network(NamedTuple):
    """Keys of the record that state the network, its lengths where they are not stated, and whether it reads images."""

    keys: dict[str, Any]
    lengths: dict[str, Any]
    filled: list[Filled]
    is_of_images: bool = False


def _network(inputs: Inputs, amounts: Mapping[str, Any], problems: list[tuple[str, str]]) -> _Network | None:
    if inputs.config is None:
        is_of_text = "parameters" in amounts or ("tokens" in amounts and inputs.base_model is None)
        is_decoder = is_of_text and "images" not in amounts  # a base model's network is taken from its record
        return _Network({"network": ParameterNetwork.DECODER_ONLY.value} if is_decoder else {}, {}, [])
    asked = _middle(amounts.get("sequence_length"))
    from pipeline.architectures import counting  # which imports every family of networks

    try:
        counted = counting.count(inputs.config, Lengths(asked), inputs.image_size, 1, inputs.prediction_depth)
        settings = counting.architecture_of(inputs.config)
    except counting.CountError as problem:
        problems.append(("config", str(problem)))
        return None
    settings |= {name: getattr(inputs, name) for name in ("image_size", "prediction_depth") if name in inputs.stated()}
    assumed = {name: words for name, words in counted.assumed.items() if name not in (*amounts, "image_size")}
    filled = [
        Filled(_spaced(name), f"{counted.sizes[name]:,}", f"assumed from the config's {words}")
        for name, words in assumed.items()
    ]
    keys = {"architecture": settings}
    lengths = {name: {"value": int(counted.sizes[name])} for name in assumed if name.endswith("length")}
    if counted.length and counted.length.low < counted.length.high:
        keys["assumptions"] = counted.length.assumptions
        (lengths["sequence_length"]["derived"],) = keys["assumptions"]
    return _Network(keys, lengths, filled, "image_size" in counted.sizes)


def _network_of(base: Model, identifier: str, amounts: Mapping[str, Any]) -> _Network:
    """The network of a base model, where nothing else is stated of it."""
    lengths = {}
    if base.training and "sequence_length" not in amounts:
        for name, length in zip(("sequence_length", "target_length"), base.training[-1].sequence_lengths, strict=True):
            lengths |= {name: {"value": length}} if length else {}
    keys: dict[str, Any] = {}
    if base.architecture is not None:
        keys["architecture"] = base.architecture.settings
    elif base.network is not None and base.parameters is not None:
        keys["network"] = base.network.value
        for name in ("parameters", "active_parameters"):
            fact = getattr(base, name)
            if fact is not None and name not in amounts:
                keys[name] = {"value": fact.amount}
    return _Network(keys, lengths, [Filled("network", identifier, "that of the base model")] if keys else [])


def _middle(fact: Mapping[str, Any] | None) -> float | None:
    if fact is None:
        return None
    middle = facts.Length.model_validate(fact).amount
    return int(middle) if middle == int(middle) else middle


def _unit(stated: Mapping[str, Any], network: _Network, base: Model | None) -> ExampleUnit:
    if "images" in stated or (network.is_of_images and "tokens" not in stated):
        return ExampleUnit.IMAGE
    is_open = "tokens" not in stated and "sequence_length" not in stated
    last: Phase | None = base.training[-1] if base is not None and base.training and is_open else None
    return last.example_unit if last else ExampleUnit.TOKEN


def _domain(unit: ExampleUnit, base: Model | None) -> Domain:
    return base.domain if base else Domain.VISION if unit == ExampleUnit.IMAGE else Domain.LANGUAGE


def _data(
    amounts: Mapping[str, Any], stated: Mapping[str, Any], unit: ExampleUnit, filled: list[Filled]
) -> dict[str, Any]:
    """Examples with epochs, steps with batch."""
    data: dict[str, Any] = {}
    examples = amounts.get("tokens") or amounts.get("images")
    if examples:
        data["examples"] = examples
        if "epochs" in amounts:
            data["epochs"] = amounts["epochs"]
        elif "tokens" in amounts:  # tokens seen are one pass by definition; a set of images is seen many times
            data["epochs"] = {"value": 1}
            filled.append(Filled("epochs", "1", "the tokens stated are taken as all that were seen in training"))
    if "steps" in amounts:
        data |= {"steps": amounts["steps"], "batch": amounts["batch"]}
        if unit == ExampleUnit.TOKEN and "sequence_length" in amounts:
            data["batch"] = _in_tokens(amounts["batch"], amounts["sequence_length"], stated)
        elif unit == ExampleUnit.TOKEN:
            filled.append(Filled("batch", "tokens", "its unit, as no sequence length is stated"))
    return data


def _in_tokens(batch: Mapping[str, Any], length: Mapping[str, Any], stated: Mapping[str, Any]) -> dict[str, Any]:
    sizes = [_numbers(fact) for fact in (batch, length)]
    low, high = (sizes[0][end] * sizes[1][end] for end in (0, 1))
    if high > MOST_TOKENS_A_STEP:
        what = (
            f"{stated['batch']} sequences of {stated['sequence_length']} tokens are {high:.3g} tokens a step; where the batch counts"
            " tokens, divide it by the sequence length"
        )
        raise InputError([("batch", what)])
    how = " * ".join(f"{size[0]:.15g}" for size in sizes)
    return {"value": low, "derived": how} if low == high else {"low": low, "high": high}


def _numbers(fact: Mapping[str, Any]) -> tuple[float, float]:
    return (fact["value"], fact["value"]) if "value" in fact else (fact["low"], fact["high"])


def _hardware(amounts: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    allocation: dict[str, Any] = {}
    if "hardware" in words:
        allocation["chip"] = {"value": words["hardware"]}
    for key, name in (("chips", "chips"), ("duration", "days"), ("chip_time", "chip_hours")):
        if name in amounts:
            allocation[key] = amounts[name]
    return allocation
