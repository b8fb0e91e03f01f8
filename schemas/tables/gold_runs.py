"""Contract of `gold_runs`: one row a whole run whose operations and time are known, with what each way of estimating makes of it."""

from schemas import columns
from schemas.contract import Contract


class GoldRuns(Contract):
    """One row a whole run whose operations and time are known, with what each way of estimating makes of it."""

    gold_group_id = columns.gold_group_id()
    run = columns.run()
    owner = columns.owner()
    name = columns.name()
    model_id = columns.model_id(null=columns.NOT_OF_LEDGER)
    published = columns.published()
    network = columns.network(null=columns.NO_NETWORK)
    utilization_case = columns.utilization_case()
    example_unit = columns.example_unit()
    examples_seen = columns.examples_seen()
    steps = columns.steps(null=columns.NOT_STATED)
    batch = columns.batch(null=columns.NOT_STATED)
    sequence_length = columns.sequence_length(null=columns.NOT_STATED)
    hardware_id = columns.hardware_id()
    generation = columns.generation(null=columns.NO_WORD)
    chips = columns.chips(null=columns.NOT_STATED)
    chip_seconds = columns.chip_seconds()
    precision = columns.precision()
    run_evidence = columns.run_evidence()
    hours_cover = columns.hours_cover()
    operation_count_flop = columns.operation_count_flop()
    default_utilization_fraction = columns.default_utilization_fraction()
    utilization_middle_fraction = columns.utilization_middle_fraction(null=columns.NO_LIKE_MEASUREMENTS)
    gpu_time_flop = columns.gpu_time_flop()
    gpu_time_informed_flop = columns.gpu_time_informed_flop(null=columns.NO_LIKE_MEASUREMENTS)
    six_nd_flop = columns.six_nd_flop(null=columns.NO_TEXT_TOKENS)
    implied_utilization_fraction = columns.implied_utilization_fraction()
    weight = columns.weight()
    data_text = columns.data_text(null=columns.SEEN_OTHERWISE)
    data_found_at = columns.data_found_at(null=columns.SEEN_OTHERWISE)
    time_text = columns.time_text(null=columns.SEEN_OTHERWISE)
    time_found_at = columns.time_found_at(null=columns.SEEN_OTHERWISE)
    note = columns.note(null=columns.NONE_KNOWN)

    class Config:
        unique = ["gold_group_id", "run"]
