"""The sentence on the batch: its median and spread by hand, of one source only."""

from pipeline.rules.utilization.batch import sentence


def test_the_sentence_has_the_median_the_spread_and_how_many_gain():
    pairs = [{"doubling_ratio": 1 + tenths / 10, "is_by_one_source": True} for tenths in range(-5, 6)]
    several = {"doubling_ratio": 9.0, "is_by_one_source": False}
    assert sentence([*pairs, several]) == (
        "Doubling the batch multiplies utilization by 1.00 in the median of 11 pairs of runs from one source with the same"
        " network, chip and precision (80 % of the ratios are between 0.60 and 1.40; 5 pairs gain)."
    )


def test_one_pair_has_no_spread():
    assert sentence([{"doubling_ratio": 1.1, "is_by_one_source": True}]) == ""
