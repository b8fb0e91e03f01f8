"""The fit of gross errors finds what drew them, and intervals by it hold what they say."""

import math
import random

import pytest

from tests.benchmarks import catalogue_calibration as calibration
from tests.benchmarks.catalogue_calibration import Miss, Scored


def drawn(rate, factor, number=3000, log_sd=0.35):
    """Misses of both methods, of which a share errs by this factor."""
    chance = random.Random(7)
    rows = []
    for index in range(number):
        spread = math.hypot(log_sd, math.log(factor)) if chance.random() < rate else log_sd
        rows.append(Miss(f"model {index}", ("operation_count", "gpu_time")[index % 2], chance.gauss(0, spread), log_sd))
    return rows


def test_rate_and_size_of_gross_errors_are_found():
    found = calibration.fitted(drawn(0.2, 10))
    assert found["operation_count"] == pytest.approx(0.2, abs=0.06)
    assert found["gpu_time"] == pytest.approx(0.2, abs=0.06)
    assert found["gross_error"] in (7, 8, 10, 12, 15)


def test_without_gross_errors_the_least_rate_is_found():
    found = calibration.fitted(drawn(0, 10))
    assert max(found["operation_count"], found["gpu_time"]) <= 0.05


def test_models_of_one_name_are_in_one_fold():
    assert calibration.fold_of("GPT-3  175B") == calibration.fold_of("gpt-3 175b")
    assert {calibration.fold_of(f"model {index}") for index in range(99)} == set(range(calibration.FOLDS))


def test_coverage_of_a_normal_is_nominal():
    chance = random.Random(1)
    held = calibration.coverage([Scored(abs(chance.gauss(0, 1)), 2.0) for _ in range(20_000)])
    assert all(share == pytest.approx(level, abs=0.01) for level, share in held.items())


def test_quarters_hold_every_row_once_the_narrowest_first():
    rows = [Scored(0.0, float(width)) for width in (5, 1, 4, 2, 3)]
    assert [[row.width for row in part] for part in calibration.quarters(rows)] == [[1], [2], [3, 4], [5]]
