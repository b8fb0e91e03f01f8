"""Columns of chips and GPU time, and of defaults."""

from schemas import vocabulary
from schemas.columns.declared import (
    DAY,
    FRACTION,
    IDENTIFIER,
    LOG_SD,
    NOT_NEGATIVE,
    PEAK,
    POSITIVE,
    Column,
    any_of,
    sentences,
)

# Chips and GPU time
hardware_id = Column("text", "Permanent id of a chip: the file name of its record.", checks=IDENTIFIER)
generation = Column("text", "Microarchitecture or line of the chip.", checks=any_of(vocabulary.Generation))
released = Column("text", "Release date of a chip.", checks=DAY)
cores_per_chip = Column("number", "Cores on a chip, where publications count cores.", checks=POSITIVE)
dies_per_chip = Column("number", "Dies on a card that publications count as one.", checks=POSITIVE)
devices_per_chip = Column("number", "Devices that torch or JAX show for one chip, as recorded.", checks=POSITIVE)
runtime_names = Column("text", "Names of a chip that software prints, joined by |.")
only_precision = Column("text", "The chip's matrix format, where it has only one.", checks=any_of(vocabulary.Precision))
fast_16bit_precision = Column(
    "text",
    "The chip's best 16-bit format (bf16 where fp16 is no faster), if it is at least 1.5 times as fast as FP32.",
    checks=any_of(vocabulary.Precision),
)
precision = Column("text", "Format of the numbers that the matrix units multiply.", checks=any_of(vocabulary.Precision))
precisions = Column(
    "text", "Formats used, joined by + where the allocations of a model differ.", label="Format", form="format"
)
precision_basis = Column("text", "Basis of the precision.", checks=any_of(vocabulary.Basis))
precision_rule = Column("text", "Rule that determined the precision (methods, section 3).")
peak_flop_per_second = Column(
    "number", "Dense peak of one chip at that precision.", unit="flop_per_second", checks=PEAK
)
peak_basis = Column("text", "Basis of the peak.", checks=any_of(vocabulary.Basis))
narrow_accumulate_peak_flop_per_second = Column(
    "number",
    "Dense peak with 16-bit accumulation, where that is faster; not used for training.",
    unit="flop_per_second",
    checks=PEAK,
)
memory_bytes = Column("number", "Memory of one chip.", unit="byte", checks=POSITIVE)
memory_bandwidth_bytes_per_second = Column(
    "number", "Bandwidth of one chip's memory.", unit="byte_per_second", checks=POSITIVE
)
power_watts = Column("number", "Thermal design power of one chip.", unit="watt", checks=POSITIVE)
chip_load_ratio = Column(
    "number", "Power of a server that trains, per chip, over the chip's thermal design power.", checks=POSITIVE
)
chip_load_case = Column(
    "text", "What the load was measured on: this chip, its generation, or all GPUs (gpu) or TPUs (tpu) that were."
)
facility_overhead_ratio = Column(
    "number", "What a data centre draws over what its servers draw: power usage effectiveness.", checks={"ge": 1}
)
energy_kwh = Column(
    "number",
    "Electrical energy of training, the data centre's included.",
    unit="kwh",
    checks=POSITIVE,
    label="Energy",
    form="energy",
)
energy_kwh_low = Column("number", "5 % point of energy_kwh.", unit="kwh", checks=POSITIVE)
energy_kwh_high = Column("number", "95 % point of energy_kwh.", unit="kwh", checks=POSITIVE)
energy_log_sd = Column("number", "Standard deviation of the natural logarithm of energy_kwh.", checks=LOG_SD)
allocation = Column("whole number", "Index of an allocation of chips within its phase, from 0.", checks=NOT_NEGATIVE)
chips = Column("number", "Number of chips.", checks=POSITIVE)
most_chips = Column(
    "number",
    "Largest number of chips that a phase states, base models included; of a range the middle, to the nearest chip.",
    checks=POSITIVE,
    label="Chips",
    form="count",
)
duration_seconds = Column("number", "Wall-clock time.", unit="second", checks=POSITIVE)
stated_chip_seconds = Column(
    "number",
    "Chip time as reported (GPU-days, chip-hours), core time divided by the cores of a chip.",
    unit="chip_second",
    checks=POSITIVE,
)
chip_seconds = Column("number", "Chip time: chips x duration, or as reported.", unit="chip_second", checks=POSITIVE)
chip_hours = Column(
    "number",
    "Chip time of all phases, base models included.",
    unit="chip_hour",
    checks=POSITIVE,
    label="Chip-hours",
    form="count",
)
chip_seconds_basis = Column("text", "Basis of the chip time.", checks=any_of(vocabulary.Basis))
chip_peak_flop = Column(
    "number", "Chip time x peak: the most that the chips could have computed.", unit="flop", checks=POSITIVE
)
hardware = Column("text", "Chips that trained the model, joined by +.", label="Chip", form="verbatim")
hardware_basis = Column(
    "text",
    "Basis of the peak: a reported chip, or a year's default in place of an unknown one.",
    checks=any_of(vocabulary.Basis),
)
utilization_fraction = Column(
    "number",
    "Utilization used for gpu_time_informed_flop, as a share of the peak.",
    unit="fraction",
    checks=FRACTION,
    label="Utilization used",
    form="percent",
)
utilization_basis = Column(
    "text",
    "Basis of that utilization.",
    checks=any_of(vocabulary.Basis),
    label="Basis of the utilization",
    words=sentences(vocabulary.Basis),
)
default_utilization_fraction = Column(
    "number", "The default share of the peak: 0.3 for text, 0.4 for all else.", unit="fraction", checks=FRACTION
)
default_peak_flop_per_second = Column(
    "number", "The year's default peak, used in place of an unknown chip's.", unit="flop_per_second", checks=PEAK
)
default_peak_log_sd = Column("number", "Standard deviation of its natural logarithm.", checks=LOG_SD)
peak_log_sd = Column(
    "number", "Standard deviation of the peak's natural logarithm, a known chip's or a year's.", checks=LOG_SD
)
precision_log_sd = Column(
    "number",
    "Standard deviation that an inferred precision adds to ln peak; 0 where it is stated or follows from the chip.",
    checks=LOG_SD,
)

# Defaults
quantity = Column("text", "Quantity of a default, a standard deviation or a back-test.")
applies_to = Column("text", "The case that a default applies to, such as text, fp32 or all.")
default_value = Column("number", "The default in the unit of its quantity.", checks=POSITIVE)
log_sd = Column("number", "Standard deviation of the natural logarithm.", checks=LOG_SD)
default_basis = Column("text", "Basis of the default.", checks=any_of(vocabulary.Basis))
