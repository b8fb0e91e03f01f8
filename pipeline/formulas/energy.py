"""Energy of training from chip time and power (methods, section 8)."""

from typing import Any

JOULES_PER_KWH = 3.6e6


def energy_kwh(chip_seconds: Any, power_watts: Any, load: Any, overhead: Any) -> Any:
    """Electrical energy in kWh of chips of a thermal design power (W).

    `load` is the power of the server, per chip, over the chip's design power; `overhead` what the data centre draws over what its servers
    draw (power usage effectiveness).

    BLOOM by Luccioni et al. (2022), 1,082,990 hours of A100 at their design power, without the building: 433,196 kWh

    >>> energy_kwh(1_082_990 * 3600, 400, 1, 1)
    433196.0
    """
    return chip_seconds * power_watts * load * overhead / JOULES_PER_KWH
