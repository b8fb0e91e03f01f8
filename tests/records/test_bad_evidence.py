"""Records with wrong evidence: each mistake is one line with the file and line, the fact and the quote."""

import pytest

from pipeline.records import loading, places
from pipeline.rules.ingestion import facts
from tests.records.conftest import World

IMAGES, TEXT = "models/images.yaml", "models/text.yaml"
EPOCHS, PARAMETERS = "training[0].epochs", "parameters"
CORRECT = "correct it, or add derived: the arithmetic that leads to it"
NOTHING_SEEN = "needs a quote, or a source if nobody read its words"
SIZE = '  size: {source: paper, text: "has 60 million parameters", found_at: page 1}\n'
SAME = '  whole: {source: paper, text: "has 60 million parameters", found_at: page 1}\n'
OTHER = '  other: {source: paper, text: "for 90 epochs", found_at: page 2}\n'
EVIDENCE = "  evidence: [{covers: [input], quote: size}, {covers: [layers], quote: size}]\n"

# The text of the valid record, its replacement, and the line, field and message of the mistake.
BROKEN = {
    "quote misspelt": ("quote: size", "quote: sise", [
        (9, "quotes.size", "is not used by any fact; name it in `quote:`, or delete it"),
        (10, "parameters.quote", "'sise' is not one of this record's quotes; did you mean 'size'?"),
    ]),
    "one of two quotes unknown": ("quote: size", "quote: [size, machine]", [
        (10, "parameters.quote", "'machine' is not one of this record's quotes; known are size"),
    ]),
    "quote unused": (SIZE, SIZE + OTHER, [(10, "quotes.other", "is not used by any fact; name it in `quote:`, or delete it")]),
    "quotes of the same words": (f"{SIZE}parameters: {{value: 60e6, quote: size}}", f"{SIZE}{SAME}parameters: {{value: 60e6, quote: [size, whole]}}", [
        (10, "quotes.whole", "has the same words as 'size'; keep one, and name it in both facts"),
    ]),
    "two quotes of one id": (SIZE, SIZE + SIZE, [(10, "quotes.size", "stands twice, in lines 9 and 10; keep one")]),
    "quote of 26 words": ("has 60 million parameters", "has 60 million parameters " + "indeed " * 22, [
        (9, "quotes.size.text", "has 26 words; a quote has at most 25"),
    ]),
    "quote without found_at": (", found_at: page 1", "", [(9, "quotes.size.found_at", "is missing")]),
    "quote of an unknown source": ("size: {source: paper", "size: {source: papr", [
        (9, "quotes.size.source", "'papr' is not one of this record's sources; did you mean 'paper'?"),
    ]),
    "quote that is text": (SIZE, '  size: "has 60 million parameters"\n', [
        (9, "quotes.size", "must be an object such as {source: …, text: …, found_at: …}, not 'has 60 million parameters'"),
    ]),
    "id of a quote that is none": ("  size: {", "  The Size: {", [
        (9, "quotes.The Size", "'The Size' is not an id; did you mean 'the-size'?"),
        (10, "parameters.quote", "'size' is not one of this record's quotes; did you mean 'The Size'?"),
    ]),
    "place in a repository without commit": ("found_at: page 1", 'found_at: "github:someone/copies:paper.tex"', [
        (9, "quotes.size.found_at", "names no commit; write github:owner/repository@COMMIT:path, so that the words can be found again"),
    ]),
    "the authors' words in a reader's notes": ("found_at: page 1", "found_at: page 1, read_in: excerpt", [
        (9, "quotes.size.read_in", "is excerpt, but the source is of kind authors; cite what was read as a third_party source whose title names the work"),
    ]),
    "the authors' words in another script": ("has 60 million parameters", "有60 million个参数", [
        (9, "quotes.size.text", "is not in Latin script; state read_in: publication if the source is written so, otherwise translation"),
    ]),
    "another precision": ("fp32, source: paper", "fp32, quote: size", [(23, "training[0].precision", "32 of 'fp32' is not in quote 'size'; add derived")]),
    "a zero": ("has 60 million", "has 0 of 61 million", [(10, PARAMETERS, f"60000000 is not in quote 'size', which has 61000000; {CORRECT}")]),
    "list mark": ("has 60 million parameters", "- has 60 million parameters", [
        (9, "quotes.size.text", "begins with the list mark '-'; leave it out"),
    ]),
    "source beside a quote": ("quote: size", "quote: size, source: paper", [
        (10, PARAMETERS, "has quote 'size' and a source, but the quote already names its source; leave the source out"),
    ]),
    "number for a quote": ("quote: size", "quote: 7", [
        (9, "quotes.size", "is not used by any fact; name it in `quote:`, or delete it"),
        (10, "parameters.quote", "is the id of a quote or a list of ids, not 7"),
    ]),
    "via without a source": ("value: 90, source: paper", 'value: 90, via: "table 3"', [
        (22, EPOCHS, "via needs a source: the publication that the table cites"),
    ]),
    "neither quote nor source": ("value: 90, source: paper", "value: 90", [(22, EPOCHS, NOTHING_SEEN)]),
    "source without a kind": ("{kind: authors, title", "{title", [
        (7, "sources.paper.kind", "is missing; one of authors, official, third_party, analysis, press"),
    ]),
    "architecture without source": ("  source: paper\n  family", "  family", [
        (11, "architecture", "needs a source: no evidence covers input, layers"),
    ]),
    "evidence without quote": ("  source: paper\n  family", "  source: paper\n  evidence: [{covers: [input]}]\n  family", [
        (13, "architecture.evidence[0]", NOTHING_SEEN),
    ]),
    "bound that its quote lacks": ("value: 60e6", "at_least: 61e6", [
        (10, PARAMETERS, "61000000 is not in quote 'size', which has 60000000; " + CORRECT),
    ]),
    "neither arithmetic nor number words": ("quote: size", "quote: size, derived: roughly", [
        (10, PARAMETERS, "derived ('roughly') is neither arithmetic (digits + - * / ** ( )) nor number words"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "mistakes"), BROKEN.values(), ids=BROKEN)
def test_broken_evidence(world: World, old: str, new: str, mistakes: list[tuple[int, str, str]]) -> None:
    world.change(IMAGES, old, new)
    assert world.mistakes() == [(IMAGES, *mistake) for mistake in mistakes]


def test_a_result_belongs_to_the_words_of_a_quote(world: World) -> None:
    world.change(IMAGES, "found_at: page 1", 'found_at: "github:someone/copies@0123456789ab:paper.tex"')
    looked_up = "has 60 million parameters,found,2026-11-23\n"
    world.write(
        "places.csv",
        f"found_at,text,place_result,checked_on\ngithub:someone/copies:paper.tex,{looked_up}"
        f"github:someone/copies@0123456789ab:paper.tex,{looked_up}",
    )
    records = loading.load([world.folder])
    assert [mistake.message for mistake in places.unused_places(records, world.folder)] == [
        "no quote has 'has 60 million parameters' at github:someone/copies:paper.tex; delete the row"
    ]
    assert list(facts.places(records))[1] == {
        "found_at": "github:someone/copies@0123456789ab:paper.tex",
        "text": "has 60 million parameters",
        "place_result": "found",
        "checked_on": "2026-11-23",
    }


@pytest.mark.parametrize(
    ("words", "remarks"),
    [
        ('text: "| 60 | 12 |"', 1),
        ('text: "| 60 | 12 |", where: "table 1, Images (in millions)"', 0),
        ('text: "60 boards"', 0),
    ],
)
def test_a_bare_row_of_a_table_is_remarked(world: World, words: str, remarks: int) -> None:
    world.change(IMAGES, 'text: "has 60 million parameters"', words)
    world.change(IMAGES, "parameters: {value: 60e6", "parameters: {note: In boards., value: 60")
    lines = loading.load([world.folder]).remarks
    assert sum("is a table row without a `where`" in line for line in lines) == remarks


SOUND = {
    "25 words": ("has 60 million parameters", "has 60 million parameters " + "indeed " * 21),
    "two quotes hold one figure together": (
        f"{SIZE}parameters: {{value: 60e6, quote: size}}",
        f"{SIZE.replace('60 million', 'sixty')}{OTHER.replace('90', 'in millions for 90')}"
        'parameters: {value: 60e6, quote: [size, other], derived: "sixty * 1e6"}',
    ),
    "a bound by arithmetic": ("value: 60e6, quote: size", 'at_most: 60e6, quote: size, derived: "60 * 10**6"'),
    "an architecture whose every setting is covered": (
        "  source: paper\n  family: layers\n",
        f"{EVIDENCE}  family: layers\n",
    ),
    "a place at a commit": ("found_at: page 1", 'found_at: "github:someone/copies@0123456789ab:a folder/paper.tex"'),
    "a source in another script": ('has 60 million parameters"', '有60 million个参数", read_in: publication'),
}


@pytest.mark.parametrize(("old", "new"), SOUND.values(), ids=SOUND)
def test_sound_evidence(world: World, old: str, new: str) -> None:
    world.change(IMAGES, old, new)
    assert world.mistakes() == []


def test_a_wrong_fact_still_names_its_quote(world: World) -> None:
    world.change(IMAGES, "value: 60e6", "value: -60e6")
    assert world.mistakes() == [(IMAGES, 10, PARAMETERS, "-60000000 is not above 0; an unknown value is left out")]


def test_external_estimates_have_ids_of_their_own(world: World) -> None:
    estimate = "{id: blog, value: 1e20 FLOP, source: paper, inputs: own, outcome: agrees}"
    path = world.folder / IMAGES
    path.write_text(f"{path.read_text()}external_estimates: [{estimate}, {estimate}]\n")
    message = "'blog' is already the id of external estimate 0"
    assert world.mistakes() == [(IMAGES, 28, "external_estimates[1].id", message)]


def test_an_external_estimate_without_a_source_is_refused(world: World) -> None:
    path = world.folder / IMAGES
    path.write_text(
        f"{path.read_text()}external_estimates: [{{id: blog, value: 1e20 FLOP, inputs: own, outcome: agrees}}]\n"
    )
    ((_, line, field, message),) = world.mistakes()
    assert (line, field) == (28, "external_estimates[0]")
    assert message.startswith(NOTHING_SEEN)


@pytest.mark.parametrize("sources", ["", "sources: {}\n"])
def test_a_model_of_ones_own_needs_neither_quotes_nor_sources(world: World, sources: str) -> None:
    path = world.folder / TEXT
    bare = path.read_text().replace("sources: {paper: {kind: authors, title: Another paper}}\n", sources)
    bare = bare.replace("  source: paper\n", "").replace(", source: paper", "")
    path.write_text(bare)
    assert {message for _, _, field, message in world.mistakes() if field != "sources"} == {
        NOTHING_SEEN, "needs a source: no evidence covers layers, width, heads, vocabulary, feed_forward_width",
    }  # fmt: skip
    assert [field for _, _, field, _ in world.mistakes()].count("sources") == 1
    path.write_text(f"stated_by_user: true\n{bare}")
    assert world.mistakes() == []


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ("", "is missing; one of own, same_both, same_count, same_time, unknown"),
        ("inputs: same_tiem, ", "'same_tiem' is not an allowed value; did you mean 'same_time'?"),
    ],
)
def test_external_estimates_say_what_they_share(world: World, inputs: str, message: str) -> None:
    path = world.folder / IMAGES
    estimate = f"{{id: blog, value: 1e20 FLOP, source: paper, {inputs}outcome: agrees}}"
    path.write_text(f"{path.read_text()}external_estimates: [{estimate}]\n")
    assert world.mistakes() == [(IMAGES, 28, "external_estimates[0].inputs", message)]


MISSING = {
    "a name, and where it was looked for": ("[epochs, {fact: precision, looked_in: [paper], would_settle: The code.}]", []),
    "no fact": ("[{looked_in: [paper]}]", [("missing[0].fact", "is missing")]),
    "an unknown source": ("[epochs, {fact: precision, looked_in: [paper, papr]}]", [
        ("missing[1].looked_in[1]", "'papr' is not one of this record's sources; did you mean 'paper'?"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("missing", "mistakes"), MISSING.values(), ids=MISSING)
def test_what_was_not_found(world: World, missing: str, mistakes: list[tuple[str, str]]) -> None:
    path = world.folder / IMAGES
    path.write_text(f"{path.read_text()}missing: {missing}\n")
    assert world.mistakes() == [(IMAGES, 28, *mistake) for mistake in mistakes]
