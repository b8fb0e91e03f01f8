"""Reasons for changes in words."""

from pipeline.site.reasons import in_words


def test_facts_of_the_record_with_their_phases():
    reason = (
        "training[1].examples: 2816000000000 -> 2816000000000 to 3240000000000;"
        " training[4].hardware[0].duration: 34 hour -> 13 day; google-tpu-v4: peaks.int8: absent -> 275 teraflop_per_second"
    )
    assert in_words(reason, {}) == [
        "phase 2: examples 2.82T → 2.82T to 3.24T",
        "phase 5: duration 34 hour → 13 day",
        "google-tpu-v4: peaks.int8: none stated → 275 teraflop per second",
    ]


def test_lists_are_not_spelt_out():
    reason = "parameters: 7188100000 -> 7000000000; architecture.layers (2): absent -> [{}]"
    assert in_words(reason, {}) == ["parameters: 7.19B → 7B", "network: layers: none stated → as listed"]
    assert in_words('architecture.input: {"shape": [128, 5]} -> {"shape": 4}', {}) == [
        "network: input: as listed → as listed"
    ]


def test_many_facts_are_counted():
    reason = "; ".join(f"training[{n}].epochs: 1 -> 2" for n in range(7))
    assert in_words(reason, {})[-2:] == ["phase 4: epochs 1 → 2", "3 more facts"]


def test_what_is_no_fact_is_said_as_it_is():
    assert in_words("the method: no record of it moved", {}) == ["the method: no record of it moved"]
    assert in_words(None, {}) == []
