"""`flopledger show`: one model on one screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands import ledger, output
from pipeline.commands.options import Json
from pipeline.commands.output import amount, flop, number
from pipeline.commands.terminal import Aside, Heading, Strong
from pipeline.publishing import headline_text
from pipeline.publishing.headline_text import probability
from pipeline.publishing.rows import Row, rows
from schemas.plain_text import one_line
from schemas.units import DAY_SECONDS, HOUR_SECONDS
from schemas.vocabulary import (
    INDEPENDENCE,
    OUTCOMES,
    THRESHOLDS,
    TIERS,
    Independence,
    Outcome,
    Tier,
)

if TYPE_CHECKING:
    import duckdb

EPOCH_URL = "https://epoch.ai/data/ai-models"
MOST_SOURCES = 8  # on one screen


def show(
    model: Annotated[
        str, typer.Argument(help="Id, name or alias of a model in the ledger, or a name of Epoch's table.")
    ],
    json: Json = False,
) -> None:
    """Show one model on one screen: headline and interval, both methods, dispute, chips, sources; or what a row of Epoch's table gives."""
    with ledger.opened() as connection:
        tier, found = ledger.find(model, connection)
        row = details(found, connection) if tier == Tier.RECORD else row_details(found, connection)
    if json:
        output.say(output.as_json({"tier": tier.value, **row}))
    else:
        output.tell(screen(row) if tier == Tier.RECORD else row_screen(row))


def details(identifier: str, connection: duckdb.DuckDBPyConnection) -> Row:
    """One model's estimate with its parts, chips, sources, errata and external estimates."""
    (estimate,) = rows(connection, "select * from estimates where model_id = ?", identifier)
    (record,) = rows(connection, "select aliases from models where model_id = ?", identifier)
    chips = rows(
        connection,
        """select model_id, phase, allocation, own.hardware_id, chips, duration_seconds, chip_seconds, precision,
            precision_basis, own.is_from_operations
        from completed_allocations own join allocations using (model_id, phase, allocation)
        where model_id in (select part_id from lineages where model_id = $1)
        order by model_id <> $1, model_id, phase, allocation""",
        identifier,
    )
    sources = rows(
        connection,
        "select source, title, url, source_year from sources where record_kind = 'models' and record_id = ? order by source",
        identifier,
    )
    errata = rows(connection, "select figure, explanation from errata where model_id = ? order by 1", identifier)
    external_estimates = rows(
        connection,
        """select external_estimate_id, stated_flop, outcome, note, title, locator, text from external_estimates own
        left join sources on (record_kind, record_id, sources.source) = ('models', model_id, own.source)
        where model_id = ? order by external_estimate_id""",
        identifier,
    )
    reconciliations = rows(
        connection,
        """select reconciliations.* from lineages join reconciliations on reconciliations.model_id = part_id
        where lineages.model_id = $1 order by part_id <> $1, part_id""",
        identifier,
    )
    (sentences,) = rows(connection, "select * exclude (model_id) from sentences where model_id = ?", identifier)
    missing = rows(
        connection,
        "select path, looked_in, would_settle from missing_facts where model_id = ? order by path",
        identifier,
    )
    kinds = rows(
        connection,
        """select path, source_kind from facts join sources using (record_kind, record_id, source)
        where record_kind = 'models' and record_id = ? and source_kind is not null order by all""",
        identifier,
    )
    base = rows(connection, "select training_flop from estimates where model_id = ?", estimate["base_model"])
    return {
        **estimate,
        **record,
        "origin": headline_text.origin((row["path"], row["source_kind"]) for row in kinds),
        "base_training_flop": base[0]["training_flop"] if base else None,
        "sentences": sentences,
        "missing": missing,
        "external_estimates": external_estimates,
        "reconciliations": reconciliations,
        "chips": chips,
        "sources": sources,
        "errata": errata,
    }


def row_details(name: str, connection: duckdb.DuckDBPyConnection) -> Row:
    """The estimate of the first row of this name in Epoch's table."""
    return rows(connection, "from catalogue_estimates where name = ? order by source_row limit 1", name)[0]


def row_screen(row: Row) -> Iterator[str]:
    """A row of Epoch's table as text, one item a line. Its words are another's: none may move the cursor."""
    return (type(line)(one_line(line)) for line in _row_lines(row))


def _row_lines(row: Row) -> Iterator[str]:
    about = ", ".join(filter(None, (row["organization"], row["published"], row["domain"])))
    yield Heading(f"{row['name']} (row {row['source_row']} of Epoch's table; it has no record), {about}")
    interval = f"90 % interval {number(row['training_flop_low'])} to {number(row['training_flop_high'])}"
    if row["training_flop"] is not None:
        yield Strong(f"training compute: {flop(row['training_flop'])} ({interval}; {row['headline_method']})")
        yield f"confidence: {row['confidence']}"
        yield from _probabilities(row)
    elif row["training_flop_low"] is not None:
        yield Strong(f"training compute: {interval} FLOP; {row['no_estimate_reason']}")
    else:
        yield Strong(f"training compute: unknown: {row['no_estimate_reason']}")
        if row["own_training_flop"] is not None:
            yield f"own training, without its base model: {flop(row['own_training_flop'])}"
    if row["operation_count_flop"] is not None:
        yield f"by operations: {flop(row['operation_count_flop'])}{_aside(row['operation_count_basis'])}"
    if row["gpu_time_flop"] is not None:
        yield f"by GPU time: {flop(row['gpu_time_flop'])} at the default utilization"
    if row["base_training_flop"] is not None:
        yield f"of it the base model's: {flop(row['base_training_flop'])}"
    if row["rules"]:
        yield f"read by these rules: {row['rules']}"
    if row["unread_cells"]:
        yield f"cells that say nothing readable: {row['unread_cells']}"
    yield f"its figures are those of Epoch AI, Data on AI Models (CC BY 4.0, {EPOCH_URL}), not read in its publication; its compute is ours"


def screen(row: Row) -> Iterator[str]:
    """One model as text, one item a line."""
    aliases = f", also {row['aliases'].replace(' | ', ', ')}" if row["aliases"] else ""
    yield Heading(
        f"{row['name']} ({row['model_id']}{aliases}), {row['organization']}, {row['published']}, {row['domain']}"
    )
    interval = f"90 % interval {number(row['training_flop_low'])} to {number(row['training_flop_high'])}"
    method = f"{interval}; {row['headline_method']}"
    yield Strong(f"training compute: {flop(row['training_flop'])}" + (f" ({method})" if row["training_flop"] else ""))
    if row["training_flop"] is not None:
        yield output.prose(row["sentences"]["headline_sentence"])
        yield headline_text.certainty(row)
        yield from _probabilities(row)
    if row["origin"]:
        yield row["origin"]
    counted = _aside(row["operation_count_basis"]) if row["operation_count_flop"] is not None else ""
    yield f"by operations: {flop(row['operation_count_flop'])}{counted}"
    if row["gpu_time_flop"] is None:
        yield "by GPU time: unknown"
    else:
        informed = f"{flop(row['gpu_time_informed_flop'])} at {number(row['utilization_fraction'])}{_aside(row['utilization_basis'])}"
        yield f"by GPU time: {flop(row['gpu_time_flop'])} at the default utilization, {informed}"
    why = headline_text.unused_report(row["reconciliations"])
    yield f"reported by its authors: {flop(row['reported_flop'])}{f' (not used: {why})' if why else ''}"
    yield from (_external_estimate(each, row["training_flop"] is not None) for each in row["external_estimates"])
    if row["method_ratio"] is not None:
        verdict = f"disputed, likeliest cause: {row['dispute_cause']}" if row["is_disputed"] else "not disputed"
        implied = f"implied utilization {number(row['implied_utilization_fraction'])}"
        yield f"ratio of operations to GPU time: {number(row['method_ratio'])}; {verdict}; {implied}"
        if row["is_disputed"]:
            yield from headline_text.dispute(row["sentences"])
        said = INDEPENDENCE[Independence(row["independence"])]
        if said:
            yield said
    if row["imputed_inputs"]:
        yield f"filled by defaults: {row['imputed_inputs']}"
    if row["training_flop"] is None:
        yield from _missing(row["missing"])
    yield f"tier: {Tier.RECORD.value} ({TIERS[Tier.RECORD]})"
    yield f"evidence: training {row['training_evidence'] or 'none'}, network {row['network_evidence'] or 'none'}"
    if row["parameters"] is not None:
        yield f"parameters: {amount(row['parameters'])}{_active(row)}"
    if row["examples_seen"] is not None:
        unit = (row["example_unit"] or "example").replace("_", " ")
        yield f"examples seen: {amount(row['examples_seen'])} (one is a {unit})"
    if row["chip_hours"] is not None:
        yield f"chip-hours: {amount(row['chip_hours'])}"
    if row["energy_kwh"] is not None:
        whole, low, high = (amount(_rounded(row[f"energy_kwh{end}"])) for end in ("", "_low", "_high"))
        yield f"energy: {whole} kWh (90 % interval {low} to {high})"
    if row["base_model"]:
        yield _base(row)
    yield Heading("chips:") if row["chips"] else "chips: unknown"
    yield from (f"  {_allocation(each, row['model_id'])}" for each in row["chips"])
    yield from (f"erratum: {each['figure']}: {each['explanation']}" for each in row["errata"])
    yield Heading("sources:")
    for each in row["sources"][:MOST_SOURCES]:
        yield f"  {each['source']}: {', '.join(filter(None, (each['title'], each['url'])))}"
    if len(row["sources"]) > MOST_SOURCES:
        yield f"  and {len(row['sources']) - MOST_SOURCES} more: `flopledger show {row['model_id']} --json` has all"
    if row["training_flop"] is None:
        yield Aside(
            "with figures that you suppose: flopledger estimate --parameters N --tokens N, or --chips N --days N"
        )
    yield Aside(f"every fact and formula: flopledger explain {row['model_id']}")


def _probabilities(row: Row) -> Iterator[str]:
    """How likely the headline is above each threshold."""
    chances = {each.word: row[each.column] for each in THRESHOLDS if row[each.column] is not None}
    if chances:
        of = " (of the cumulative total)" if row["threshold_total"] == "cumulative_flop" else ""
        said = ", ".join(f"{probability(chance)} above {word}" for word, chance in chances.items())
        yield f"probability: {said}{of}"


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _active(row: Row) -> str:
    active = row["active_parameters"]
    return f", {amount(active)} of them used for an example" if active and active != row["parameters"] else ""


def _base(row: Row) -> str:
    base = f"fine-tuned from {row['base_model']}"
    if row["training_flop"] is not None:
        return f"{base}, whose training is included"
    return f"{base}, whose training took {flop(row['base_training_flop'])}; what it took on top of that is not known"


def _missing(missing: list[Row]) -> Iterator[str]:
    unread = [each["path"] for each in missing if not each["looked_in"] and not each["would_settle"]]
    for each in missing:
        if each["path"] not in unread:
            where = f" in {each['looked_in'].replace(' | ', ', ')}" if each["looked_in"] else ""
            settled = f"; would settle it: {each['would_settle']}" if each["would_settle"] else ""
            yield f"looked for and not found: {each['path']}{where}{settled}"
    if unread:
        yield f"not known: {', '.join(unread)}"


def _external_estimate(each: Row, is_estimated: bool) -> str:
    publication = ", ".join(filter(None, (each["title"], each["locator"])))
    words = f': "{each["text"]}"' if each["text"] else ""
    verdict = OUTCOMES[Outcome(each["outcome"])] if is_estimated else None
    return ": ".join(
        filter(None, (f"others state {flop(each['stated_flop'])} ({publication}{words})", verdict, each["note"]))
    )


def _allocation(own: Row, identifier: str) -> str:
    whose = "" if own["model_id"] == identifier else f"{own['model_id']} "
    chips = f"{amount(own['chips'])} x " if own["chips"] else ""
    days = f", {own['duration_seconds'] / DAY_SECONDS:.3g} days" if own["duration_seconds"] else ""
    whole = f", {amount(own['chip_seconds'] / HOUR_SECONDS)} chip-hours" if own["chip_seconds"] else ", time unknown"
    precision = f", {own['precision']}{_aside(own['precision_basis'])}" if own["precision"] else ""
    return f"{whose}{own['phase']}: {chips}{own['hardware_id'] or 'unknown chip'}{days}{whole}{precision}"


def _aside(basis: str | None) -> str:
    return f" ({basis})" if basis else ""
