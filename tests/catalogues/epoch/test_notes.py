"""Notes are read only for inputs, never for results."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalogues.epoch import notes

RESULTS = [
    "3.14e23 FLOP", "3.14e23 FLOPs", "6 * 10^23", "6×10²³ FLOP", "1.2 ZFLOP", "12 PF-days", "3640 petaflop/s-days",
    "79 pfs-days", "538 PF days", "1e15", "2E+24", "5·10^18", "314000000000000000000000", "300 exaFLOP", "2 million petaFLOP",
]  # fmt: skip


@pytest.mark.parametrize("result", RESULTS)
def test_no_result_is_left_in_a_note(result):
    left = notes.without_results(f"trained on {result} tokens, then {result} parameters active")
    assert not any(character.isdigit() for character in left), left


@pytest.mark.parametrize("result", RESULTS)
def test_no_result_is_read_as_an_input(result):
    note = f"trained on {result} tokens for {result} steps, {result} active parameters, {result} GPU hours, {result} images"
    assert notes.active_parameters(1e30, note, "A model") is None
    assert notes.tokens(notes.TOKENS_SEEN, note) is None
    assert notes.tokens(notes.TOKENS, note) is None
    assert notes.steps(note) is None
    assert notes.pictures(note) is None
    assert notes.time_stated(note) == notes.Time(None, None, None)


@given(
    st.floats(min_value=1, max_value=9.99),
    st.integers(min_value=15, max_value=40),
    st.sampled_from(["e", "*10^", " x 10^", "·10^"]),
)
def test_no_power_of_ten_of_a_result_survives(factor, power, sign):
    assert "…" in notes.without_results(f"about {factor:.2f}{sign}{power} in all")
    assert str(power) not in notes.without_results(f"about {factor:.2f}{sign}{power} in all")


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text):
    for value in (
        notes.active_parameters(1e9, text, text), notes.tokens(notes.TOKENS_SEEN, text), notes.tokens(notes.TOKENS, text), notes.steps(text),
        notes.pictures(text), *notes.time_stated(text),
    ):  # fmt: skip
        assert value is None or (math.isfinite(value) and value >= 0)


@pytest.mark.parametrize(
    ("note", "active"),
    [
        ("718 billion parameters\n\n39B activated parameters", 39e9),
        ("21B active params, 718B total", 21e9),
        ("718B *sparse* params. only uses 12.9B parameters per token", 12.9e9),
        ("Total Parameters: 718B\nActivated Parameters per Token: 45.9B", 45.9e9),
        ("This is a 718B total, 12B active-parameter model", 12e9),
        ("718B parameter Mixture-of-Experts model with 25% of the weights active on a given token", 0.25 * 718e9),
        ("718B in all, and FLOPs similar to that of a 3.3B dense model", 3.3e9),
        ("718B parameters, GELU activation", None),
    ],
)
def test_active_parameters_as_people_state_them(note, active):
    assert notes.active_parameters(718e9, note, "A model") == active


@pytest.mark.parametrize(
    ("note", "time"),
    [
        ("665,000 H100 GPU hours", (665e3, None, None)),
        ("2,560 GPU Nvidia A100 80G days; took 2560 GPU-days", (2560 * 24, None, None)),
        ("64 A100 GPUs for 6 days", (None, 64, 144)),
        ("around 10 days on a single GPU.", (None, 1, 240)),
        # A number after a brand is part of a name, and one before GB is memory; nodes multiply; B200 and H200 are
        # chips.
        ("on an NVIDIA RTX 3090 GPU", (None, None, None)),
        ("on a Quadro RTX 8000 GPU", (None, None, None)),
        ("8 RTX 3090 GPUs", (None, 8, None)),
        ("required 16 GB of GPU RAM; 48 GB GPU memory", (None, None, None)),
        ("8x H100-80GB GPUs", (None, 8, None)),
        ("4 nodes of 8 80GB A100 GPUs", (None, 32, None)),
        ("64 nodes with 8xA100-80GB GPUs", (None, 512, None)),
        ("sixty-four B200s", (None, 64, None)),
        ("512 H200 and sixteen A100 GPUs", (None, 512, None)),
        ("72 GB200 GPUs", (None, 72, None)),
    ],
)
def test_times_as_people_state_them(note, time):
    assert notes.time_stated(note) == notes.Time(*time)


def test_letters_that_patterns_take_for_others_are_read_as_those():
    """Ignoring case, a dotless i matches i, and a long s matches s."""
    note = notes.searched("A ſıngle GPU for 3 dayſ saw 3 bıllion tokens")
    assert notes.time_stated(note) == notes.Time(None, 1, 72)
    assert notes.tokens(notes.TOKENS_SEEN, note) == 3e9


@given(st.from_regex(notes.RESULT))
def test_no_result_is_left_for_want_of_its_marks(text):
    assert "…" in notes.without_results(text)
