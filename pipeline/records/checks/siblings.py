"""Checks of siblings, the records of one publication: what holds for one is said of all, or the record says why not."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.records.checks.record import LoadedRecord, RecordChecks
from pipeline.records.yaml_text import Mistake
from schemas.facts import Seen
from schemas.records import Model, Records
from schemas.vocabulary import Accounting, SourceKind

SAME_SIZE = 1.02  # two counts of the parameters of one network may differ by this factor
OF_PHASES = ("batch", "precision", "sequence_length", "utilization")
OF_ALLOCATIONS = {"chip": "chip", "chips": "chips", "chip_time": "time", "duration": "time"}
# What `missing` names, and the facts compared here that were then looked for.
LOOKED_FOR = {"chip_time": ("time",), "duration": ("time",), "hardware": ("chip", "chips", "time")}


class Siblings:
    """The models of some records, by their publication."""

    def __init__(self, records: Records) -> None:
        self.models = records.models
        self._families: dict[Hashable, dict[str, Model]] = defaultdict(dict)
        for identifier, model in sorted(records.models.items()):
            publication = _publication(model)
            if publication is not None:
                self._families[publication][identifier] = model

    def of(self, identifier: str, model: Model) -> dict[str, Model]:
        """The other models of the publication of this one, by id."""
        family = self._families.get(_publication(model), {})
        return {name: sibling for name, sibling in family.items() if name != identifier}


class SiblingChecks(RecordChecks):
    """Checks of a model against its siblings, and of continued training against the base model."""

    def __init__(self, loaded: LoadedRecord, siblings: Siblings) -> None:
        super().__init__(loaded)
        self.models = siblings.models
        self.siblings = siblings.of(loaded.identifier, loaded.record) if isinstance(loaded.record, Model) else {}

    def mistakes(self) -> Iterator[Mistake]:
        """What siblings have otherwise without a reason, and reasons for what they do not have otherwise."""
        is_of_ledger = Path(self.loaded.file).parent.name == self.loaded.kind
        if not isinstance(self.record, Model) or not is_of_ledger:
            return  # a copy elsewhere may be a variant of a model
        unlike = dict([*self._differing(), *self._lacking(), *self._without_network()])
        reasons = self.record.unlike_siblings
        for name, message in unlike.items():
            if name not in reasons:
                yield self._mistake(f"{message}; else write the reason into unlike_siblings", name)
        for name in reasons:
            if name not in unlike:
                known = f"; unlike them are {', '.join(unlike)}" if unlike else ""
                yield self._mistake(f"is as in its siblings{known}; delete it", "unlike_siblings", name)

    def _differing(self) -> Iterator[tuple[str, str]]:
        conventions, flags = _conventions(self.record), _flags(self.record)
        family = _network_family(self.record)
        of_siblings = {name: _conventions(model) for name, model in self.siblings.items()}
        alike = {
            name: _flags(model) for name, model in self.siblings.items() if family and _network_family(model) == family
        }
        yield from self._unusual(conventions, of_siblings)
        yield from self._unusual(
            {**dict.fromkeys(name for sibling_flags in alike.values() for name in sibling_flags), **flags}, alike
        )

    def _unusual(
        self, values: Mapping[str, Hashable], others: Mapping[str, Mapping[str, Hashable]]
    ) -> Iterator[tuple[str, str]]:
        """Names whose value is not what most siblings have; of two with one value each, the first by id has the usual one."""
        for name, value in values.items():
            having = {
                sibling_name: stated[name] for sibling_name, stated in others.items() if stated.get(name) is not None
            }
            if not having:
                continue
            every = {**having, **({self.loaded.identifier: value} if value is not None else {})}
            usual = Counter(every[sibling_name] for sibling_name in sorted(every)).most_common(1)[0][0]
            if value != usual:
                sibling = min(sibling_name for sibling_name, stated in having.items() if stated == usual)
                yield name, f"is {_shown(value)}, and {_shown(usual)} in its sibling {sibling}; make them alike"

    def _lacking(self) -> Iterator[tuple[str, str]]:
        """Facts in the words of a source that this record has too, which it neither states nor looked for there."""
        stated, addresses = (
            _addresses_by_fact(self.record),
            {_address(self.record, name) for name in self.record.sources},
        )
        looked_in: dict[str, set[str | None]] = defaultdict(set)
        for missing in self.record.missing:
            for name in LOOKED_FOR.get(missing.fact, (missing.fact,)):
                looked_in[name] |= {_address(self.record, source) for source in missing.looked_in}
        reported: set[str] = set()
        for sibling, model in self.siblings.items():
            for name, sources in _addresses_by_fact(model).items():
                common = sorted(map(str, (sources & addresses) - looked_in[name] - {None}))
                if common and name not in stated and name not in reported:
                    reported.add(name)
                    message = f"is absent, and of its sibling {sibling} stands in {common[0]}; look for it there"
                    yield name, f"{message}, and where it is not, name the source in looked_in of missing"

    def _without_network(self) -> Iterator[tuple[str, str]]:
        base = self.models.get(self.record.base_model or "")
        is_looked_for = any(missing.fact == "architecture" and missing.looked_in for missing in self.record.missing)
        is_continued = any(phase.accounting == Accounting.CONTINUED for phase in self.record.training)
        if not (is_continued and base and base.architecture) or self.record.architecture or is_looked_for:
            return
        sizes = [model.parameters.amount for model in (self.record, base) if model.parameters]
        if len(sizes) == 2 and 1 / SAME_SIZE < sizes[0] / sizes[1] < SAME_SIZE:
            yield "architecture", f"is absent, and its base model {self.record.base_model} has it; take it over"


def _publication(model: Model) -> Hashable:
    """The makers' source that comes first, and whether the model has a base; None where none has an address."""
    if model.stated_by_user:
        return None
    for kind in (SourceKind.AUTHORS, SourceKind.OFFICIAL):
        for name, source in model.sources.items():
            if source is not None and source.kind == kind and source.url:
                return _address(model, name), model.base_model is not None
    return None


def _address(model: Model, source: str) -> str | None:
    """The address of a source, without what names a version of it or its form."""
    known = model.sources.get(source)
    if known is None or known.url is None:
        return None
    return re.sub(r"(v\d+)?(\.pdf)?$", "", known.url.rstrip("/").replace("arxiv.org/pdf/", "arxiv.org/abs/"))


def _conventions(model: Model) -> dict[str, Hashable]:
    """What is said once for all models of a publication; None where it is not said."""
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
    """For each fact that the record states, by name, the addresses of the sources it quotes; empty without a quote.

    None stands for a quoted source without an address.
    """
    addresses: dict[str, set[str | None]] = defaultdict(set)

    def add(name: str, fact: Seen | None) -> None:
        if fact is not None:
            addresses[name] |= {_address(model, quote.source) for quote in model.quotes_of(fact)}

    add("reported_flop", model.reported_flop)
    for phase in model.training:
        for name in OF_PHASES:
            add(name, getattr(phase, name))
        for allocation in phase.hardware:
            for field, name in OF_ALLOCATIONS.items():
                add(name, getattr(allocation, field))
    return addresses


def _shown(value: Any) -> str:
    if value is None:
        return "not stated"
    return " and ".join(map(str, value)) if isinstance(value, tuple) else str(value)
