"""Contract of `hardware`: one row a chip."""

from schemas import fields
from schemas.table import TableModel


class Hardware(TableModel, grain=("hardware_id",)):
    """One row a chip."""

    hardware_id: fields.hardware_id
    name: fields.name
    aliases: fields.aliases | None
    manufacturer: fields.manufacturer
    generation: fields.generation | None
    released: fields.released
    cores_per_chip: fields.cores_per_chip | None
    dies_per_chip: fields.dies_per_chip | None
    memory_bytes: fields.memory_bytes | None
    memory_bandwidth_bytes_per_second: fields.memory_bandwidth_bytes_per_second | None
    power_watts: fields.power_watts | None
    only_precision: fields.only_precision | None
    fast_16bit_precision: fields.fast_16bit_precision | None
    sixteen_bit_ratio: fields.sixteen_bit_ratio | None
