"""Why models of the ledger are disputed."""

import math
import re

import pytest


@pytest.fixture(scope="module")
def asked(tables):
    """What a query finds in the ledger's tables."""
    return tables.sql


def test_every_dispute_is_explained_and_few_are_not(asked):
    (disputes,) = asked("select count(*) from estimates where is_disputed")[0]
    assert asked("select count(distinct model_id) from dispute_causes") == [(disputes,)]
    assert asked("select count(*) from dispute_causes anti join estimates using (model_id)") == [(0,)]
    (unexplained,) = asked("select count(*) from estimates where dispute_cause = 'unexplained'")[0]
    assert unexplained <= disputes / 2


def test_the_likeliest_cause_comes_first(asked):
    assert asked("""select count(*) from dispute_causes join estimates using (model_id)
        where rank = 1 and cause != dispute_cause""") == [(0,)]
    assert asked("""select count(*) from (select model_id, string_agg(cause, ' + ' order by rank) as joined
        from dispute_causes group by model_id) join estimates using (model_id) where joined != dispute_causes""") == [
        (0,)
    ]


# Worked by hand from the records: GNMT's range of epochs, the chips of MnasNet's search, CLUE's uses of each parameter.
@pytest.mark.parametrize(
    ("model_id", "cause", "words"),
    [
        ("gnmt", "epochs_or_passes", "2.92x more of them would make the methods agree."),
        ("mnasnet-a3", "chip_vs_core", "a range of 4x; at its end the ratio 0.103 would be 0.206"),
        ("clue-recommendation", "parameters_shared", "2 x parameters, 1.6e+08 of them, each used once a token; the GPU time corresponds to 3.72 uses"),
    ],
)  # fmt: skip
def test_evidence_has_the_numbers(asked, model_id, cause, words):
    ((sentence,),) = asked(
        f"select cause_evidence from dispute_causes where model_id = '{model_id}' and cause = '{cause}'"
    )
    assert words in sentence


WITHIN = re.compile(r"implies a utilization of (\S+); the default is (\S+)\. Like cases reach (\S+) to (\S+) \(90 %\)")
BEYOND = re.compile(
    r"implies a utilization of (\S+); the default is \S+\. It is (below|above) .*: (\S+) to (\S+)\); at (\S+) the methods would differ by ([\d.]+)x"
)


def test_a_cause_of_utilization_says_what_it_leaves(asked):
    """Within what like cases reach nothing is left; beyond, the end and the ratio there are named, nearer to 1 than the ratio was."""
    told = asked("""select cause_evidence, method_ratio from dispute_causes join estimates using (model_id)
        where cause = 'utilization'""")
    assert told
    for sentence, *_, ratio in told:
        if within := WITHIN.search(sentence):
            implied, _, low, high = map(float, within.groups())
            assert low <= implied <= high, sentence
        elif beyond := BEYOND.search(sentence):
            implied, place, low, high, end, left = (
                word if word in ("below", "above") else float(word) for word in beyond.groups()
            )
            assert end == (low if place == "below" else high), sentence
            assert (implied < low) if place == "below" else (implied > high), sentence
            assert left == pytest.approx(max(implied / end, end / implied), rel=0.01)
            assert abs(math.log(left)) < abs(math.log(ratio)), sentence
            assert ("has another cause" in sentence) == (left > 2), sentence
        else:
            assert "nothing like it was measured" in sentence
            assert "ike cases reach" not in sentence
