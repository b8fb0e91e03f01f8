"""One row a chip."""

from schemas import columns
from schemas.contract import Contract


class Hardware(Contract, grain="hardware_id"):
    hardware_id = columns.hardware_id()
    name = columns.name()
    aliases = columns.aliases(null=columns.NONE_KNOWN)
    runtime_names = columns.runtime_names(null=columns.NONE_KNOWN)
    manufacturer = columns.manufacturer()
    generation = columns.generation(null=columns.NO_WORD)
    released = columns.released()
    cores_per_chip = columns.cores_per_chip(null="Publications do not count this chip's cores.")
    dies_per_chip = columns.dies_per_chip(null="Publications do not count this chip's dies.")
    devices_per_chip = columns.devices_per_chip(
        null="Its dies where these are known, else one; unknown where only its cores are."
    )
    memory_bytes = columns.memory_bytes(null=columns.NOT_STATED)
    memory_bandwidth_bytes_per_second = columns.memory_bandwidth_bytes_per_second(null=columns.NOT_STATED)
    power_watts = columns.power_watts(null=columns.NOT_STATED)
    only_precision = columns.only_precision(null="The chip has several matrix formats, or none.")
    fast_16bit_precision = columns.fast_16bit_precision(
        null="No 16-bit format of the chip is that much faster than FP32, or none has a stated peak."
    )
    sixteen_bit_ratio = columns.sixteen_bit_ratio(null="No peak is stated for one of the two formats.")
