"""One row a submitter, system and task of a table of measured runs: the median of its repeats, read from its log."""

from schemas import columns
from schemas.contract import Contract


class BenchmarkRuns(Contract, grain="measurement_id row"):
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
    node_watts = columns.node_watts(null=columns.NOT_LOGGED)
    repeats = columns.repeats()
    repeats_log_sd = columns.repeats_log_sd(null="There is one run alone.")
    place = columns.log_place()
