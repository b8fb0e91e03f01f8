"""Records of one publication: an unexplained difference from the others, or a missing fact, gives a line."""

import pytest

from pipeline.records import loading
from tests.records.conftest import World

LARGE = """\
name: Large
organization: A company
organization_kind: industry
published: 2020-05
domain: language
weights_access: {value: open, source: paper}
scope: single
sources: {paper: {kind: authors, title: One paper, url: "https://arxiv.org/pdf/2005.00001v2"}}
quotes:
  machine: {source: paper, text: "on 64 chips in bfloat16 for 3 days", found_at: page 4}
architecture:
  source: paper
  family: transformer_decoder
  layers: 2
  width: 64
  heads: 4
  vocabulary: 100
  feed_forward_width: 256
  is_tied: true
training:
  - phase: pretraining
    accounting: pretraining
    example_unit: token
    examples: {value: 3e9, source: paper}
    sequence_length: {value: 16, source: paper}
    precision: {value: bf16, quote: machine, derived: bfloat16}
contributions: []
"""
SMALL = LARGE.replace("name: Large", "name: Small").replace("/pdf/2005.00001v2", "/abs/2005.00001")
FILE = "models/small.yaml"
ELSE = "; otherwise write the reason into unlike_siblings"
ALIKE = f"; make them alike{ELSE}"

# The text that agrees with the sibling, its replacement, and the field and message of each mistake.
DIFFERENT = {
    "as its sibling": ("name: Small", "name: Small", []),
    "no word of the weights": ("weights_access: {value: open, source: paper}\n", "", [
        ("weights_access", f"is not stated, but open in its sibling large{ALIKE}"),
    ]),
    "another flag": ("is_tied: true", "is_tied: false", [("is_tied", f"is False, but True in its sibling large{ALIKE}")]),
    "a flag of another family": ("family: transformer_decoder", "family: transformer_encoder", []),
    "another unit": ("example_unit: token", "example_unit: text_sequence", [
        ("example_unit", f"is text_sequence, but token in its sibling large{ALIKE}"),
    ]),
    "another phase": ("phase: pretraining", "phase: first_stage", [
        ("phases", f"is first_stage, but pretraining in its sibling large{ALIKE}"),
    ]),
    "contributions not looked for": ("contributions: []\n", "", [
        ("contributions", f"is not stated, but stated in its sibling large{ALIKE}"),
    ]),
    "contributions looked for": ("contributions: []\n", "missing: [{fact: contributions, looked_in: [paper]}]\n", []),
    "a reason": ("is_tied: true", "is_tied: false", []),
}  # fmt: skip
UNTIED = "unlike_siblings: {is_tied: Its table says so.}\n"


def mistakes_of(world: World, small: str, large: str = LARGE) -> list[tuple[str, str]]:
    world.write("models/large.yaml", large)
    world.write(FILE, small)
    return [(field, message) for file, _, field, message in world.mistakes() if file == FILE]


@pytest.mark.parametrize(("old", "new", "mistakes"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_is_said_once_for_a_publication(
    world: World, old: str, new: str, mistakes: list[tuple[str, str]], request: pytest.FixtureRequest
) -> None:
    assert SMALL.count(old) == 1
    reason = UNTIED if request.node.callspec.id == "a reason" else ""
    assert mistakes_of(world, SMALL.replace(old, new) + reason) == mistakes


def test_a_fact_that_a_sibling_has_from_the_same_source(world: World) -> None:
    lacking = SMALL.replace("    precision: {value: bf16, quote: machine, derived: bfloat16}\n", "")
    lacking = lacking.replace(
        'quotes:\n  machine: {source: paper, text: "on 64 chips in bfloat16 for 3 days", found_at: page 4}\n', ""
    )
    message = (
        "is missing, but its sibling large states it from https://arxiv.org/abs/2005.00001; look for it there, or name the"
        f" source in looked_in of missing if it is not there{ELSE}"
    )
    assert mistakes_of(world, lacking) == [("precision", message)]
    assert mistakes_of(world, lacking + "missing: [precision]\n") == [("precision", message)]
    assert mistakes_of(world, lacking + "missing: [{fact: precision, looked_in: [paper]}]\n") == []
    assert mistakes_of(world, lacking + "unlike_siblings: {precision: Of another machine.}\n") == []
    assert mistakes_of(world, lacking.replace("2005.00001", "2005.00002")) == []


def test_a_reason_for_nothing(world: World) -> None:
    assert mistakes_of(world, SMALL + UNTIED) == [
        ("unlike_siblings.is_tied", "is the same as in its siblings; delete it")
    ]
    other = SMALL.replace("value: open", "value: closed") + UNTIED
    assert (
        "unlike_siblings.is_tied",
        "is the same as in its siblings (the record differs only in weights_access); delete it",
    ) in mistakes_of(world, other)


def test_a_variant_elsewhere_may_differ(world: World) -> None:
    world.write("models/large.yaml", LARGE)
    variant = world.write("small.yaml", SMALL.replace("value: open", "value: closed"))
    loading.load([variant], among=[world.folder / "models" / "large.yaml"])


def test_the_most_siblings_decide(world: World) -> None:
    world.write(
        "models/middle.yaml", LARGE.replace("name: Large", "name: Middle").replace("value: open", "value: closed")
    )
    assert mistakes_of(world, SMALL.replace("value: open", "value: closed")) == []
    assert [(file, field) for file, _, field, _ in world.mistakes()] == [("models/large.yaml", "weights_access")]


def test_continued_training_has_the_network_of_its_base(world: World) -> None:
    network = LARGE[LARGE.index("architecture:") : LARGE.index("training:")]
    large = LARGE.replace(network, f"parameters: {{value: 1e5, source: paper}}\n{network}")
    continued = SMALL.replace(
        network,
        "parameters: {value: 1e5, source: paper}\nnetwork: decoder_only\nbase_model: {value: large, source: paper}\n",
    )
    continued = continued.replace("accounting: pretraining", "accounting: continued")
    message = f"is missing, but its base model large has it; copy it{ELSE}"
    assert mistakes_of(world, continued, large) == [("architecture", message)]
    assert mistakes_of(world, continued.replace("1e5", "2e5"), large) == []
    assert mistakes_of(world, continued.replace("accounting: continued", "accounting: fine_tuning"), large) == []
    assert mistakes_of(world, continued + "missing: [{fact: architecture, looked_in: [paper]}]\n", large) == []


@pytest.mark.parametrize(("share", "is_same"), [(0.99, True), (1.01, False)])
def test_continued_training_has_the_size_of_its_base(world: World, share: float, is_same: bool) -> None:
    network = LARGE[LARGE.index("architecture:") : LARGE.index("training:")]
    sized = "parameters: {value: %s, source: paper}\n"
    world.write("models/large.yaml", LARGE.replace(network, sized % "1e5" + network))
    own = sized % (1e5 * (1 + share * 0.02)) + "network: decoder_only\nbase_model: large\n"
    continued = SMALL.replace(network, own).replace("accounting: pretraining", "accounting: continued")
    world.write("models/small.yaml", continued)
    assert any("but its base model large has it" in message for *_, message in world.mistakes()) == is_same
