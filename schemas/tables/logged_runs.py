"""One row a gold run, as its record or that of its model states it."""

from schemas import columns
from schemas.contract import Contract


class LoggedRuns(Contract, grain="gold_group_id run"):
    gold_group_id = columns.gold_group_id()
    run = columns.run()
    owner = columns.owner()
    measured_by = columns.measured_by(null=columns.NONE_KNOWN)
    name = columns.name()
    model_id = columns.model_id(null=columns.NOT_OF_LEDGER)
    published = columns.published()
    architecture_id = columns.architecture_id()
    network = columns.network(null=columns.NO_NETWORK)
    utilization_case = columns.utilization_case()
    example_unit = columns.example_unit()
    examples_seen = columns.examples_seen()
    steps = columns.steps(null=columns.NOT_STATED)
    batch = columns.batch(null=columns.NOT_STATED)
    sequence_length = columns.sequence_length(null=columns.NOT_STATED)
    architecture_passes_per_example = columns.architecture_passes_per_example()
    stated_precision = columns.stated_precision(null=columns.NOT_STATED)
    hardware_id = columns.hardware_id()
    chips = columns.chips(null=columns.NOT_STATED)
    chip_seconds = columns.chip_seconds()
    data_text = columns.data_text(null=columns.SEEN_OTHERWISE)
    data_found_at = columns.data_found_at(null=columns.SEEN_OTHERWISE)
    time_text = columns.time_text(null=columns.SEEN_OTHERWISE)
    time_found_at = columns.time_found_at(null=columns.SEEN_OTHERWISE)
    run_evidence = columns.run_evidence()
    hours_cover = columns.hours_cover()
    note = columns.note(null=columns.NONE_KNOWN)
