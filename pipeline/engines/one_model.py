"""Rows of one model in the ledger's tables, and the rules run on them: a user's own model, or a what-if.

The published ledger is attached to the connection. Temporary tables stand before its own of the same name: those with
rows of models hold the model and what it rests on alone, and the rules make theirs of these. So SQL that gives an
account of a model of the ledger gives one here; `ledger.main.estimates` and the like are the ledger's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from pipeline.base.paths import RECORDS
from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.publishing import database
from pipeline.publishing.rows import rows
from pipeline.rules import possible

if TYPE_CHECKING:
    from pipeline.records.own import Inputs, Own
    from pipeline.records.yaml_text import Mistake
    from schemas.records import Model, Records

FORECASTS = Path(__file__).with_name("forecasts.sql")  # of `plans`: which two models are a plan, and what it leaves out
UNIT = {"parameters": 1e9, "tokens": 1e9, "chips": 1.0, "days": 1.0}  # of what a plan leaves out, first asked for
RUN = (
    "models",
    "lineages",
    "contributions",
    "runs",
    "allocations",
)  # what the rules read of a model whose network is counted
OF_RECORDS = ("facts", "quotes", "fact_quotes", "sources", "identifiers")  # rows of every kind of record
MODEL = {  # the model of a row; null of a chip's, which are taken too
    **dict.fromkeys((*RUN, "external_estimates", "missing_facts"), "model_id"),
    "layers": "split_part(architecture_id, '/', 1)",
    **dict.fromkeys(OF_RECORDS, "case record_kind when 'models' then record_id when 'hardware' then null else '' end"),
}
RELATIVES = """create temp table relatives as
with parts as (select part_id from lineages where list_contains($roots::varchar[], model_id)), all_parts as (
    from parts union
    select l.part_id from contributions c join parts p on p.part_id = c.model_id
    join lineages l on l.model_id = c.contributor_id
)
select part_id as model_id from all_parts where part_id <> $without"""
# What is supposed of a model, not of its base models: statements for the command line and for the browser, which put in
# $model and $value. A total that its authors state, and a stated dispute, are of the run as it was.
SUPPOSED = {
    "anything": [
        "update models set reported_flop = null, reported_method = null, reported_convention = null,"
        " is_reported_hardware_flop = false, dispute_stated_cause = null, dispute_reason = null,"
        " dispute_sides_with = null, training_evidence = 'assumed' where model_id = $model"
    ],
    "epochs": [
        "update runs set epochs = $value, steps = null, steps_class = null, steps_range_log_sd = null,"
        " steps_bound = null, examples_class = case when examples_class in ('analysis', 'bound', 'assumed', 'range')"
        " then examples_class else 'table' end where model_id = $model and examples is not null",
    ],
    "utilization": [
        "update runs set stated_utilization_fraction = $value, stated_utilization_basis = 'assumed'"
        " where model_id = $model"
    ],
    "precision": ["update runs set stated_precision = $value where model_id = $model"],
    "hardware": [
        "update allocations set hardware_id = $value where model_id = $model",
        "update models set hardware = $value where model_id = $model"
        " and model_id in (select model_id from allocations)",
    ],
    "time": [
        "update allocations set duration_seconds = duration_seconds * $value,"
        " stated_chip_seconds = stated_chip_seconds * $value where model_id = $model"
    ],
}
# Of all models of the ledger: nothing that is supposed of one changes these.
OF_ALL_MODELS = (
    "rated_runs",
    "measured_cases",
    "utilization_model",
    "range_cases",
    "range_backtests",
    "statement_counts",
)


def of_figures(inputs: Inputs, identifier: str = "my-model") -> tuple[duckdb.DuckDBPyConnection, str, Own]:
    """The tables of a model of which a few figures are stated, its id, and its record with what was filled in.

    Raises InputError for the figures, and RecordError or ContractError where they contradict each other.
    """
    from pipeline.records import loading, own

    connection = database.attached()
    records = known(connection, identifier)
    stated = own.made(inputs, records)
    _estimate(connection, identifier, loading.load_content(stated.record, identifier, records), records)
    return connection, identifier, stated


def of_plan(work: Inputs, timed: Inputs) -> duckdb.DuckDBPyConnection:
    """The rows of two models, `work` that states operations and `timed` that states chips and time; no rule has run."""
    from pipeline.records import loading, own

    connection = database.attached()
    records = known(connection)
    made = {name: own.made(figures, records).record for name, figures in (("work", work), ("timed", timed))}
    _insert(connection, {name: loading.load_content(record, name, records) for name, record in made.items()}, records)
    return connection


def of_content(record: Mapping[str, Any], identifier: str) -> duckdb.DuckDBPyConnection:
    """The tables of a model whose record is a mapping, as YAML would hold it. Raises RecordError and ContractError."""
    from pipeline.records import loading

    connection = database.attached()
    records = known(connection, identifier)
    _estimate(connection, identifier, loading.load_content(record, identifier, records), records)
    return connection


def of_record(path: Path) -> tuple[duckdb.DuckDBPyConnection, str]:
    """The tables of the model of a record's file, and its id, the file's name. Raises RecordError."""
    from pipeline.records import loading
    from pipeline.records.refused import in_records
    from schemas.errors import ContractError

    connection, identifier = database.attached(), path.stem
    records = known(connection, identifier)
    try:
        _estimate(connection, identifier, loading.load_model(path, records), records)
    except ContractError as problem:
        raise in_records(problem, {identifier: path}) from None
    except loading.RecordError as problem:
        raise loading.RecordError(map(_or_not_yet, problem.mistakes)) from None
    return connection, identifier


def _or_not_yet(mistake: Mistake) -> Mistake:
    """The mistake, or of a name that is unknown because its record is newer than the ledger, that."""
    name = mistake.message.partition(" is not a ")[0].strip("'")
    if not any(path.stem == name for kind in ("models", "hardware") for path in (RECORDS / kind).glob("*.yaml")):
        return mistake
    return mistake._replace(message=f"{name!r} has a record and is not in the ledger yet: run `make repro`")


def supposed(identifier: str, changes: Mapping[str, Any]) -> duckdb.DuckDBPyConnection:
    """The tables of a model of the ledger with these changes: values by key of SUPPOSED. Raises ContractError."""
    connection = database.attached()
    suppose(connection, identifier, changes)
    return connection


def suppose(connection: duckdb.DuckDBPyConnection, identifier: str, changes: Mapping[str, Any]) -> None:
    """Makes the same of a model of a connection to the ledger, or of one that `of_record` gave."""
    from pipeline.records import params

    if not connection.execute("select 1 from duckdb_tables() where temporary and table_name = 'runs'").fetchall():
        _take(connection, RUN, [identifier])
        sql.set_params(connection, params.load().model_dump())
    for name, value in {"anything": None, **changes}.items():
        for statement in SUPPOSED[name]:
            written = statement.replace("$model", sql.literal(identifier)).replace("$value", sql.literal(value))
            connection.execute(written)
    possible.run(connection, ["estimates"], {*OF_ALL_MODELS, "operation_counts", "operation_counts_by_kind"})


def known(connection: duckdb.DuckDBPyConnection, without_model: str = "") -> Records:
    """The ledger's models, chips, organizations and errata as records, with what those that name them are checked by.

    `without_model` is left out: a model that the user's record replaces.
    """
    from schemas import records
    from schemas.facts import Dies, Word
    from schemas.prices import Grid

    def read(query: str) -> dict[str, dict[str, Any]]:
        return {row.pop("id"): row for row in rows(connection, query)}

    def word(value: str | None) -> Word | None:
        return Word.model_construct(value=value) if value else None

    listed = "coalesce(string_split({0}, ' | '), []) as {1}".format
    models = read(
        f"""select model_id as id, name, base_model, {listed("aliases", "aliases")},
        {listed("former_ids", "renamed_from")} from models
        left join identifiers on record_kind = 'models' and record_id = model_id order by id"""
    )
    chips = read(
        f"""select hardware_id as id, name, {listed("aliases", "aliases")}, released, cores_per_chip,
        list(precision order by peak_flop_per_second, precision) as peaks
        from hardware join peaks using (hardware_id) group by all order by id"""
    )
    organizations = read(
        f"""select organization_id as id, name, {listed("aliases", "aliases")}, country,
        list({{value: parent_organization_id, since: since}}) filter (parent_organization_id is not null) as parents
        from organizations left join organization_parents using (organization_id) group by all order by id"""
    )
    disputed = read("select model_id as id, model_id as model, true as is_reported_flop from models where has_erratum")
    models.pop(without_model, None)
    for chip in chips.values():
        cores = chip["cores_per_chip"]
        chip |= {"released": word(chip["released"]), "peaks": dict.fromkeys(chip["peaks"])}
        chip["cores_per_chip"] = Dies(value=cores) if cores else None
    for organization in organizations.values():
        parents = [records.Parent.model_construct(**parent) for parent in organization["parents"] or []]
        organization |= {"country": word(organization["country"]), "parents": parents}
    places = [
        Grid.model_construct(place=row["place"])
        for row in rows(connection, "select distinct place from grid_factors order by place")
    ]
    return records.Records(
        grid_factors={"ledger": records.GridFactors.model_construct(factors=places)},
        models={name: records.Model.model_construct(**row) for name, row in models.items()},
        hardware={name: records.Chip.model_construct(**row) for name, row in chips.items()},
        organizations={name: records.Organization.model_construct(**row) for name, row in organizations.items()},
        errata={name: records.Erratum.model_construct(**row) for name, row in disputed.items()},
    )


def _take(
    connection: duckdb.DuckDBPyConnection, names: Iterable[str], models: Iterable[str], without_model: str = ""
) -> None:
    """Makes temporary tables of the rows of these models, their base models and what contributed to them."""
    connection.execute(RELATIVES, {"roots": [*models], "without": without_model})
    for name in names:
        key = MODEL[name]
        connection.execute(f"create temp table {name} as from {name} where {key} is null or {key} in (from relatives)")


def _estimate(connection: duckdb.DuckDBPyConnection, identifier: str, model: Model, records: Records) -> None:
    """Inserts the rows of a model and runs the rules on them. Raises ContractError."""
    _insert(connection, {identifier: model}, records)
    possible.run(connection, in_memory.ESTIMATED, {*OF_ALL_MODELS})


def _insert(connection: duckdb.DuckDBPyConnection, models: Mapping[str, Model], records: Records) -> None:
    """Inserts the rows of models, in place of one of the ledger that has the id of the first."""
    from pipeline.records import params
    from pipeline.rules.ingestion.tables import INGESTED

    parameters = params.load()
    named = [
        name
        for model in models.values()
        for name in (model.base_model, *(contribution.model for contribution in model.contributions or []))
    ]
    _take(connection, MODEL, filter(None, named), next(iter(models)))
    alone = type(records)(models={**models})
    beside = replace(records, models=alone.models)
    for name in MODEL:
        if name != "lineages":
            sql.insert(connection, name, INGESTED[name](alone if name in OF_RECORDS else beside, parameters))
    for identifier, model in models.items():
        # DuckDB would read, in an insertion from the table itself, the rows that it inserts.
        parts = rows(connection, "select part_id from lineages where model_id = $1", model.base_model)
        own_parts = [{"model_id": identifier, **part} for part in [{"part_id": identifier}, *parts]]
        sql.insert(connection, "lineages", own_parts)
        _add_year(connection, replace(alone, models={identifier: model}))
    sql.set_params(connection, parameters.model_dump())


def _add_year(connection: duckdb.DuckDBPyConnection, alone: Records) -> None:
    """Makes the table of usual peaks anew where the model is newer than all of the ledger's."""
    from pipeline.records import loading
    from pipeline.rules.ingestion import defaults, models

    (model,) = alone.models.values()
    ((last_year,),) = connection.execute("select max(published_year) from year_peaks").fetchall()
    if models.published_year(model) > last_year:
        stated = {path.stem: loading.read(path)[0].record for path in (RECORDS / "defaults").glob("*.yaml")}
        connection.execute("create temp table year_peaks as from year_peaks limit 0")
        sql.insert(connection, "year_peaks", defaults.year_peaks(replace(alone, defaults=stated)))
