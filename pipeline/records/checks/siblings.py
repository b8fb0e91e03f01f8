"""Checks of siblings (records of one publication): that they state the same facts, or explain why they differ."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.records.checks.record import LoadedRecord, RecordChecks
from pipeline.records.yaml_text import Mistake
from schemas.facts import Seen
from schemas.records import Model, Records
from schemas.vocabulary import Accounting

SAME_SIZE = 1.02  # largest ratio between two parameter counts of one network
OF_PHASES = ("batch", "precision", "sequence_length", "utilization")
OF_ALLOCATIONS = {"chip": "chip", "chips": "chips", "chip_time": "time", "duration": "time"}
# If `missing` names one of these facts, the reader must also have looked for the facts that it maps to.
LOOKED_FOR = {"chip_time": ("time",), "duration": ("time",), "hardware": ("chip", "chips", "time")}


class Family(NamedTuple):
    """Values stated by the models of one publication, collected once so that comparing a model takes constant time."""

    conventions: Mapping[str, Mapping[Hashable, list[str]]]  # ids by name and value
    flags: Mapping[Hashable, Mapping[str, Mapping[Hashable, list[str]]]]  # ids by name and value, per network family
    places: Mapping[str, Mapping[str, str]]  # the first model's id by fact and the address that states it


class Siblings:
    """The models of these records, grouped by publication. A group is compared only if one of its models is checked."""

    def __init__(self, records: Records) -> None:
        self.models = records.models
        families: dict[str, dict[str, Model]] = defaultdict(dict)
        for identifier, model in sorted(records.models.items()):
            if model.publication is not None:
                families[model.publication][identifier] = model
        self._family = cache(lambda publication: _family(families[publication]) if publication in families else None)

    def family_of(self, model: Model) -> Family | None:
        """Return the values of all models of this model's publication, with its own; None without one."""
        return self._family(model.publication)


class SiblingChecks(RecordChecks):
    """Checks of a model against its siblings, and of continued training against its base model."""

    def __init__(self, loaded: LoadedRecord, siblings: Siblings) -> None:
        super().__init__(loaded)
        self.siblings = siblings

    def mistakes(self) -> Iterator[Mistake]:
        """Yield a mistake for each unexplained difference from siblings, and for each reason without a difference."""
        is_of_ledger = Path(self.loaded.file).parent.name == self.loaded.kind
        if not isinstance(self.record, Model) or not is_of_ledger:
            return  # a record outside the ledger may describe a variant of a model
        family = self.siblings.family_of(self.record)
        unlike = dict([*(self._differences(family) if family else ()), *self._without_network()])
        reasons = self.record.unlike_siblings
        for name, message in unlike.items():
            if name not in reasons:
                yield self._mistake(f"{message}; otherwise write the reason into unlike_siblings", name)
        for name in reasons:
            if name not in unlike:
                differing = f" (the record differs only in {', '.join(unlike)})" if unlike else ""
                yield self._mistake(f"is the same as in its siblings{differing}; delete it", "unlike_siblings", name)

    def _differences(self, family: Family) -> Iterator[tuple[str, str]]:
        yield from self._unusual_values(_conventions(self.record), family.conventions)
        alike = family.flags.get(_network_family(self.record), {})
        yield from self._unusual_values({**dict.fromkeys(alike), **_flags(self.record)}, alike)
        yield from self._missing_facts(family)

    def _unusual_values(
        self, own_values: Mapping[str, Hashable], ids_by_name: Mapping[str, Mapping[Hashable, list[str]]]
    ) -> Iterator[tuple[str, str]]:
        """Yield each name whose value differs from that of most siblings. In a tie, the first sibling by id decides."""
        for name, value in own_values.items():
            ids_by_value = ids_by_name.get(name) or {value: []}
            usual, siblings = min(ids_by_value.items(), key=lambda item: (-len(item[1]), item[1]))
            if value != usual:
                yield (name, f"is {_text(value)}, but {_text(usual)} in its sibling {siblings[0]}; make them alike")

    def _missing_facts(self, family: Family) -> Iterator[tuple[str, str]]:
        """Yield each fact that a sibling quotes from a shared source, unless this record has or missed it there."""
        own_facts, addresses = _addresses_by_fact(self.record), _addresses(self.record, self.record.sources)
        looked_in: dict[str, set[str | None]] = defaultdict(set)
        for missing in self.record.missing:
            for name in LOOKED_FOR.get(missing.fact, (missing.fact,)):
                looked_in[name] |= _addresses(self.record, missing.looked_in)
        for name, sibling_by_address in family.places.items():
            unread = (addresses - looked_in[name]) & sibling_by_address.keys()
            if unread and name not in own_facts:
                sibling, address = min((sibling_by_address[address], address) for address in unread)
                yield (
                    name,
                    f"is missing, but its sibling {sibling} states it from {address}; look for it there, or name the"
                    " source in looked_in of missing if it is not there",
                )

    def _without_network(self) -> Iterator[tuple[str, str]]:
        """Yield the network if the record lacks it, but continues a base model of the same size that has it."""
        base_id = next(iter(self.record.base_ids), "")
        base = self.siblings.models.get(base_id)
        is_looked_for = any(missing.fact == "architecture" and missing.looked_in for missing in self.record.missing)
        is_continued = any(phase.accounting == Accounting.CONTINUED for phase in self.record.training)
        if not (is_continued and base and base.architecture) or self.record.architecture or is_looked_for:
            return
        sizes = [model.parameters.amount for model in (self.record, base) if model.parameters]
        if len(sizes) == 2 and 1 / SAME_SIZE < sizes[0] / sizes[1] < SAME_SIZE:
            yield "architecture", f"is missing, but its base model {base_id} has it; copy it"


def copies(loaded: Iterable[LoadedRecord], files: Set[str]) -> Iterator[Mistake]:
    """Yield a remark on each model in `files` that has the developer, size, examples and quotes of another."""
    models = [entry for entry in loaded if isinstance(entry.record, Model) and not entry.wrong]
    alike: dict[str | None, set[str]] = defaultdict(set)
    for entry in models:
        alike[entry.record.likeness].add(entry.identifier)
    for entry in models:
        others = alike[entry.record.likeness] - {entry.identifier}
        if others and entry.record.likeness and entry.file in files:
            message = f"has the developer, size, examples and quotes of {min(others)}; if it is a copy, keep one record"
            yield Mistake(entry.file, 1, "", message)


def _family(models: Mapping[str, Model]) -> Family:
    """Collect what the models state: for each value its models, and for each address the first model."""
    conventions: dict[str, dict[Hashable, list[str]]] = defaultdict(lambda: defaultdict(list))
    flags: dict[Hashable, dict[str, dict[Hashable, list[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    places: dict[str, dict[str, str]] = defaultdict(dict)
    for identifier, model in models.items():
        for name, value in _conventions(model).items():
            if value is not None:
                conventions[name][value].append(identifier)
        for name, flag in _flags(model).items():
            flags[_network_family(model)][name][flag].append(identifier)
        for name, addresses in _addresses_by_fact(model).items():
            for address in addresses:
                places[name].setdefault(address, identifier)
    return Family(conventions, flags, places)


def _addresses(model: Model, sources: Iterable[str]) -> set[str | None]:
    return {entry and entry.address for entry in map(model.sources.get, sources)}


def _conventions(model: Model) -> dict[str, Hashable]:
    """Return, by name, the values on which all models of a publication should agree; None if a value is not stated."""
    is_looked_for = any(missing.fact == "contributions" and missing.looked_in for missing in model.missing)
    conventions: dict[str, Hashable] = {
        "weights_access": model.weights_access.value if model.weights_access else None,
        "contributions": None if model.contributions is None and not is_looked_for else "stated",
    }
    if model.reported_flop:
        conventions["convention"] = model.reported_flop.convention
    if model.training:
        conventions["phases"] = tuple(phase.phase for phase in model.training)
        conventions["example_unit"] = tuple(dict.fromkeys(phase.example_unit for phase in model.training))
    return conventions


def _network_family(model: Model) -> str | None:
    return model.architecture.family if model.architecture else None


def _flags(model: Model) -> dict[str, Hashable]:
    settings = model.architecture.settings if model.architecture else {}
    return {name: value for name, value in settings.items() if isinstance(value, bool)}


def _addresses_by_fact(model: Model) -> dict[str, set[str | None]]:
    """Return the addresses of the sources that each stated fact quotes, by the fact's name.

    An address is None if the quoted source has none; a fact without a quote has an empty set.
    """
    addresses: dict[str, set[str | None]] = defaultdict(set)

    def add(name: str, fact: Seen | None) -> None:
        if fact is not None:
            addresses[name] |= _addresses(model, (quote.source for quote in model.quotes_of(fact)))

    add("reported_flop", model.reported_flop)
    for phase in model.training:
        for name in OF_PHASES:
            add(name, getattr(phase, name))
        for allocation in phase.hardware:
            for field, name in OF_ALLOCATIONS.items():
                add(name, getattr(allocation, field))
    return addresses


def _text(value: Any) -> str:
    if value is None:
        return "not stated"
    return " and ".join(map(str, value)) if isinstance(value, tuple) else str(value)
