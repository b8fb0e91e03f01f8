"""The views of ledger.duckdb: frequent joins, with their descriptions and SQL, and the schema of each table and view.

A view describes only the columns that no table has; schemas/columns describes the others.
"""

from pathlib import Path
from typing import NamedTuple

from pipeline.models import sql
from schemas.tables import columns_of
from schemas.vocabulary import Tier


class View(NamedTuple):
    """The description of a view (its grain first), its SELECT, and the meaning of the columns that only it has."""

    description: str
    sql: str
    columns: dict[str, str]


# Tables and views of the schema main, in the order in which the README names them; all others are in the schema work.
MAIN = (
    "estimates",
    "models",
    "disputes",
    "facts",
    "facts_of_models",
    "sources",
    "changes",
    "external_estimates",
    "blind_test",
    "catalogue_estimates",
    "all_estimates",
    "keys",
    "forward_flop_by_key",
    "capabilities",
    "hardware",
    "peaks",
    "hardware_prices",
    "utilization_by_family",
    "trends",
)
OF_RECORDS = ("evidence_class", "named_second", "gap_ratio")  # null for rows of Epoch's table
VIEWS: dict[str, View] = {
    "models_without_estimate": View(
        "One row per model without an estimate: what it took at least, if that is known, and the largest figure that"
        " other people state.",
        """
        select model_id, e.name, organization, published, domain, training_flop_at_least,
            stated_flop as external_flop, stated_flop_low as external_flop_low, stated_flop_high as external_flop_high,
            stated_bound as external_bound, s.title as external_title
        from estimates e left join external_estimates x using (model_id)
        left join sources s using (model_id, source)
        where training_flop is null
        qualify row_number() over (partition by model_id order by stated_flop desc nulls last, external_estimate_id) = 1
        """,
        {
            "external_flop": "The largest figure stated by other people, which no estimate uses.",
            "external_flop_low": "Low end of the range that its source gives.",
            "external_flop_high": "High end of the range that its source gives.",
            "external_bound": "at_least or at_most if the source states a bound.",
            "external_title": "Title of the source.",
        },
    ),
    "all_estimates": View(
        "One row per model: models with a record, and rows of Epoch's table without one; `tier` distinguishes them.",
        """
        select 'record' as tier, model_id, cast(null as bigint) as source_row,
            cast(null as varchar) as no_estimate_reason, {shared}, {of_records}
        from estimates
        union all by name
        select 'catalogue' as tier, model_id, source_row, no_estimate_reason, {shared}
        from catalogue_estimates where model_id is null
        """,
        {"tier": f"Where the estimate comes from: {Tier.RECORD.words}, or {Tier.CATALOGUE.words}."},
    ),
    "disputes": View(
        "One row per model whose two methods disagree: both estimates, the cause in words, and the fact that would"
        " settle it.",
        """
        select model_id, name, published, domain, operation_count_flop, gpu_time_flop, method_ratio, independence,
            dispute_cause, dispute_sentence, implied_utilization_fraction,
            utilization_fraction, utilization_basis, hardware, precision, imputed_inputs
        from estimates join sentences using (model_id) where is_disputed
        """,
        {},
    ),
    "facts_of_models": View(
        "One row per model and fact of its record: the value, its evidence, and the title and address of its source.",
        """
        select model_id, name, path, written, amount, unit, evidence, source, title, url, text,
            found_at, via, derived, note
        from facts join (select model_id, name from models) using (model_id)
        """,
        {},
    ),
    "capabilities": View(
        "One row per model with Epoch's capabilities index: the index next to our estimate of its training compute.",
        """
        select model_id, source_row, r.name, coalesce(e.published_date, c.published_date) as published_date,
            eci, eci_low, eci_high, coalesce(e.training_flop, c.training_flop) as training_flop,
            coalesce(e.training_flop_low, c.training_flop_low) as training_flop_low,
            coalesce(e.training_flop_high, c.training_flop_high) as training_flop_high
        from epoch_results r join catalogue_estimates c using (source_row) left join estimates e using (model_id)
        where eci is not null
        """,
        {},
    ),
    "forward_flop_by_key": View(
        "One row per key of another system: what one token takes in the model, from which tools estimate the energy"
        " of a request.",
        """
        select key, system, relation, model_id, parameters, active_parameters, forward_flop_per_token
        from keys join estimates using (model_id) left join (
            select model_id, arg_max(forward_flop_per_example, operation_count_flop) as forward_flop_per_token
            from operation_estimates join completed_runs using (model_id, phase)
            where example_unit = 'token' group by model_id
        ) using (model_id)
        """,
        {
            "key": columns_of("keys")["key"].description,
            "system": columns_of("keys")["system"].description,
            "relation": columns_of("keys")["relation"].description,
            "forward_flop_per_token": "FLOP of one forward pass per token, at the sequence length of the model's"
                " largest phase of training.",
        },
    ),
    "utilization_by_family": View(
        "One row per family of networks: the share of the chips' peak that measured training reached, and the default.",
        """
        select network, count(*) as rows, count(distinct measurement_id) as sources_number,
            quantile_cont(measured_utilization_fraction, 0.1) as utilization_p10_fraction,
            median(measured_utilization_fraction) as utilization_median_fraction,
            quantile_cont(measured_utilization_fraction, 0.9) as utilization_p90_fraction,
            any_value(default_utilization_fraction) as default_utilization_fraction,
            avg(is_within_factor_two::int) as share_within_factor_two_fraction,
            median(abs(ln(measured_utilization_fraction / default_utilization_fraction))) as default_log_error,
            median(abs(ln(measured_utilization_fraction / utilization_middle_fraction))) as predicted_log_error
        from checks left join (from utilization_backtests select measurement_id, row, utilization_middle_fraction)
            using (measurement_id, row)
        group by network
        """,
        {},
    ),
    "trend_models": View(
        "One row per model with an estimate and without a base model, from which `trends` computes growth.",
        """
        select model_id, parent_organization, published_date, training_flop,
            year(published_date) >= 2010 as is_in_period
        from estimates where training_flop is not null and base_model is null
        """,
        {"is_in_period": "Whether the model was published in 2010 or later, so that it counts towards growth."},
    ),
    "trends": View(
        "One row per frontier: how fast training compute grows with the date of publication (methods, section 10).",
        Path(__file__).with_name("trends.sql").read_text(encoding="utf-8"),
        {
            "frontier": "The models to which the line is fitted: those of all sizes, or those among the 10, 5 or 1"
                " largest when they were published.",
            "organizations_number": "Number of organizations behind these models; a company and its subsidiaries"
                " count as one.",
            "first_published_date": "Date of publication of the first model.",
            "last_published_date": "Date of publication of the last model.",
            "growth_factor": "Growth of training compute per year, as a factor.",
            "growth_factor_low": "Low end of its 90 % interval.",
            "growth_factor_high": "High end of its 90 % interval.",
            "doubling_months": "Months in which training compute doubles.",
            "doubling_months_low": "Low end of its 90 % interval.",
            "doubling_months_high": "High end of its 90 % interval; null if the interval includes no growth.",
            "first_flop": "Training compute on the line when the first model was published.",
            "last_flop": "Training compute on the line when the last model was published.",
            "growth_sentence": "The growth in words.",
        },
    ),
    "reading_errors": View(
        "One row per kind of fact: how blind second readings compare with the ledger, and who was wrong if they"
        " differ.",
        """
        select path, count(*) as readings_number,
            count(*) filter (reading_outcome in ('agrees', 'differs')) as compared_number,
            count(*) filter (reading_outcome = 'agrees') / compared_number as agreeing_fraction,
            count(*) filter (difference = 'ledger_wrong') / compared_number as ledger_wrong_fraction,
            count(*) filter (difference = 'reader_wrong') / compared_number as reader_wrong_fraction,
            count(*) filter (difference = 'scope') / compared_number as scope_fraction,
            count(*) filter (difference = 'open') / compared_number as open_fraction,
            sqrt(avg(ln(reading_ratio) ** 2) filter (difference <> 'scope')) as difference_log_sd,
            count(*) filter (reading_outcome = 'only_reader') as only_reader_number,
            count(*) filter (reading_outcome = 'only_reader' and settlement = 'ledger_wrong') as ledger_silent_number,
            count(*) filter (reading_outcome = 'only_ledger') as only_ledger_number,
            count(*) filter (reading_outcome = 'other_unit') as other_unit_number,
            count(*) filter (reading_outcome = 'neither') as neither_number
        from (
            select *, case reading_outcome when 'differs' then settlement end as difference from reading_comparison
        ) group by path
        """,
        {
            "readings_number": "Number of models for which a reader looked for the fact.",
            "compared_number": "Number of models for which both reader and ledger state the fact, in one unit.",
            "agreeing_fraction": "Share of compared facts that agree.",
            "ledger_wrong_fraction": "Share that differ because the ledger was wrong.",
            "reader_wrong_fraction": "Share that differ because the reader was wrong.",
            "scope_fraction": "Share that differ because reader and ledger mean different things, and both are right.",
            "open_fraction": "Share that differ although the sources do not show who is right.",
            "difference_log_sd": "Root mean square of ln(reading_ratio) of facts that differ although both mean the"
                " same thing.",
            "only_reader_number": "Number of models for which only the reader found the fact.",
            "ledger_silent_number": "Number of these for which the sources state the fact, so that we corrected the"
                " record.",
            "only_ledger_number": "Number of models for which only the ledger states the fact.",
            "other_unit_number": "Number of models for which both state the fact, in units that cannot be converted.",
            "neither_number": "Number of models for which neither states the fact.",
        },
    ),
}  # fmt: skip


def statement(name: str) -> str:
    """Return a view's SELECT, with schemas of tables; `{shared}` becomes the columns of both tables of estimates."""
    query = VIEWS[name].sql
    tables = ", ".join(f"{table} as (from {schema(table)}.{table})" for table in sorted(sql.tables_in(query)))
    columns, others = columns_of("estimates"), columns_of("catalogue_estimates")
    shared = ", ".join(column for column in columns if column in others and column != "model_id")
    query = query.replace("{shared}", shared).replace("{of_records}", ", ".join(OF_RECORDS))
    return f"with {tables} from ({query})"


def schema(name: str) -> str:
    """Return the schema of ledger.duckdb that has this table or view."""
    return "main" if name in MAIN else "work"
