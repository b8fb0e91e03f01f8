"""Networks that a row does not describe."""

import math

import pytest

from pipeline.architectures import counted
from pipeline.architectures.named import NAMED
from pipeline.catalogues.epoch.networks import IMAGE_FLOP_PER_PARAMETER, IMAGE_LOG_SD


def test_the_ratio_of_image_networks_is_that_of_the_counted_ones():
    families = {}
    for name, settings in NAMED.items():
        total = counted(settings)
        family = "_".join(name.split("_")[:2]) if settings["family"] == "sums" else settings["family"]
        families.setdefault(family, []).append(math.log(total.forward_flop / total.parameters))
    means = [sum(logs) / len(logs) for logs in families.values()]
    middle = sum(means) / len(means)
    assert math.exp(middle) == pytest.approx(IMAGE_FLOP_PER_PARAMETER, rel=0.02)
    spread = math.sqrt(sum((mean - middle) ** 2 for mean in means) / len(means))
    assert spread == pytest.approx(IMAGE_LOG_SD, rel=0.02)
