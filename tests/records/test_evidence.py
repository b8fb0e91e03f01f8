"""Figures and their quotes: which figures the words support, and the messages about the others."""

import pytest

from pipeline.records.evidence import doubt
from schemas.facts import Chips, ChipTime, Count, Duration, Flop, Fraction, Parameters, Peak, Quote, Throughput

ABSENT = "{} is not in quote 'a'{}; correct it, or add derived: the arithmetic that leads to it"
UNIT = "there is no {} in quote 'a'; state the unit in the quote's `where:`, for example as the column header"
POWER = (
    "there is no magnitude of 1e+06 in quote 'a'; state it in the quote's `where:`, for example as the column header"
)
ELSEWHERE = "{} of derived is neither in quote 'a' nor in another fact"

# The fact, the words of its quote, their place, and the mistake.
FACTS = {
    "a figure": (Chips, {"value": 512}, "a total of 512 GPUs", None, None),
    "ten times it": (Chips, {"value": 5120}, "a total of 512 GPUs", None, ABSENT.format(5120, ", which has 512")),
    "a magnitude": (Count, {"value": 1.28e6}, "1.28 million images", None, None),
    "another magnitude": (Count, {"value": 1.28e9}, "1.28 million images", None, ABSENT.format(1280000000, ", which has 1280000")),
    "no magnitude": (Parameters, {"value": 675e6, "derived": "675 * 1e6"}, "DiT-XL/2 & 675", None, POWER),
    "the magnitude of a column": (Parameters, {"value": 675e6, "derived": "675 * 1e6"}, "DiT-XL/2 & 675", "column Params (M)", None),
    "memory for chips": (Chips, {"value": 80}, "80GB GPUs", None, ABSENT.format(80, ", which has 80")),
    "nodes": (Chips, {"value": 768, "derived": "96 * 8"}, "96 DGX nodes (40G * 8)", None, None),
    "a share": (Fraction, {"value": 0.48}, "48% MFU", None, None),
    "a prefix": (Peak, {"value": "312 teraflop_per_second"}, "312 TFLOPS", None, None),
    "a power": (Flop, {"value": "3.14e23 FLOP"}, "3.14E+23", None, None),
    "a duration": (Duration, {"value": "73 day"}, "took 73 days", None, None),
    "a duration in another unit": (Duration, {"value": "14 day"}, "for two weeks", None, None),
    "a wrong unit of time": (Duration, {"value": "73 hour"}, "took 73 days", None, "is in hours, but quote 'a' mentions days"),
    "a wrong unit of a column": (Duration, {"value": "73 hour"}, "| 73 |", "column days", "is in hours, but quote 'a' mentions days"),
    "no unit of time": (ChipTime, {"value": "4282407 chip_hour"}, "| 34B | 4282407 |", None, UNIT.format("hour")),
    "the unit of a column": (ChipTime, {"value": "4282407 chip_hour"}, "| 34B | 4282407 |", "GPU hours", None),
    "hours of days": (ChipTime, {"value": "480 chip_hour", "derived": "20 * 24"}, "20 GPU days", None, None),
    "days taken for weeks": (Duration, {"value": "21 day", "derived": "3 * 7"}, "for 3 days", None, "is in days, but quote 'a' mentions days"),
    "weeks taken for days, in words": (Duration, {"value": "14 week", "derived": "two * 7"}, "about two weeks", None, "is in weeks, but quote 'a' mentions weeks"),
    "days of months": (Duration, {"value": "31 day", "derived": "one * 31"}, "one month", None, None),
    "days of no month": (Duration, {"value": "93 day", "derived": "3 * 31"}, "for 3 days", None, ELSEWHERE.format(31)),
    "microseconds": (Throughput, {"value": "2552.32 image_per_second", "derived": "1e6 / 391.8"}, "| 391.8 |", "Train (µs)", None),
    "a derivation that repeats a slip": (Chips, {"value": 5120, "derived": "5120"}, "a total of 512 GPUs", None, ELSEWHERE.format(5120)),
    "another number": (Chips, {"value": 1536, "derived": "512 * 3"}, "a total of 512 GPUs", None, ELSEWHERE.format(3)),
    "another fact": (Count, {"value": 2**21, "derived": "512 * 4096"}, "512 sequences", None, None),
    "a copied fact": (Count, {"value": 4096, "derived": "4096"}, "512 sequences", None, ELSEWHERE.format(4096)),
    "the digits of a letter": (Count, {"value": 500}, "for 500K updates", None, ABSENT.format(500, ", which has 500000")),
    "powers of ten that no quote has": (Count, {"value": 1e5, "derived": "100 * 1000"}, "for 10k iterations", None, ELSEWHERE.format(100)),
    "a raised power": (Flop, {"value": "1e25 FLOP", "derived": "10**25"}, "for ~10²⁵ FLOPs", None, None),
    "a derivation from nothing of a figure that stands": (Count, {"value": 10, "derived": "30 / 3"}, "10 epochs", None, ELSEWHERE.format(30)),
    "the end of a number with commas": (Count, {"value": 500, "derived": "500"}, "for 2,500 updates", None, ELSEWHERE.format(500)),
    "a number in a name": (Chips, {"value": 2}, "a DGX-2 with 16 GPUs", None, ABSENT.format(2, ", which has 1")),
    "the other unit of two": (Duration, {"value": "672 day", "derived": "672"}, "672 hours (28 days)", None, "is in days, but quote 'a' mentions hours"),
    "number words": (Chips, {"value": 28, "derived": "four * 7"}, "four pods of seven", None, None),
    "wrong number words": (Chips, {"value": 24, "derived": "three"}, "three chips", None, "derived gives 3, but the value is 24"),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "stated", "text", "where", "wrong"), FACTS.values(), ids=FACTS)
def test_a_figure_stands_in_its_quote(kind, stated, text, where, wrong):
    quotes = {"a": Quote(source="paper", text=text, where=where, found_at="page 1")}
    assert doubt(kind(quote=["a"], **stated), quotes, others=[4096.0]) == wrong
