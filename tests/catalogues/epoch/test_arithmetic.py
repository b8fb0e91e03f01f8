"""Equations in notes, compared with arithmetic by hand; the notes are from Epoch's table of July 2026."""

import pytest

from pipeline.catalogues.epoch.arithmetic import read, rows


@pytest.mark.parametrize(
    ("note", "computed", "stated"),
    [
        ("6 * 49e9 active parameters * 33e12 tokens = 9.702E24 for pre-training", 9.702e24, 9.702e24),
        ("6 * 26.2M * 25M ~= 39300000000000000", 3.93e15, 3.93e16),  # a slip in the table
        ("C = 6ND = 6 * 13 billion params * 395 billion tokens = 3.081e+22 FLOP", 3.081e22, 3.081e22),
        ("1.57e23 FLOP + 6.43e22 FLOP = 2.213E23 FLOP", 2.213e23, 2.213e23),
        ("6×1.28×10^6×77360000×110=6.5353728e+16", 6.5353728e16, 6.5353728e16),
        ("5.8e24 / 0.15 = 3.8666666667E25 FLOP", 3.86667e25, 3.8666666667e25),
        ("300,000*512*1,024 = 1.57e11 tokens", 1.572864e11, 1.57e11),
    ],
)
def test_products_sums_and_quotients(note, computed, stated):
    (equation,), _ = read(note)
    assert (equation.computed, equation.stated) == (pytest.approx(computed, rel=1e-5), pytest.approx(stated))


@pytest.mark.parametrize(
    "note",
    [
        "7*6*60*60*(2*1580000000000+2*1345000000000)*0.3=2.65e17",  # brackets
        "3 days * 8 GPUs * 125 TFLOP/s = 2.6e20",  # units that stand for numbers
        "157 PF-days = 1.35648e22",
        "6 * N * D = 3e23",  # symbols
        "10**15*24*3600*230.1= 1.988e22",
        "50.4 * 10 ^(12+9) = 5e22",
        "60/3640 = +1.65%",
        "300,000*512 = 1.57e11 * 6",  # the right side continues
        "no arithmetic, = 5",
    ],
)
def test_what_cannot_be_read_plainly_is_left(note):
    assert read(note)[0] == []


@pytest.mark.parametrize(
    ("note", "lacks_six"),
    [
        ("6ND = 41e9 active parameters * 45e12 tokens = 1.845e+24 FLOP", True),
        ("41e9 parameters * 45e12 tokens = 1.845e+24 FLOP", True),
        ("6 FLOP/token/parameter * 41e9 parameters * 45e12 tokens = 1.107e25", False),
        ("2048 sequences * 512 tokens = 1048576 tokens", False),
    ],
)
def test_six(note, lacks_six):
    assert [equation.lacks_six for equation in read(note)[0]] == [lacks_six]


def test_figures_are_also_products_shares_on_top_and_base_models_that_are_named():
    table = [
        {"Model": "Small (2B)", "Training compute (FLOP)": "3e22", "Training compute notes": ""},
        {"Model": "Large", "Training compute (FLOP)": "1e23", "Training compute notes": "Calculation = 4e8 FLOP/bp * 4.5e5 bp + 2e8 * 2.75e13\n15% more for the base model Small"},
    ]  # fmt: skip
    figures = [row["note_flop"] for row in rows(table)]
    assert figures == pytest.approx([5.5e21, 4e8, 4.5e5, 2e8, 2.75e13, 15, 1.15, 3e22], rel=1e-6)
