"""Run the rules for one model: a user's own model, or a what-if.

The published ledger is attached to the connection. Temporary tables hide its tables of the same name. Tables about
models contain only the model and its base models, and the rules read only these rows. So the SQL that gives the account
of a model in the ledger also works here. The ledger's own tables remain available as `ledger.main.estimates` and so on.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from pipeline.base.paths import RECORDS
from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.publishing.rows import rows
from pipeline.records import loading, params
from pipeline.records.refusals import in_records
from pipeline.records.yaml_text import Mistake
from pipeline.rules import impossible_amounts
from pipeline.rules.ingestion.tables import INGESTED
from schemas.errors import ContractError
from schemas.records import Model, Records
from schemas.spelling import Spellings, spellings

# Tables that the rules read for a model whose network is already counted.
RUN = ("models", "lineages", "contributions", "runs", "allocations")
OF_RECORDS = ("facts", "quotes", "fact_quotes", "sources", "identifiers")  # tables with rows for every kind of record
MODEL = {  # SQL for the model of a row; null for rows about chips, which are included too
    **dict.fromkeys((*RUN, "external_estimates", "missing_facts"), "model_id"),
    "layers": "split_part(architecture_id, '/', 1)",
    **dict.fromkeys(OF_RECORDS, "case record_kind when 'models' then record_id when 'hardware' then null else '' end"),
}
NAMES = {  # record names, by kind
    "models": "select model_id as id, name, concat_ws(' | ', aliases, former_ids) as aliases from models"
    " left join identifiers on record_kind = 'models' and record_id = model_id order by id",
    "hardware": """select hardware_id as id, name, concat_ws(' | ', aliases, runtime_names,
        array_to_string(list_transform(string_split(concat_ws(' | ', name, aliases), ' | '),
        lambda n: n || ' ' || round(memory_bytes / 1e9)::int || 'GB'), ' | ')) as aliases
    from hardware order by id""",  # each name also with the chip's memory
    "organizations": "select organization_id as id, name, aliases from organizations order by id",
    "places": "select distinct place as id, place as name, aliases from grid_factors order by id",
}
RELATIVES = """
with parts as (select part_id from lineages where list_contains($roots::varchar[], model_id)), all_parts as (
    from parts union
    select l.part_id from contributions c join parts p on p.part_id = c.model_id
    join lineages l on l.model_id = c.contributor_id
)
select part_id as model_id from all_parts where part_id <> $without"""
PARTS = "select part_id from lineages where list_contains($1, model_id)"
# A what-if changes a model but not its base models; callers bind $model and $value. Totals stated by the authors and
# stated disputes refer to the run as it was, so every what-if removes them.
SUPPOSED = {
    "anything": [
        "update models set reported_flop = null, reported_method = null, reported_convention = null,"
        " is_reported_hardware_flop = false, is_total_of_others = false,"
        " dispute_stated_cause = null, dispute_reason = null, dispute_sides_with = null,"
        " training_evidence = 'assumed' where model_id = $model"
    ],
    "epochs": [
        "update runs set epochs = $value, steps = null, steps_class = null, steps_range_log_sd = null,"
        " steps_bound = null, examples_class = case when examples_class in ('analysis', 'bound', 'assumed', 'range')"
        " then examples_class else 'table' end where model_id = $model and examples is not null"
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
}
# Tables about all models in the ledger, which no what-if changes.
OF_ALL_MODELS = ("rated_runs", "measured_cases", "utilization_model", "own_shares")


@dataclass(frozen=True, kw_only=True)
class Named(Records):
    """The published ledger's records: all names are loaded, but each record is read from its file when first used."""

    spelled: Mapping[str, Spellings]  # spellings by record kind

    def chip_ids(self) -> Spellings:
        """Return the id of a chip for each of its spellings."""
        return self.spelled["hardware"]

    def model_ids(self) -> Spellings:
        """Return the id of a model for each of its spellings."""
        return self.spelled["models"]

    def organization_ids(self) -> dict[str, str]:
        """Return the id of an organization for each of its names, in lower case."""
        return {name.lower(): identifier for name, identifier in self.spelled["organizations"].items()}

    def grid_places(self) -> Spellings:
        """Return the place for each of its names and codes, if its grid has an emission factor."""
        return self.spelled["places"]


class Read(Mapping[str, Any]):
    """Records of one kind by id; each is read from its file when first used."""

    def __init__(self, kind: str, ids: Iterable[str]) -> None:
        self._kind, self._ids, self._read = kind, dict.fromkeys(ids), dict[str, Any]()

    def __getitem__(self, identifier: str) -> Any:
        if identifier not in self._read and identifier in self._ids:
            self._read[identifier] = loading.read(RECORDS / self._kind / f"{identifier}.yaml")[0].record
        return self._read[identifier]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def ledger_records(connection: duckdb.DuckDBPyConnection, without_model: str = "") -> Named:
    """Return the ledger's records, except the model `without_model`, which the user's record replaces."""
    spelled = {kind: spellings(rows(connection, query)) for kind, query in NAMES.items()}
    spelled["models"] = Spellings({name: key for name, key in spelled["models"].items() if key != without_model})
    errata = [row["erratum_id"] for row in rows(connection, "from errata where model_id = $1", without_model)]
    return Named(
        spelled=spelled,
        models=Read("models", spelled["models"].values()),
        hardware=Read("hardware", spelled["hardware"].values()),
        organizations=Read("organizations", spelled["organizations"].values()),
        errata=Read("errata", errata),
    )


def add_record(
    connection: duckdb.DuckDBPyConnection,
    record: Mapping[str, Any] | Path,
    identifier: str,
    records: Records,
    further_models: Callable[[Model], Mapping[str, Model]] = lambda _: {},
) -> Model:
    """Add the model of a record like `add_model`, and return it.

    The record is a file, or a mapping as parsed from YAML. Raise RecordError or ContractError, naming the file if there
    is one.
    """
    try:
        if isinstance(record, Path):
            model = loading.load_model(record, records)
        else:
            model = loading.load_content(record, identifier, records)
    except loading.RecordError as problem:
        raise loading.RecordError(map(_or_not_yet, problem.mistakes)) from None
    try:
        add_model(connection, model, identifier, records, further_models)
    except ContractError as problem:
        raise in_records(problem, {identifier: record}) if isinstance(record, Path) else problem from None
    return model


def add_model(
    connection: duckdb.DuckDBPyConnection,
    model: Model,
    identifier: str,
    records: Records,
    further_models: Callable[[Model], Mapping[str, Model]] = lambda _: {},
) -> None:
    """Replace the ledger's rows about models by this model's rows, and run the rules on them.

    `further_models` returns models to add, by id. Raise ContractError if the rules give an impossible number.
    """
    _insert(connection, {identifier: model, **further_models(model)}, records)
    impossible_amounts.run(connection, in_memory.ESTIMATED, {*OF_ALL_MODELS})


def _or_not_yet(mistake: Mistake) -> Mistake:
    """Return the mistake, reworded if it names a record that is newer than the ledger."""
    name = mistake.message.partition(" is not a ")[0].strip("'")
    if not any(path.stem == name for kind in ("models", "hardware") for path in (RECORDS / kind).glob("*.yaml")):
        return mistake
    return mistake._replace(message=f"{name!r} has a record but is not in the ledger yet: run `make repro`")


def suppose(connection: duckdb.DuckDBPyConnection, identifier: str, changes: Mapping[str, Any]) -> None:
    """Change figures (keys of SUPPOSED) of a model in the ledger or from `add_record`, and run the rules again.

    Raise ContractError if the rules fail or an amount is impossible.
    """
    if not connection.execute("select 1 from duckdb_tables() where temporary and table_name = 'runs'").fetchall():
        _take(connection, RUN, [identifier])
        sql.set_params(connection, params.load().model_dump())
    for name, value in {"anything": None, **changes}.items():
        for statement in SUPPOSED[name]:
            filled_in = statement.replace("$model", sql.literal(identifier)).replace("$value", sql.literal(value))
            connection.execute(filled_in)
    impossible_amounts.run(connection, ["estimates"], {*OF_ALL_MODELS, "operation_counts", "operation_counts_by_kind"})


def _take(
    connection: duckdb.DuckDBPyConnection, names: Iterable[str], models: Iterable[str], without_model: str = ""
) -> None:
    """Copy the rows of these models, their base models and their contributors to temporary tables."""
    relatives = [row["model_id"] for row in rows(connection, RELATIVES, roots=[*models], without=without_model)]
    for name in names:
        key = MODEL[name]
        rows_of_them = f"from {name} where {key} is null or list_contains($1, {key})"
        connection.execute(f"create temp table {name} as {rows_of_them}", [relatives])


def _insert(connection: duckdb.DuckDBPyConnection, models: Mapping[str, Model], records: Records) -> None:
    """Insert the rows of models; the first one replaces the ledger's model with the same id."""
    parameters = params.load()
    relatives = [
        name
        for model in models.values()
        for name in (*model.base_ids, *(contribution.model for contribution in model.contributions or []))
    ]
    _take(connection, MODEL, filter(None, relatives), next(iter(models)))
    lineages = [
        {"model_id": identifier, "part_id": part}
        for identifier, model in models.items()
        for part in dict.fromkeys(
            [identifier, *model.base_ids, *(row["part_id"] for row in rows(connection, PARTS, model.base_ids))]
        )
    ]
    added = Records(models={**models})
    with_ledger = replace(records, models=added.models)
    for name in MODEL:
        of = added if name in OF_RECORDS else with_ledger
        sql.insert(connection, name, lineages if name == "lineages" else INGESTED[name](of, parameters))
    sql.set_params(connection, parameters.model_dump())
    _add_year(connection, added)


def _add_year(connection: duckdb.DuckDBPyConnection, added: Records) -> None:
    """Extend the table of typical peaks by year if the model is newer than every model in the ledger."""
    from pipeline.rules.ingestion import defaults, models

    model = next(iter(added.models.values()))  # the parts of a plan are of the same year
    ((last_year,),) = connection.execute("select max(published_year) from year_peaks").fetchall()
    if models.published_year(model) > last_year:
        default_records = {path.stem: loading.read(path)[0].record for path in (RECORDS / "defaults").glob("*.yaml")}
        connection.execute("create temp table year_peaks as from year_peaks limit 0")
        sql.insert(connection, "year_peaks", defaults.year_peaks(replace(added, defaults=default_records)))
