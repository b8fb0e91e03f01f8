"""Valid YAML with wrong values: each mistake is one line with file, line, field and the nearest valid value."""

import pytest

from pipeline.formulas import layers
from tests.records.conftest import World

IMAGES, TEXT, CHIP = "models/images.yaml", "models/text.yaml", "hardware/nvidia-gtx-580.yaml"
COMPANY, UNIVERSITY = "organizations/a-company.yaml", "organizations/a-university.yaml"
RATES, SLIP = "measurements/rates.yaml", "errata/slip.yaml"
EPOCHS, DURATION = "training[0].epochs", "training[0].hardware[0].duration"
CHIPS = "training[0].hardware[0].chip"
COMMA = "; a comma inside {…} starts a new key: put text in quotes and write numbers without commas"
UNKNOWN = "an unknown value is left out"
NOT_FINITE = f"is not a finite number; {UNKNOWN}"
CALENDAR = "months and years have no fixed length: state days"
DATES = "is not a date; write 2012-12-03, 2012-12 or 2012"
ONE_AMOUNT = "a fact has either value, or low and high, or at_least, or at_most"
ONE_REASON = "a dispute needs quote (the id of words that name its cause), reason (a sentence), or both"
KINDS = ", ".join(sorted(layers.KINDS))

KEYS = [
    (IMAGES, "domain: vision", "domain: vision\nprecision: bf16", 6, "precision", "'precision' is not a key here; it belongs in training[0]"),
    (IMAGES, "domain:", "domian:", 5, "domian", "'domian' is not a key here; did you mean 'domain'?"),
    (IMAGES, "value: 90,", "value: 90, quot: x,", 22, f"{EPOCHS}.quot", "'quot' is not a key here; did you mean 'quote'?"),
    (IMAGES, "        chips:", "        number:", 26, "training[0].hardware[0].number", "'number' is not a key here; known are chip, chip_time, chips, duration, is_from_operations, note, peak"),
    (IMAGES, "domain: vision\n", "", 1, "domain", "is missing"),
    (IMAGES, "scope: single\n", "", 1, "scope", "is missing; one of ensemble, joint_networks, population, search, single, teacher_included"),
    (IMAGES, "scope: single", "scope: training", 6, "scope",
     "'training' is not an allowed value; known are ensemble, joint_networks, population, search, single, teacher_included"),
    (IMAGES, "scope: single", "scope: ensemble", 1, "scope_note", "is missing; state which networks, members or trials ensemble covers"),
    (IMAGES, "title: A paper,", "title: A paper, a sequel,", 7, "sources.paper.a sequel", f"'a sequel' is not a key here{COMMA}"),
    (IMAGES, "value: 1.2e6,", "value: 1,200,", 21, "training[0].examples", f"'200' is not a key here{COMMA}"),
    (CHIP, "aliases:", "xyz:", 3, "xyz", "'xyz' is not a key here; known are aliases, boost_clock, cores_per_chip, devices_per_chip, dies_per_chip, flop_per_clock, generation, manufacturer, memory, memory_bandwidth, name, narrow_accumulate_peaks, note, peaks, power, quotes, released, reviewed, runtime_names, sources"),
]  # fmt: skip
WORDS = [
    (CHIP, "fp32:", "fp23:", 8, "peaks.fp23", "'fp23' is not an allowed value; did you mean 'fp32'?"),
    (IMAGES, "parameters:", "reported_flop: {value: 1e20 FLOP, source: paper}\nparameters:", 10, "reported_flop.method",
     "is missing; one of gpu_time, operation_count, unknown"),
    (IMAGES, "scope: single", "scope: single\ndispute: {cause: machine}", 7, "dispute", ONE_REASON),
    (IMAGES, "phase: pretraining", "phase: Pre Training", 19, "training[0].phase", "'Pre Training' is not an id; did you mean 'pre-training'?"),
    (IMAGES, "year: 2012", "url: www.example.org", 7, "sources.paper.url", "'www.example.org' is not a web address; it begins with https://"),
    (IMAGES, "2012-12-03", "3 December 2012", 4, "published", f"'3 December 2012' {DATES}"),
    (IMAGES, "2012-12-03", "2012-02-30", 4, "published", f"'2012-02-30' {DATES}"),
]  # fmt: skip
UNITS = [
    ("low: 5 day", "low: 5 dya", "'dya' is not a unit; did you mean 'day'?"),
    ("low: 5 day", "low: 5", "5 has no unit; write for example '5 day'"),
    ("low: 5 day", "low: 5day", "'5day' is not a number with a unit, such as '5.5 day'; the expected unit is second"),
    ("low: 5 day", "low: 0 day", f"'0 day' is not above 0; {UNKNOWN}"),
    ("high: 6 day", "high: 1e6 day", "'1e6 day' is more than possible (6.32448e+08 second)"),
    ("low: 5 day, high: 6 day", "low: 6 day, high: 5 day", "low (6 day) is above high (5 day); swap them"),
    ("high: 6 day", "high: 6 hour", "low (5 day) is above high (6 hour); swap them"),
    ("low: 5 day, high: 6 day", "low: 5 day", ONE_AMOUNT),
    ("low: 5 day, high: 6 day", "value: 5 day, low: 5 day, high: 6 day", ONE_AMOUNT),
]  # fmt: skip
NUMBERS = [
    ("0", f"0 is not above 0; {UNKNOWN}"),
    ("nan", f"'nan' {NOT_FINITE}"),
    (".inf", f"'.inf' {NOT_FINITE}"),
    ("1e8", "100000000 is more than possible (1e+07)"),
    ("1_000", "'1_000' is not a number; write for example 7.5B, 350k or 1.5e12"),
    ("ninety", "'ninety' is not a number; write for example 7.5B, 350k or 1.5e12"),
    ("", ONE_AMOUNT),
]
BOUNDS = [
    (IMAGES, "domain: vision", "domain: vision\nbase_share: {value: 1, source: paper}", 6, "base_share", "1 is more than possible (0.9999)"),
    (IMAGES, "year: 2012", "year: 20012", 7, "sources.paper.year", "must be less than or equal to 2040, not 20012"),
    (IMAGES, "value: 90,", "value: true,", 22, f"{EPOCHS}.value", "must be a number, not True"),
    (CHIP, "1.581 teraflop_per_second", "1.581 flop_per_second", 8, "peaks.fp32", f"'1.581 flop_per_second' is less than possible (1e+06 flop_per_second); {UNKNOWN}"),
    (RATES, "    throughput: {value: 50 image_per_second, source: table}\n", "", 8, "rows[0]", "a row has either throughput or step_time"),
]  # fmt: skip
SHAPES = [
    (IMAGES, "epochs: {value: 90, source: paper}", "epochs: 90", 22, EPOCHS, "must be an object such as {value: …, quote: …}, not 90"),
    (IMAGES, "{kind: authors, title: A paper, year: 2012}", "A paper", 7, "sources.paper", "must be an object such as {title: …}, not 'A paper'"),
    (IMAGES, "sources: {paper: {kind: authors, title: A paper, year: 2012}}", "sources: [paper]", 7, "sources", "must be an object such as {name: …}, not ['paper']"),
    (IMAGES, "sources: {paper: {kind: authors, title: A paper, year: 2012}}", "sources: {}", 7, "sources", "is empty; state at least one"),
    (IMAGES, "name: Images", "name: 2012", 1, "name", "must be text, not 2012"),
    (TEXT, "training:\n  - phase: pretraining\n", "training:\n    phase: pretraining\n", 16, "training", "must be a list, each entry of which begins with a dash, not {'phase': 'pretraining', 'example_unit': 'token', 'examples'…"),
    (CHIP, "peaks:\n  fp32: {value: 1.581 teraflop_per_second, source: page}", "peaks: {}", 7, "peaks", "is empty; state at least one"),
]  # fmt: skip
REFERENCES = [
    (IMAGES, "{low: 5 day, high: 6 day, source: paper}", "{value: 5 day, source: paper}\n        chip_time: {value: 1 chip_day, source: paper}", 28, "training[0].hardware[0].chip_time", "1 chip_day and chips x duration (10 chip_day) contradict each other; keep the one that the source states"),
    (IMAGES, "value: fp32", "value: bf16", 23, "training[0].precision", "GTX 580 has no bf16 peak; it has fp32"),
    (IMAGES, "2012-12-03", "2009-12-03", 25, CHIPS, "GTX 580 was released on 2010-11-09, after the model (2009-12-03)"),
    (IMAGES, "2012-12-03", "2010-10", 25, CHIPS, "GTX 580 was released on 2010-11-09, after the model (2010-10)"),
    (IMAGES, "domain: vision", "domain: vision\nbase_model: {value: txt, source: paper}", 6, "base_model[0]", "'txt' is not a model; did you mean 'text'?"),
    (IMAGES, "domain: vision", "domain: vision\nbase_model: {value: images, source: paper}", 6, "base_model[0]", "is this model itself; name the model from whose weights training began"),
    (IMAGES, "domain: vision", "domain: vision\nbase_model: {value: text, source: paper}", 6, "base_model[0]", "text was published on 2020-05, after this model (2012-12-03); say why in note"),
    (TEXT, "domain: language", "domain: language\nparameters: {value: 1.06e5, source: paper}\nbase_model: {value: images, source: paper}", 7, "base_model[0]",
     "images has 566 times the parameters; say in note which part of it was used"),
    (IMAGES, "domain: vision", "domain: vision\nbase_share: {value: 0.25, source: paper}", 6, "base_share", "needs base_model, whose share it is"),
    (IMAGES, "domain: vision", "domain: vision\ncontributions: [{accounting: pretraining, source: paper, note: The first weights.}]", 6, "contributions[0]",
     "are these the weights from which training began? Then name them in base_model"),
    (IMAGES, "domain: vision", 'domain: vision\ncontributions: [{accounting: pretraining, source: paper, note: "Text, which has no record."}]', 6, "contributions[0]",
     "the note says that Text has no record, but text is its record"),
    (TEXT, "- phase: pretraining\n", "- phase: pretraining\n    accounting: fine_tuning\n", 16, "training", "all its phases train on from other weights: name them in base_model"),
    (IMAGES, "domain: vision", "domain: vision\nbase_model: {value: TEXT, source: paper}", 6, "base_model[0]", "'TEXT' has a record: write text"),
    (IMAGES, "domain: vision", "domain: vision\nbase_model: {value: text, note: Newer}", 6, "base_model[0]", "needs a quote, or a source if nobody read its words"),
    (IMAGES, "A university", "A univercity and others", 2, "organization",
     "'A univercity' is not an organization or alias; did you mean 'A university'? If you mean another, `flopledger new organization ID` drafts its record"),
    (IMAGES, "A university", "A company, Nobody & Sons", 2, "organization",
     "'Nobody & Sons' is not an organization or alias; `flopledger new organization ID` drafts its record"),
    (COMPANY, "name: A company", "name: A company\nparents: [{value: a-univresity, source: page}]\nsources: {page: {title: A page}}", 2, "parents[0].value",
     "'a-univresity' is not an organization; did you mean 'a-university'?"),
    (COMPANY, "name: A company", "name: A company\nparents: [{value: a-company, source: page}]\nsources: {page: {title: A page}}", 2, "parents[0].value",
     "a-company belongs to itself through a-company"),
    (UNIVERSITY, "name: A university", "name: A university\naliases: [aco]", 2, "aliases", "'aco' is already a name of a-company"),
    (COMPANY, "aliases: [ACo]", "kind: {value: university, source: page}\nsources: {page: {title: A page}}", 2, "kind.value",
     "'university' is not an allowed value; known are academia, collective, government, industry, mixed"),
    (RATES, "architecture: small", "architecture: smal", 9, "rows[0].architecture", "'smal' is not an architecture; did you mean 'small'?"),
    (SLIP, "factors: 1.2e6 * 90", "factors: 1.2e6 x 90", 6, "factors", "'1.2e6 x 90' is not arithmetic (digits + - * / ** ( ))"),
    (SLIP, "1.08e8 FLOP", "1.08e9 FLOP", 7, "corrected_value", "the factors give 1.08e+08, not 1.08e9 FLOP"),
]  # fmt: skip
LAYERS = [
    ("kind: linear", "kind: liner", 17, "layers[1]", "'liner' is not a layer kind; did you mean 'linear'?"),
    ("kind: linear", "kind: zzz", 17, "layers[1]", f"'zzz' is not a layer kind; known are {KINDS}"),
    ("{kind: flatten}", "flatten", 16, "layers[0]", "layer 0 needs a kind"),
    (", out_features: 310881", "", 17, "layers[1]", "layer 1 (linear) needs out_features"),
    ("out_features: 310881", "out_features: ten", 17, "layers[1]", "layer 1 (linear): out_features must be a whole number above 0, not 'ten'"),
    ("out_features: 310881", "out_features: 310881, has_bias: 1", 17, "layers[1]", "layer 1 (linear): has_bias must be true or false, not 1"),
    ("out_features: 310881", "out_features: 1000000001", 17, "layers[1]", "layer 1 (linear): out_features is more than possible (1,000,000,000): 1,000,000,001"),
    ("[3, 8, 8]", "[3, -8, 8]", 14, "input", "input needs a shape of whole numbers above 0, such as [3, 224, 224], or [sequence_length], not [3, -8, 8]"),
    ("{shape: [3, 8, 8]}", "[3, 8, 8]", 14, "input", "input must be a mapping, not [3, 8, 8]"),
    ("family: layers", "family: layer", 13, "family", "'layer' is not a family; did you mean 'layers'?"),
]  # fmt: skip
FAMILIES = [
    ("  heads: 4\n", "", 8, "architecture", "family transformer_decoder needs heads"),
    ("width: 64\n", "width: 64.5\n", 12, "architecture.width", "width must be a whole number above 0, not 64.5"),
    ("layers: 2", "layers: 100000000000", 11, "architecture.layers", "layers is more than possible (10,000): 100,000,000,000"),
    ("heads: 4", "heads: 4\n  experts: 8", 8, "architecture", "experts need experts_per_token and expert_width"),
    ("    sequence_length: {value: 16, source: paper}\n", "", 17, "training[0].sequence_length", "family transformer_decoder needs the phase's sequence_length"),
    ("  layers: 2", "  evidence: [{covers: [layer], source: paper}]\n  layers: 2", 11, "architecture.evidence[0].covers", "'layer' is not a key of this architecture; did you mean 'layers'?"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "field", "message"), [*KEYS, *WORDS, *BOUNDS, *SHAPES, *REFERENCES]
)
def test_one_mistake(world: World, file: str, old: str, new: str, line: int, field: str, message: str) -> None:
    world.change(file, old, new)
    assert world.mistakes() == [(file, line, field, message)]


@pytest.mark.parametrize(("old", "new", "message"), UNITS)
def test_a_quantity(world: World, old: str, new: str, message: str) -> None:
    world.change(IMAGES, old, new)
    assert world.mistakes() == [(IMAGES, 27, DURATION, message)]


@pytest.mark.parametrize(("written", "message"), NUMBERS, ids=lambda value: value[:20])
def test_a_number(world: World, written: str, message: str) -> None:
    world.change(IMAGES, "epochs: {value: 90, source: paper}", f"epochs:\n      source: paper\n      value: {written}")
    assert world.mistakes() == [(IMAGES, 22, EPOCHS, message)]


@pytest.mark.parametrize(("old", "new", "line", "field", "message"), LAYERS)
def test_a_layer(world: World, old: str, new: str, line: int, field: str, message: str) -> None:
    world.change(IMAGES, old, new)
    assert world.mistakes() == [(IMAGES, line, f"architecture.{field}", message)]


@pytest.mark.parametrize(("old", "new", "line", "field", "message"), FAMILIES)
def test_a_family(world: World, old: str, new: str, line: int, field: str, message: str) -> None:
    world.change(TEXT, old, new)
    assert world.mistakes() == [(TEXT, line, field, message)]


def test_a_layer_that_a_family_made_is_no_entry_of_a_list(world: World) -> None:
    world.change(TEXT, "heads: 4", "heads: 4\n  key_value_heads: 3")
    [(file, line, field, message)] = world.mistakes()
    assert (file, line, field) == (TEXT, 8, "architecture")
    assert message.endswith("(layer_norm), which gives 16x64: 4 heads cannot share 3 key_value_heads")


def test_an_architecture_is_checked_without_a_phase(world: World) -> None:
    path = world.change(TEXT, "heads: 4", "head: 4")
    path.write_text(path.read_text().split("training:")[0])
    message = "'head' is not a key of family transformer_decoder; did you mean 'heads'?"
    assert world.mistakes() == [(TEXT, 13, "architecture.head", message)]


def test_a_circle_of_base_models_is_the_mistake_of_those_within(world: World) -> None:
    world.change(IMAGES, "domain: vision", "domain: vision\nbase_model: {value: text, source: paper, note: A copy}")
    world.change(TEXT, "domain: language", "domain: language\nbase_model: {value: images, source: paper}")
    world.write("models/outside.yaml", (world.folder / IMAGES).read_text().replace("name: Images", "name: Outside"))
    assert world.mistakes() == [
        (IMAGES, 6, "base_model", "base models form a circle: images -> text -> images"),
        (TEXT, 6, "base_model", "base models form a circle: text -> images -> text"),
    ]


def test_cores_need_a_chip_that_states_them(world: World) -> None:
    world.change(IMAGES, "duration: {low: 5 day, high: 6 day,", "chip_time: {value: 5 core_day,")
    message = "counts cores, but GTX 580 has no cores_per_chip in its record"
    assert world.mistakes() == [(IMAGES, 27, "training[0].hardware[0].chip_time", message)]


def test_phases_and_rows_have_names_of_their_own(world: World) -> None:
    phases = (world.folder / TEXT).read_text().split("training:\n")[1]
    world.write(TEXT, (world.folder / TEXT).read_text() + phases)
    rows = (world.folder / RATES).read_text().split("rows:\n")[1]
    world.write(RATES, (world.folder / RATES).read_text() + rows)
    assert world.mistakes() == [
        (RATES, 16, "rows[1].row", "'first' is already the name of row 0"),
        (TEXT, 21, "training[1].phase", "'pretraining' is already the name of phase 0"),
    ]


def test_a_misspelt_chip_record_does_not_make_its_models_wrong(world: World) -> None:
    world.change(CHIP, "manufacturer:", "manufacterer:")
    message = "'manufacterer' is not a key here; did you mean 'manufacturer'?"
    assert world.mistakes() == [(CHIP, 2, "manufacterer", message)]


def test_all_mistakes_are_listed_at_once_and_in_order(world: World) -> None:
    for old, new in [
        ("domain: vision", "domain: visoin"),
        ("60 million", "61 million"),
        ("kind: flatten", "kind: flaten"),
        ("out_features: 310881", "out_feature: 310881"),
        ("value: 90, source: paper", "value: -90, source: papr"),
        ("value: fp32", "value: fp33"),
        ("nvidia-gtx-580", "gxt580"),
        ("        chips:", "        chipss:"),
        ("low: 5 day", "low: 5 month"),
    ]:
        world.change(IMAGES, old, new)
    world.change(TEXT, "heads: 4", "heads: 5")
    assert world.mistakes() == [
        (IMAGES, 5, "domain", "'visoin' is not an allowed value; did you mean 'vision'?"),
        (IMAGES, 10, "parameters", "60000000 is not in quote 'size', which has 61000000; correct it, or add derived: the arithmetic that leads to it"),
        (IMAGES, 16, "architecture.layers[0]", "'flaten' is not a layer kind; did you mean 'flatten'?"),
        (IMAGES, 17, "architecture.layers[1]", "layer 1 (linear): 'out_feature' is not one of its arguments; did you mean 'out_features'?"),
        (IMAGES, 22, EPOCHS, f"-90 is not above 0; {UNKNOWN}"),
        (IMAGES, 22, f"{EPOCHS}.source", "'papr' is not one of this record's sources; did you mean 'paper'?"),
        (IMAGES, 23, "training[0].precision.value", "'fp33' is not an allowed value; did you mean 'fp32'?"),
        (IMAGES, 25, CHIPS, "'gxt580' is not a chip in the ledger; did you mean 'nvidia-gtx-580'?"),
        (IMAGES, 26, "training[0].hardware[0].chipss", "'chipss' is not a key here; did you mean 'chips'?"),
        (IMAGES, 27, DURATION, f"'month' is not a unit; {CALENDAR}"),
        (TEXT, 13, "architecture.heads", "a width of 64 cannot be divided among 5 heads; state head_width"),
    ]  # fmt: skip
