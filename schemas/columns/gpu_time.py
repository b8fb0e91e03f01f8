"""Columns of chips and GPU time, and of defaults."""

from schemas import vocabulary
from schemas.columns.declared import (
    Column,
    day,
    deviation,
    fraction,
    identifier,
    index,
    one_of,
    peak,
    positive,
    sentences,
)

# Chips and GPU time
hardware_id = identifier("Permanent id of a chip: the file name of its record.")
generation = one_of(vocabulary.Generation, "Microarchitecture or line of the chip.")
released = day("Release date of a chip.")
cores_per_chip = positive("Cores on a chip, where publications count cores.")
dies_per_chip = positive("Dies on a card that publications count as one.")
devices_per_chip = positive("Devices that torch or JAX show for one chip, as recorded.")
runtime_names = Column("text", "Names of a chip that software prints, joined by |.")
only_precision = one_of(vocabulary.Precision, "The chip's matrix format, where it has only one.")
fast_16bit_precision = one_of(
    vocabulary.Precision,
    "The chip's best 16-bit format (bf16 where fp16 is no faster), if it is at least 1.5 times as fast as FP32.",
)
precision = one_of(vocabulary.Precision, "Format of the numbers that the matrix units multiply.")
precisions = Column(
    "text", "Formats used, joined by + where the allocations of a model differ.", label="Format", form="format"
)
precision_basis = one_of(vocabulary.Basis, "Basis of the precision.")
precision_rule = Column("text", "Rule that determined the precision (methods, section 3).")
peak_flop_per_second = peak("Dense peak of one chip at that precision.")
peak_basis = one_of(vocabulary.Basis, "Basis of the peak.")
narrow_accumulate_peak_flop_per_second = peak(
    "Dense peak with 16-bit accumulation, where that is faster; not used for training."
)
memory_bytes = positive("Memory of one chip.", unit="byte")
memory_bandwidth_bytes_per_second = positive("Bandwidth of one chip's memory.", unit="byte_per_second")
power_watts = positive("Thermal design power of one chip.", unit="watt")
chip_load_ratio = positive("Power of a server that trains, per chip, over the chip's thermal design power.")
chip_load_case = Column(
    "text", "What the load was measured on: this chip, its generation, or all GPUs (gpu) or TPUs (tpu) that were."
)
facility_overhead_ratio = Column(
    "number", "What a data centre draws over what its servers draw: power usage effectiveness.", checks={"ge": 1}
)
energy_kwh = positive(
    "Electrical energy of training, the data centre's included.", unit="kwh", label="Energy", form="energy"
)
energy_kwh_low = positive("5 % point of energy_kwh.", unit="kwh")
energy_kwh_high = positive("95 % point of energy_kwh.", unit="kwh")
energy_log_sd = deviation("Standard deviation of the natural logarithm of energy_kwh.")
allocation = index("Index of an allocation of chips within its phase, from 0.")
chips = positive("Number of chips.")
most_chips = positive(
    "Largest number of chips that a phase states, base models included; of a range the middle, to the nearest chip.",
    label="Chips",
    form="count",
)
duration_seconds = positive("Wall-clock time.", unit="second")
stated_chip_seconds = positive(
    "Chip time as reported (GPU-days, chip-hours), core time divided by the cores of a chip.", unit="chip_second"
)
chip_seconds = positive("Chip time: chips x duration, or as reported.", unit="chip_second")
chip_hours = positive(
    "Chip time of all phases, base models included.", unit="chip_hour", label="Chip-hours", form="count"
)
chip_seconds_basis = one_of(vocabulary.Basis, "Basis of the chip time.")
chip_peak_flop = positive("Chip time x peak: the most that the chips could have computed.", unit="flop")
hardware = Column("text", "Chips that trained the model, joined by +.", label="Chip", form="verbatim")
hardware_basis = one_of(
    vocabulary.Basis, "Basis of the peak: a reported chip, or a year's default in place of an unknown one."
)
utilization_fraction = fraction(
    "Utilization used for gpu_time_informed_flop, as a share of the peak.",
    label="Utilization, best known",
    form="percent",
)
utilization_basis = one_of(
    vocabulary.Basis, "Basis of that utilization.", label="Basis of the utilization", words=sentences(vocabulary.Basis)
)
default_utilization_fraction = fraction("The default share of the peak: 0.3 for text, 0.4 for all else.")
default_peak_flop_per_second = peak("The year's default peak, used in place of an unknown chip's.")
default_peak_log_sd = deviation("Standard deviation of its natural logarithm.")
peak_log_sd = deviation("Standard deviation of the peak's natural logarithm, a known chip's or a year's.")
precision_log_sd = deviation(
    "Standard deviation that an inferred precision adds to ln peak; 0 where it is stated or follows from the chip."
)

# Defaults
quantity = Column("text", "Quantity of a default, a standard deviation or a back-test.")
applies_to = Column("text", "The case that a default applies to, such as text, fp32 or all.")
default_value = positive("The default in the unit of its quantity.")
log_sd = deviation("Standard deviation of the natural logarithm.")
default_basis = one_of(vocabulary.Basis, "Basis of the default.")
