"""Contract of `rated_runs`: one row a run of `benchmark_runs` with the utilization that it reached, or why none."""

from schemas import columns
from schemas.contract import Contract


class RatedRuns(Contract):
    """One row a run of `benchmark_runs` with the utilization that it reached, or why it has none or one that is not used."""

    measurement_id = columns.measurement_id()
    row = columns.row()
    submitter = columns.submitter()
    division = columns.division(null=columns.NOT_LOGGED)
    task = columns.task()
    architecture_id = columns.architecture_id(null=columns.NOT_COUNTED)
    network = columns.network(null=columns.NOT_COUNTED)
    utilization_case = columns.utilization_case(null=columns.NOT_COUNTED)
    not_counted_reason = columns.not_counted_reason(null=columns.IS_COUNTED)
    predicts = columns.predicts()
    stated_chip = columns.stated_chip(null=columns.NO_SYSTEM)
    hardware_id = columns.hardware_id(null="The chip is not stated, or no record has its name.")
    chips = columns.chips(null=columns.NO_SYSTEM)
    nodes = columns.nodes(null=columns.NO_SYSTEM)
    precision = columns.precision(null=columns.NO_SCRIPT)
    precision_words = columns.precision_words(null=columns.NO_SCRIPT)
    precision_place = columns.precision_place(null=columns.NO_SCRIPT)
    batch = columns.batch(null=columns.NOT_LOGGED)
    run_kind = columns.run_kind()
    examples_seen = columns.logged_examples_seen(null=columns.NOT_LOGGED)
    run_seconds = columns.run_seconds()
    evaluation_seconds = columns.evaluation_seconds(null=columns.NOT_LOGGED)
    repeats = columns.repeats()
    repeats_log_sd = columns.repeats_log_sd(null="There is one run alone.")
    place = columns.log_place()
    generation = columns.generation(null=columns.NO_WORD)
    peak_flop_per_second = columns.peak_flop_per_second(null=columns.NO_RUN_PEAK)
    forward_flop = columns.forward_flop(null=columns.NOT_COUNTED)
    elementwise_flop = columns.elementwise_flop(null=columns.NOT_COUNTED)
    examples_per_second = columns.examples_per_second(null=columns.NOT_LOGGED)
    measured_utilization_fraction = columns.measured_utilization_fraction(null="See `left_out_reason`.")
    default_utilization_fraction = columns.default_utilization_fraction(null=columns.NOT_COUNTED)
    left_out_reason = columns.left_out_reason(null="The utilization is used.")

    class Config:
        unique = ["measurement_id", "row"]
