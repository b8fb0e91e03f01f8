"""Rules across a release's tables, such as that parts sum to totals; schemas/expectations.yml has those of one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import duckdb

SHOWN = 5  # rows shown if a rule is broken
NEAR_ONE = "abs(ratio - 1) > 1e-9"
MODELS_BEFORE = "from identifiers_before where record_kind = 'models' and not is_retired"


class Rule(NamedTuple):
    """A rule: the table that it is about, what holds, why, and the query for what breaks it, in one column of text."""

    table: str
    expectation: str
    reason: str
    sql: str


RULES = (
    Rule(
        "identifiers",
        "every id of the last release is a record or retired",
        "ids are permanent: bring the record back, or add data/records/retired/<id>.yaml",
        """
        select record_kind || '/' || record_id
        from identifiers_before anti join identifiers using (record_kind, record_id)
        """,
    ),
    Rule(
        "estimates",
        "every model of the last release that is not retired has a row",
        "citations of a published model must stay valid",
        f"""
        select record_id from ({MODELS_BEFORE}) anti join estimates on model_id = record_id
            anti join (from identifiers where is_retired) using (record_kind, record_id)
        """,
    ),
    Rule(
        "estimates",
        "training_flop is known for at least 98 % of the models whose inputs were not looked for in vain",
        "a record that lists its missing facts needs no number; if another record has none, an input was lost",
        """
        with asked as (
            from estimates where training_flop is not null
                or model_id not in (select model_id from missing_facts where looked_in is not null)
        )
        select model_id from asked
        where training_flop is null and (select avg((training_flop is not null)::int) from asked) < 0.98
        """,
    ),
    Rule(
        "changes",
        "no model loses its number through rules",
        "a changed fact of its record, or of its base model's, is the reason; if there is none, a rule or a default"
        " lost the number",
        """
        select model_id from changes
        where column_name = 'training_flop' and new is null and starts_with(reason, 'rules')
        """,
    ),
    Rule(
        "operation_estimates",
        "the phases of a model sum to its operation_count_flop",
        "no phase is lost or counted twice; except fine-tuned models, whose sum includes the base model",
        f"""
        select model_id from (
            select model_id,
                sum(o.operation_count_flop::decimal(38, 0))::double / any_value(e.operation_count_flop) as ratio
            from operation_estimates o join models m using (model_id) join estimates e using (model_id)
            where m.base_model is null group by model_id
        ) where {NEAR_ONE}
        """,
    ),
    Rule(
        "operation_counts_by_kind",
        "the kinds of layers of a network sum to its forward_flop",
        "a layer of no kind would be counted but not listed",
        f"""
        select architecture_id from (
            select architecture_id, sum(kind_forward_flop::decimal(38, 0))::double / any_value(forward_flop) as ratio
            from operation_counts_by_kind join operation_counts using (architecture_id) group by architecture_id
        ) where {NEAR_ONE}
        """,
    ),
    Rule(
        "utilization_cells",
        "the rows of utilization.csv sum to the measurements on chips of a known generation",
        "medians must cover all rows",
        """
        select network from (
            select network, count(*) as measured from checks join hardware using (hardware_id)
            where generation is not null group by network
        ) left join (select network, sum("rows") as cells from utilization_cells group by network) using (network)
        where coalesce(cells, 0) <> measured
        """,
    ),
    Rule(
        "lineages",
        "the total of a fine-tuned model is at least that of its base",
        "its total includes the base model's training",
        """
        select model_id from lineages l join estimates tuned using (model_id)
            join estimates base on base.model_id = l.part_id
        where l.model_id <> l.part_id and tuned.training_flop < base.training_flop
        """,
    ),
)


def outcomes(tables: Mapping[str, duckdb.DuckDBPyRelation], before: Path) -> Iterator[tuple[Rule, list[str]]]:
    """Yield each rule with what breaks it, in order. `before` is identifiers.csv of the last release, if it exists.

    `tables` must belong to DuckDB's default connection.
    """
    former = duckdb.read_csv(str(before)) if before.exists() else tables["identifiers"]
    for name, table in {**tables, "identifiers_before": former}.items():
        table.create_view(name, replace=True)
    for rule in RULES:
        yield rule, [text for (text,) in duckdb.sql(f"from ({rule.sql}) order by 1").fetchall()]


def violations(breaking: list[str]) -> str:
    """Return in words what breaks a rule.

    >>> violations([]), violations(["gpt-3", "gpt-4"])
    ('no row fails it', '2 fail it: gpt-3, gpt-4')
    """
    return f"{len(breaking)} fail it: {', '.join(breaking[:SHOWN])}" if breaking else "no row fails it"
