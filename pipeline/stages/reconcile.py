"""Compares the two methods for each model, names causes of disputes, and chooses the headline with its interval."""

from typing import NamedTuple

import narwhals as nw

from pipeline.rules import comparison, cumulative, description, disputes, energy, headline, totals
from pipeline.rules.frames import materialised
from schemas import params
from schemas.table import Table
from schemas.tables.completed_runs import CompletedRuns
from schemas.tables.contributions import Contributions
from schemas.tables.defaults import Defaults, log_sds, values
from schemas.tables.energy_estimates import EnergyEstimates
from schemas.tables.estimates import Estimates
from schemas.tables.gpu_time_estimates import GpuTimeEstimates
from schemas.tables.headline_components import HeadlineComponents
from schemas.tables.lineages import Lineages
from schemas.tables.models import Models
from schemas.tables.operation_estimates import OperationEstimates
from schemas.tables.reconciliations import Reconciliations


class Reconciled(NamedTuple):
    """The published estimates, and the terms of each model's own headline."""

    estimates: Table[Estimates]
    reconciliations: Table[Reconciliations]
    headline_components: Table[HeadlineComponents]


def build(
    models: Table[Models], lineages: Table[Lineages], contributions: Table[Contributions], operation_estimates: Table[OperationEstimates],
    gpu_time_estimates: Table[GpuTimeEstimates], energy_estimates: Table[EnergyEstimates], completed_runs: Table[CompletedRuns],
    defaults: Table[Defaults], params: params.Reconcile,
) -> Reconciled:  # fmt: skip
    """Compares the two methods for each model, names causes of disputes, and chooses the headline with its interval."""
    described = description.described(models, lineages, completed_runs, operation_estimates)
    models = models.drop(*description.TOLD)
    fitted, rates = log_sds(defaults, "uncertainty_spread"), values(defaults, "uncertainty")
    counted, timed = totals.counted(operation_estimates), totals.timed(gpu_time_estimates)
    both = models
    for of_models in (counted, timed, energy.of_models(energy_estimates)):
        both = both.join(of_models, on="model_id", how="left")
    is_timed = ~nw.col("has_untimed_phase")
    own = materialised(headline.choose_headline(
        comparison.compared(both.with_columns(nw.when(is_timed).then(nw.col(total)).alias(total) for total in (*totals.TIMED, *energy.SUMMED)), params),
        params, fitted, rates,
    ))  # fmt: skip
    summed = totals.with_bases(
        own, lineages, {"reported_flop": (), **headline.SUMMED, **energy.SUMMED}, weakest=[*totals.BASES, *headline.CLASSES], maximum=["chips_ratio", "shared_input"],
        any_true=[*totals.RECORD_FLAGS, "is_from_operations", "is_bound"], joined=["precision", "hardware", "headline_method"],
    )  # fmt: skip
    kept = [column for column in models.collect_schema().names() if column not in summed.collect_schema().names()]
    whole = models.select("model_id", *kept).join(summed, on="model_id").with_columns(headline_method=_of_sum())
    alone = own.join(summed, on="model_id", how="anti").select(*whole.collect_schema().names())
    together = materialised(comparison.without_unused(comparison.compared(nw.concat([alone, whole]), params)))
    estimates = headline.add_interval(disputes.with_causes(together, params), own, values(defaults, "hit_rate"), params)
    estimates = materialised(cumulative.with_cumulative(estimates, models, lineages, contributions))
    estimates = description.with_description(headline.add_probabilities(estimates, own, lineages), described)
    return Reconciled(energy.with_interval(estimates), own, headline.components(own))


def _of_sum():
    method = nw.col("headline_method")
    is_mixed = method.str.contains("+", literal=True)
    return nw.when(~nw.col("own_training_flop").is_null()).then(
        nw.when(is_mixed).then(nw.lit("sum_of_parts")).otherwise(method)
    )
