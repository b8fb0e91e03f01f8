"""Rows of `models`, `lineages` and `contributions`: facts about a model as a whole, and the evidence for its facts."""

from calendar import isleap, monthrange
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from pipeline.models.sql import Row
from pipeline.rules.ingestion import cell_of, columns, is_of_makers, kind_of, origin, source_of
from pipeline.rules.ingestion.organizations import owner_columns
from pipeline.rules.ingestion.shared_input import shared_input
from schemas import records as schema
from schemas import vocabulary
from schemas.facts import Fact, Seen
from schemas.records import Model, Phase, Records
from schemas.spelling import find

WEAKEST_FIRST = (
    vocabulary.Evidence.ASSUMED, vocabulary.Evidence.UNSEEN, vocabulary.Evidence.TABLE,
    vocabulary.Evidence.STATED_BY_USER, vocabulary.Evidence.QUOTED,
)  # fmt: skip


def models(records: Records) -> list[Row]:
    """Return one row per model."""
    chips, organizations, places = records.chip_ids(), records.organization_ids(), records.grid_places()
    countries = records.countries()
    disputed = {erratum.model for erratum in records.errata.values() if erratum.is_reported_flop}
    return [
        {
            **_row(identifier, model, chips),
            **owner_columns(model.organization, model.published, records, organizations, countries),
            **_evidence_columns(model),
            "trained_in": model.trained_in and places.get(model.trained_in.value, model.trained_in.value),
            "has_erratum": identifier in disputed,
        }
        for identifier, model in records.models.items()
    ]


def lineages(records: Records) -> list[Row]:
    """Return one row per model and part of its training: its own, its base model's, and so on."""
    return [
        {"model_id": identifier, "part_id": part}
        for identifier in records.models
        for part in dict.fromkeys(_parts(identifier, records))
    ]


def contributions(records: Records) -> list[Row]:
    """Return one row per contribution to a model's result from outside the model and its base models."""
    return [
        {
            "model_id": identifier,
            "contribution": number,
            **columns(contribution, "accounting evidence note", contributor_id="model", contribution_flop="flop"),
            **origin(model, contribution),
        }
        for identifier, model in records.models.items()
        for number, contribution in enumerate(model.contributions or [])
    ]


def published_year(model: Model) -> int:
    """Return the year of a model's date, which may be a year, a month or a day."""
    return int(model.published[:4])


def middle_date(published: str) -> tuple[date, vocabulary.DatePrecision]:
    """Return the middle of a date, which may be a year, a month or a day, and the date's precision.

    >>> [str(middle_date(date)[0]) for date in ("2012-12-03", "2023-02", "2012")]
    ['2012-12-03', '2023-02-15', '2012-07-02']
    """
    first = date.fromisoformat(f"{published}-01-01"[:10])
    days, precision = (
        (365 + isleap(first.year), vocabulary.DatePrecision.YEAR),
        (monthrange(first.year, first.month)[1], vocabulary.DatePrecision.MONTH),
        (1, vocabulary.DatePrecision.DAY),
    )[published.count("-")]
    return first + timedelta(days // 2), precision


def _parts(identifier: str, records: Records) -> Iterator[str]:
    yield identifier
    for base_id in records.models[identifier].base_ids if identifier in records.models else []:
        yield from _parts(base_id, records)


def _row(identifier: str, model: Model, chips: dict[str, str]) -> Row:
    """Return the columns of `models` that its record states.

    `hardware` is null if any allocation's chip is unknown, because a partial list would look complete.
    """
    allocations = [allocation for phase in model.training for allocation in phase.hardware]
    hardware_ids = {find(allocation.chip.value, chips) for allocation in allocations if allocation.chip}
    are_chips_known = bool(allocations) and all(allocation.chip for allocation in allocations)
    middle, precision = middle_date(model.published)
    reported = columns(model.reported_flop, reported_method="method", reported_convention="convention")
    return {
        "model_id": identifier,
        **columns(model, "name organization organization_kind published domain scope scope_note note"),
        "base_model": cell_of([base.value for base in model.base_model]),
        "base_evidence": _weakest_evidence(model.base_model),
        **columns(model, "epoch_name base_share parameters active_parameters reported_flop weights_access"),
        "parameter_network": model.network,
        "aliases": cell_of(model.aliases),
        "published_date": middle,
        "published_precision": precision,
        "published_year": published_year(model),
        **reported,
        "is_total_of_others": _is_total_of_others(model),
        "is_reported_hardware_flop": reported["reported_convention"] == vocabulary.ReportedConvention.HARDWARE,
        **_dispute(model),
        "reported_energy_kwh": _thousands(model.reported_energy),
        "reported_co2_kg": _thousands(model.reported_co2),
        "hardware": vocabulary.SEPARATOR.join(sorted(hardware_ids)) if are_chips_known else None,
        # Rounded, because the middle of a range may not be whole.
        "chips": max((round(allocation.chips.amount) for allocation in allocations if allocation.chips), default=None),
        "source_url": model.makers_source and model.makers_source.url,
        "sources": cell_of(sorted({source.url or source.title for source in model.sources.values()})) or "",
    }


def _thousands(fact: Fact | None) -> float | None:
    # Records use watt-hours and grams; tables use kWh and kg.
    return fact.amount / 1000 if fact else None


def _dispute(model: Model) -> Row:
    """Return the columns about a dispute that the record explains, with the quote that the explanation relies on."""
    dispute = model.dispute
    words = f"“{model.quotes[dispute.quote].text}”" if dispute and dispute.quote else None
    return {
        **columns(dispute, dispute_stated_cause="cause", dispute_sides_with="sides_with"),
        "dispute_reason": " ".join(filter(None, (dispute and dispute.reason, words))) or None,
    }


def _evidence_columns(model: Model) -> Row:
    """Return the columns of `models` about evidence, and about dependence between the two methods."""
    return {
        "stated_by": _stated_by(model),
        "training_evidence": _weakest_evidence(_facts_of_phases(model)),
        "network_evidence": _weakest_evidence(_facts_of_network(model)),
        "shared_input": shared_input(model),
        "is_search_counted": any(_is_counted_search(phase) for phase in model.training),
        "has_read_contributions": model.contributions is not None,
        "has_untimed_phase": not all(phase.hardware or phase.timed_with for phase in model.training),
    }


def _is_total_of_others(model: Model) -> bool:
    """Return whether only outsiders state the reported total, which may then cover other training."""
    return bool(model.reported_flop) and not is_of_makers(model, source_of(model, model.reported_flop))


def _stated_by(model: Model) -> str | None:
    """Return the joined kinds of sources that state size, training and total; None if the makers state any of them."""
    figures = filter(None, (model.parameters, model.active_parameters, model.reported_flop))
    facts = [*figures, *(fact for phase in model.training for _, fact in schema.facts(phase))]
    kinds = {kind for fact in facts if (kind := kind_of(model, source_of(model, fact)))}
    return None if kinds & {*vocabulary.OF_MAKERS} else vocabulary.SEPARATOR.join(sorted(kinds)) or None


def _is_counted_search(phase: Phase) -> bool:
    is_search = phase.accounting == vocabulary.Accounting.SEARCH
    return is_search and bool(phase.examples or (phase.steps and phase.batch))


def _weakest_evidence(facts: Iterable[Seen]) -> vocabulary.Evidence | None:
    kinds = {fact.evidence for fact in facts}
    return next((evidence for evidence in WEAKEST_FIRST if evidence in kinds), None)


def _facts_of_phases(model: Model) -> Iterator[Seen]:
    """Yield the facts about the amount of training: data, epochs, chips and time."""
    for phase in model.training:
        yield from (fact for path, fact in schema.facts(phase) if not path.startswith("architecture"))


def _facts_of_network(model: Model) -> Iterator[Seen]:
    """Yield the facts about the operations of one example: the architecture, or the figure used instead of it."""
    if networks := model.networks():
        for network in networks.values():
            yield from (fact for _, fact in schema.facts(network))
    else:
        stands_in = model.parameters if model.network else None
        yield from filter(None, (model.forward_flop or model.connections or stands_in,))
