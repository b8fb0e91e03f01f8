"""A verdict names the mistake that explains a counter's number."""

import pytest

from pipeline.site.report.counters import FACTOR, PLUS_ELEMENTWISE, RIGHT, ZERO
from tests.tools.measure.audit.cases import CASES
from tests.tools.measure.audit.counters import COUNTERS, Counted
from tests.tools.measure.audit.verdicts import evaluate

BY_NAME = {case.name: case for case in CASES}
COUNTER = {each.name: each for each in COUNTERS}


@pytest.mark.parametrize(
    ("case", "which", "name", "counted", "verdict", "in_own_unit", "note"),
    [
        ("linear: plain", "forward", "FlopCounterMode on CPU", 3072, RIGHT, RIGHT, ""),
        ("linear: plain", "forward", "fvcore", 1536, FACTOR, RIGHT, "multiply-adds"),
        ("linear: plain", "forward", "pthflops (fx)", 1536, FACTOR, FACTOR, "multiply-adds under the name FLOPs"),
        ("linear: bias", "forward", "DeepSpeed", 3072 + 48, PLUS_ELEMENTWISE, PLUS_ELEMENTWISE, ""),
        ("linear: batch 64", "forward", "ptflops (pytorch)", 1536, FACTOR, RIGHT, "one example of the batch, multiply-adds"),
        ("linear: plain", "forward", "thop", 0, ZERO, ZERO, ""),
        ("self_attention: causal", "forward", "DeepSpeed", 26880, FACTOR, FACTOR, "the mask ignored"),
        ("self_attention: fused", "forward", "calflops", 20480, FACTOR, FACTOR, "attention scores missed"),
        ("conv2d: groups 2", "backward", "FlopCounterMode on CPU", 31752, FACTOR, FACTOR, "groups ignored in the gradient of the weights"),
        ("batch_norm: plain", "forward", "thop", 512, PLUS_ELEMENTWISE, PLUS_ELEMENTWISE, ""),
    ],
)  # fmt: skip
def test_a_verdict_names_the_mistake(case, which, name, counted, verdict, in_own_unit, note):
    found = evaluate(BY_NAME[case], which, COUNTER[name], Counted(counted))
    assert found[:2] == (verdict, in_own_unit)
    assert found.note == note
