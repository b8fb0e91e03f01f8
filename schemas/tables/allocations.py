"""One row an allocation of chips to a phase, as its record states it."""

from schemas import columns
from schemas.contract import Contract


class Allocations(Contract, grain="model_id phase allocation"):
    model_id = columns.model_id()
    phase = columns.phase()
    allocation = columns.allocation()
    hardware_id = columns.hardware_id(null=columns.NO_CHIP)
    stated_hardware_basis = columns.hardware_basis(null=columns.NO_CHIP)
    chips = columns.chips(null=columns.NOT_STATED)
    duration_seconds = columns.duration_seconds(null=columns.NOT_STATED)
    stated_chip_seconds = columns.stated_chip_seconds(null=columns.NOT_STATED)
    chip_seconds_class = columns.chip_seconds_class(null=columns.NO_CHIP_TIME)
    chip_seconds_range_log_sd = columns.chip_seconds_range_log_sd(null=columns.NO_RANGE)
    chip_seconds_bound = columns.chip_seconds_bound(null=columns.NO_BOUND)
    is_from_operations = columns.is_from_operations()
