"""Files of adjudications with one mistake: one line with the mistake, its place and the remedy."""

import pytest

FILE = "adjudications/table_2025.yaml"
SOUND = """\
drawn:
  how: all of it
  far: {drawn: 1, of: 1}
  near: {drawn: 2, of: 4}
sources: {table: {title: A table}, paper: {title: A paper}}
quotes:
  hours: {source: paper, text: "10 GPU hours in all", found_at: "https://example.org"}
rows:
  - name: Net, large
    snapshot: table_2025
    stratum: far
    published_flop: 8e15
    corrected_flop: 1e15
    reason: unit
    certainty: clear
    factors: 10 * 3600 * 1e11 * 0.28
    note: GPU hours, times 8 GPUs once more.
    quote: hours
  - name: Other
    snapshot: table_2025
    stratum: near
    published_flop: 3e15
    corrected_flop: null
    reason: other_model
    certainty: likely
    note: The time is another's.
    source: table
    via: "table_2025: Other, notes"
"""


def test_what_is_sound_has_no_mistakes(world):
    world.write(FILE, SOUND)
    assert world.mistakes() == []


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "message"),
    [
        ("published_flop: 8e15", "published_flop: 8 PF", 12, "rows[0].published_flop", "must be a number, not '8 PF'"),
        ("reason: unit", "reason: units", 14, "rows[0].reason", "'units' is not an allowed value; did you mean 'unit'?"),
        ("certainty: clear", "certainty: sure", 15, "rows[0].certainty", "'sure' is not an allowed value; known are clear, likely, open"),
        ("stratum: far", "statum: far", 11, "rows[0].statum", "'statum' is not a key here; did you mean 'stratum'?"),
        ("drawn: 2, of: 4", "drawn: 4, of: 2", 4, "drawn.near", "drawn (4) is more than of (2)"),
        ("name: Other\n    snapshot: table_2025", "name: Other\n    snapshot: table_2026", 20, "rows[1].snapshot", "'table_2026' is not this file's table (table_2025); did you mean 'table_2025'?"),
        ("name: Other\n    snapshot: table_2025\n    stratum: near\n    published_flop: 3e15", "name: Net, large\n    snapshot: table_2025\n    stratum: near\n    published_flop: 8e15", 19, "rows[1].name", "'Net, large' with 8e+15 is already in row 0; keep one"),
        ("factors: 10 * 3600", "factors: 10 x 3600", 16, "rows[0].factors", "'10 x 3600 * 1e11 * 0.28' is not arithmetic (digits + - * / ** ( ))"),
        ("corrected_flop: 1e15", "corrected_flop: 2e15", 13, "rows[0].corrected_flop", "the factors give 1.008e+15, not 2e+15"),
        ("    factors: 10 * 3600 * 1e11 * 0.28\n", "", 9, "rows[0].factors", "is missing: the arithmetic that gives corrected_flop"),
        ("reason: unit", "reason: null", 14, "rows[0].reason", "is null, but 8e+15 became 1e+15; one of unit, arithmetic, scope, chips, other_model, data"),
        ("certainty: clear", "certainty: open", 13, "rows[0].corrected_flop", "differs from published_flop, but the finding is open; write published_flop"),
        ("published_flop: 8e15", "published_flop: 1e15", 13, "rows[0].corrected_flop", "is published_flop, but reason is unit; correct it, or write certainty: open"),
        ("reason: other_model", "reason: data", 23, "rows[1].corrected_flop", "is null, so the value belongs to another artefact; write reason: other_model"),
        ("certainty: likely", "certainty: likely\n    factors: 2 * 3", 26, "rows[1].factors", "give a value that corrected_flop does not state; state it, or leave factors out"),
        ("quote: hours", "quote: hour", 18, "rows[0].quote", "'hour' is not one of this record's quotes; did you mean 'hours'?"),
        ('    source: table\n    via: "table_2025: Other, notes"\n', "", 19, "rows[1]", "needs a quote, or a source if nobody read its words"),
    ],
)  # fmt: skip
def test_one_mistake(world, old, new, line, field, message):
    world.write(FILE, SOUND)
    world.change(FILE, old, new)
    assert (FILE, line, field, message) in world.mistakes()
    beside = {"'hour' is": 2}  # and the quote that nothing names now
    assert len(world.mistakes()) == next((number for words, number in beside.items() if message.startswith(words)), 1)


def test_an_open_finding_keeps_the_published_value_and_its_suspicion(world):
    text = SOUND.replace("published_flop: 8e15", "published_flop: 1e15").replace("certainty: clear", "certainty: open")
    world.write(FILE, text)
    assert world.mistakes() == []


def test_a_file_is_named_after_a_table(world):
    world.write("adjudications/Table 2025.yaml", SOUND)
    assert "'Table 2025' is not an id; did you mean 'table-2025'?" in [mistake[3] for mistake in world.mistakes()]


@pytest.mark.parametrize(("share", "is_right"), [(0.99, True), (1.01, False)])
def test_factors_give_the_corrected_value_within_two_percent(world, share, is_right):
    world.write(FILE, SOUND.replace("10 * 3600 * 1e11 * 0.28", f"1e15 / {1 - share * 2e-2}"))
    assert (world.mistakes() == []) == is_right
