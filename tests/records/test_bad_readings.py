"""Files of blind second readings with one mistake: one line with the mistake, its place and the remedy."""

import pytest

FILE = "second_readings/reader-1.yaml"
SOUND = """\
seed: "2026-11-23"
drawn: all of them
read_on: 2026-11-23
saw_estimates: false
models:
  images:
    opened: ["https://example.org"]
    facts:
      - {path: parameters, value: 61e6, unit: parameter, words: ["61 million parameters"], place: ["https://example.org"]}
      - {path: precision, value: fp16, words: [half], place: ["https://example.org"],
         settled: {decision: ledger_wrong, ledger_had: fp32, reason: It says half.}}
      - {path: chip_hours, not_found: true}
  text: {opened: [], not_opened: ["https://example.org"], facts: []}
"""


def test_what_is_sound_has_no_mistakes(world):
    world.write(FILE, SOUND)
    assert world.mistakes() == []


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "message"),
    [
        ("  images:", "  imags:", 6, "models.imags", "'imags' is not a model; did you mean 'images'?"),
        ("path: precision", "path: precison", 10, "models.images.facts[1].path", "'precison' is not an allowed value; did you mean 'precision'?"),
        ("saw_estimates: false", "saw_estimates: true", 4, "saw_estimates", "must be False, not True"),
        ("path: chip_hours", "path: precision", 12, "models.images.facts[2].path", "precision has already been read; keep the better reading, and put the other into its note"),
        ("path: chip_hours", "path: chip_hours, value: 8, unit: chip_hour", 12, "models.images.facts[2]", "needs either what was read, or not_found: true"),
        ("chip_hours, not_found: true", "chip_hours", 12, "models.images.facts[2]", "needs either what was read, or not_found: true"),
        ("value: 61e6", "low: 61e6", 9, "models.images.facts[0]", "a fact has either value, or low and high, or at_least, or at_most"),
        (", unit: parameter", "", 9, "models.images.facts[0]", "has no unit; write for example unit: token"),
        ("unit: parameter", "unit: weight", 9, "models.images.facts[0]", "parameters is in parameter, not 'weight'"),
        ("value: 61e6, unit: parameter", "value: many", 9, "models.images.facts[0]", "parameters is a number"),
        ("value: fp16", "value: 16, unit: bit", 10, "models.images.facts[1]", "precision is a word"),
        ("words: [half], ", "", 10, "models.images.facts[1]", "needs words from the source, and the place where they were read"),
        ("words: [half]", f"words: [{'half ' * 26}]", 10, "models.images.facts[1].words[0]", "has 26 words; a quote has at most 25"),
        ("ledger_wrong", "scope", 11, "models.images.facts[1].settled", "ledger_had is what the ledger had before it was corrected, but the decision is scope"),
        ('parameters"], place: ["https://example.org"]', 'parameters"], place: ["github:a/b:c.md"]', 9, "models.images.facts[0].place[0]", "names no commit; write github:owner/repository@COMMIT:path, so that the words can be found again"),
        ("It says half.", 'It says half., place: "github:a/b:c.md"', 11, "models.images.facts[1].settled.place", "names no commit; write github:owner/repository@COMMIT:path, so that the words can be found again"),
    ],
)  # fmt: skip
def test_one_mistake(world, old, new, line, field, message):
    world.write(FILE, SOUND)
    world.change(FILE, old, new)
    assert [(FILE, line, field, message)] == world.mistakes()
