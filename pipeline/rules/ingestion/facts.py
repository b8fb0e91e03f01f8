"""Rows of `facts`, `quotes`, `places`, `fact_quotes`, `sources`, `identifiers`, `keys` and `missing_facts`.

Functions for tables with many rows are generators, because estimates of a user's model need none of these rows.
"""

import json
from collections.abc import Iterator
from typing import Any

from pipeline.architectures import FLAGS_SINCE, left_to_family
from pipeline.models.sql import Row
from pipeline.rules.ingestion import cell_of, columns, is_of_makers, origin, source_of
from pipeline.rules.ingestion.external import EPOCH
from schemas import records as schema
from schemas.facts import Fact, Seen, Word
from schemas.records import Record, Records
from schemas.vocabulary import SEPARATOR, Evidence, FactStatus

WORDS = "source text read_in found_at"  # attributes of a quote with their own columns


def facts(records: Records) -> Iterator[Row]:
    """Yield one row per fact of any record, with its path, its evidence and the text of its deciding quote."""
    for kind, identifier, record in records.entries():
        record_key = _key(kind, identifier)
        for path, fact in schema.facts(record):
            yield {**record_key, "path": path, **_value(fact), **_evidence(fact, record)}
        for path, architecture in (
            record.networks(since=FLAGS_SINCE).items() if isinstance(record, schema.Model) else ()
        ):
            for flag, (value, reason) in left_to_family(architecture.settings).items():
                usual = schema.Setting.model_construct(value=json.dumps(value), note=f"{reason}.")
                row = {"path": f"{path}.{flag}", **_value(usual), **_evidence(usual, record)}
                yield {**record_key, **row, "evidence": Evidence.ASSUMED, "fact_status": FactStatus.ASSUMED}


def _key(kind: str, identifier: str) -> Row:
    return {"record_kind": kind, "record_id": identifier, "model_id": identifier if kind == "models" else None}


def quotes(records: Records) -> Iterator[Row]:
    """Yield one row per quote of a record."""
    return (
        {"record_kind": kind, "record_id": identifier, **columns(quote, WORDS, locator="where")}
        for kind, identifier, record in records.entries()
        for quote in record.quotes.values()
    )


def places(records: Records) -> Iterator[Row]:
    """Yield one row for each quote that we looked for in a public repository, with its place there."""
    return ({"found_at": at, "text": text, **result} for (at, text), result in records.places.items())


def keys(records: Records) -> list[Row]:
    """Return one row per key under which another database knows a model."""
    return [{**row} for row in records.keys]


def fact_quotes(records: Records) -> Iterator[Row]:
    """Yield one row for each quote of a fact, in the fact's order."""
    return (
        {"record_kind": kind, "record_id": identifier, "path": path}
        | {"quote_index": index, **columns(quote, WORDS, locator="where")}
        for kind, identifier, record in records.entries()
        for path, fact in schema.facts(record)
        for index, quote in enumerate(record.quotes_of(fact))
    )


def sources(records: Records) -> Iterator[Row]:
    """Yield one row per source of a record, and one per model of the blind test."""
    yield from (
        {
            **_key(kind, identifier),
            "source": key,
            **columns(source, "title url", source_kind="kind", source_year="year"),
        }
        for kind, identifier, record in records.entries()
        for key, source in record.sources.items()
    )
    models = (name for name in records.models if name in records.blind)
    yield from ({"record_kind": "models", "record_id": name, **EPOCH} for name in models)


def identifiers(records: Records) -> list[Row]:
    """Return one row per id that was ever published, including retired ids."""
    return [
        {
            "record_kind": record.kind if isinstance(record, schema.Retired) else kind,
            "record_id": identifier,
            "is_retired": isinstance(record, schema.Retired),
            "replaced_by": getattr(record, "replaced_by", None),
            "former_ids": cell_of(getattr(record, "renamed_from", [])),
        }
        for kind, identifier, record in records.entries()
    ]


def missing_facts(records: Records) -> list[Row]:
    """Return one row per fact that we looked for in a model's sources and did not find."""
    return [
        {"model_id": identifier, "path": path, "looked_in": cell_of(fact.looked_in), **columns(fact, "would_settle")}
        for identifier, model in records.models.items()
        for path, fact in {fact.fact: fact for fact in model.missing}.items()
    ]


def _value(fact: Seen) -> Row:
    """Return the text, amount, bound and unit of a quantity, or the text (and amount, if a number) of another fact."""
    if isinstance(fact, Fact):
        return columns(fact, "written amount bound", unit="amount_unit")
    value = getattr(fact, "value", None)
    return {
        "written": fact.written if isinstance(fact, Word | schema.Adjudication) else _value_text(fact),
        "amount": value if isinstance(value, float) else None,
    }


def _evidence(fact: Seen, record: Record) -> Row:
    return {
        **columns(fact, "evidence via derived note inherited_from"),
        **origin(record, fact),
        "assumptions": SEPARATOR.join(fact.assumptions) or None if isinstance(fact, Fact) else None,
        "assumption_reasons": _reasons(fact, record),
        "fact_status": _status(fact, record),
    }


def _status(fact: Seen, record: Record) -> FactStatus | None:
    """Return where a fact of a model comes from. Every view takes it from here."""
    if not isinstance(record, schema.Model):
        return None
    if fact.evidence == Evidence.ASSUMED or (isinstance(fact, Fact) and fact.assumptions):
        return FactStatus.ASSUMED
    if fact.evidence == Evidence.UNSEEN:
        return FactStatus.NOT_READ
    return FactStatus.MAKERS if is_of_makers(record, source_of(record, fact)) else FactStatus.OTHERS


def _reasons(fact: Seen, record: Record) -> str | None:
    if not isinstance(fact, Fact) or not isinstance(record, schema.Model):
        return None
    assumed = {name: record.assumptions[name] for name in fact.assumptions}
    return "; ".join(f"{name} is {factor.written}: {factor.reason}" for name, factor in assumed.items()) or None


def _value_text(fact: Any) -> str:
    if isinstance(fact, schema.Contribution):
        return f"{fact.accounting} {fact.model or ''}".rstrip()
    shown = {name: getattr(fact, name) for name in ("value", "spread", "intercept", "slope") if hasattr(fact, name)}
    return " ".join(f"{name} {number:.15g}" for name, number in shown.items() if number is not None)
