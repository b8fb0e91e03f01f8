"""Explains disputes, ranks the inputs that would narrow each interval most, and compares the two methods over all models."""

from collections import defaultdict
from typing import NamedTuple

from pipeline.rules import comparison, disputes, method_comparison, priorities, totals
from pipeline.rules.frames import rows
from schemas import params
from schemas.table import Table
from schemas.tables.defaults import Defaults, log_sds
from schemas.tables.dispute_causes import DisputeCauses
from schemas.tables.estimates import Estimates
from schemas.tables.external_estimates import ExternalEstimates
from schemas.tables.input_priorities import InputPriorities
from schemas.tables.lineages import Lineages
from schemas.tables.method_comparison import MethodComparison
from schemas.tables.method_comparison_summary import MethodComparisonSummary
from schemas.tables.models import Models
from schemas.tables.operation_estimates import OperationEstimates
from schemas.tables.reconciliations import Reconciliations


class Diagnosed(NamedTuple):
    """Causes of disputes, priorities of inputs, and the comparison of the methods."""

    dispute_causes: Table[DisputeCauses]
    input_priorities: Table[InputPriorities]
    method_comparison: Table[MethodComparison]
    method_comparison_summary: Table[MethodComparisonSummary]


def build(
    estimates: Table[Estimates], models: Table[Models], lineages: Table[Lineages], reconciliations: Table[Reconciliations],
    operation_estimates: Table[OperationEstimates], external_estimates: Table[ExternalEstimates], defaults: Table[Defaults], params: params.Reconcile,
) -> Diagnosed:  # fmt: skip
    """Explains disputes, ranks the inputs that would narrow each interval most, and compares the two methods over all models."""
    log_sd, classes, default_log_sd = (
        log_sds(defaults, name) for name in ("spread", "uncertainty_spread", "utilization")
    )
    described = {row["model_id"]: row for row in rows(models)}
    every = [{**described[row["model_id"]], **row} for row in rows(estimates)]
    ratio = {"ratio_variance": comparison.ratio_variance()}
    own = {row["model_id"]: row for row in rows(reconciliations.with_columns(**ratio))}
    disputed = [row for row in every if row["is_disputed"]]
    whole = dict(own)
    if any(row["base_model"] for row in disputed):  # to sum base models takes a tenth of a second, and most have none
        both = reconciliations.join(models.select("model_id", "chips_ratio"), on="model_id")
        summed = totals.with_bases(both, lineages, weakest=["examples_class"], maximum=["chips_ratio"])
        summed = summed.join(estimates.select("model_id", "independence"), on="model_id").with_columns(**ratio)
        whole |= {row["model_id"]: row for row in rows(summed)}
    counted = defaultdict(list)
    for row in rows(operation_estimates):
        counted[row["model_id"]].append(row)
    gained = {
        row["model_id"]: priorities.gained(
            row["headline_method"], counted[row["model_id"]], log_sd, classes, default_log_sd
        )
        for row in every
        if row["method_ratio"] is None
    }
    compared = method_comparison.compared(every)
    return Diagnosed(
        [cause for row in disputed for cause in disputes.explained(_disputed(row, own, whole, params))],
        priorities.ranked(every, own, gained),
        compared,
        [*method_comparison.summary(compared), *method_comparison.published(rows(external_estimates))],
    )  # fmt: skip


def _disputed(row, own, whole, params):
    identifier = row["model_id"]
    known = {**row, **whole[identifier], **{name: row[name] for name in Estimates.__columns__}}
    own_count = own[identifier]["operation_count_flop"] or 0.0
    return {
        **known,
        "base_share": 1 - own_count / row["operation_count_flop"],
        "dispute_ratio": params.dispute_ratio,
    }
