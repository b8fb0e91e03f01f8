"""Units as people write them, and units that are refused."""

import pytest

from schemas.units import UnitError, amount


@pytest.mark.parametrize(
    ("written", "unit", "expected"),
    [
        ("5.5 day", "second", 475_200),
        ("5.5 days", "second", 475_200),
        ("2500 chip_day", "chip_second", 2500 * 86_400),
        ("2.788e6 gpu_hour", "chip_second", 2.788e6 * 3600),
        ("3640 petaflop_s_day", "flop", 3640 * 8.64e19),  # 1e20 would be 16 % off
        ("11.3 GMAC", "flop", 22.6e9),
        ("3.8e25 FLOP", "flop", 3.8e25),
        ("15.7 teraflop_per_second", "flop_per_second", 15.7e12),
        ("125 TFLOP/s", "flop_per_second", 125e12),
        ("2052 image_per_second", "image_per_second", 2052),
    ],
)
def test_units_that_people_write(written, unit, expected):
    assert amount(written, unit) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("written", "unit", "message"),
    [
        ("3 month", "second", "'month' is not a unit; months and years have no fixed length: state days"),
        ("2 years", "second", "'years' is not a unit; months and years have no fixed length: state days"),
        ("5 dya", "second", "'dya' is not a unit; did you mean 'day'?"),
        (
            "125 TFLOPS",
            "flop_per_second",
            "'TFLOPS' may be a count or a rate; write FLOP or GFLOP for a count, TFLOP/s for a rate",
        ),
        ("3e23 FLOPs", "flop", "'FLOPs' may be a count or a rate; write FLOP or GFLOP for a count, TFLOP/s for a rate"),
        ("5 D", "second", "'D' is not a unit"),
        (
            "1,200 hour",
            "second",
            "'1,200 hour' is not a number with a unit, such as '5.5 day'; the expected unit is second",
        ),
        (
            "5 chip_day",
            "second",
            "'chip_day' does not measure this quantity; the expected unit is day, hour or second; state chip time as chip_time, instead of chips and duration",
        ),
        ("5", "second", "'5' is not a number with a unit, such as '5.5 day'; the expected unit is second"),
        ("1e999 day", "second", "'1e999 day' is not finite"),
    ],
)
def test_units_that_are_refused(written, unit, message):
    with pytest.raises(UnitError) as problem:
        amount(written, unit)
    assert str(problem.value) == message
