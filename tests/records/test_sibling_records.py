"""Records with `like:`: what they inherit, what they never inherit, and what is refused."""

import shutil

import pytest
import yaml

from pipeline.base.paths import RECORDS
from pipeline.records import loading
from pipeline.records.yaml_text import RecordError
from schemas import records as schema
from schemas.records import Records

NETWORK = {
    "layers": 40,
    "width": 5120,
    "heads": 40,
    "feed_forward_width": 17408,
    "is_gated": True,
    "is_tied": False,
    "has_biases": False,
}
QUOTE = {
    "source": "litgpt",
    "text": "n_layer=40, n_head=40, n_embd=5120, intermediate_size=17408",
    "found_at": "https://example.org/config",
}


@pytest.fixture
def family(tmp_path):
    """Make a folder of models with the record of Qwen3-32B, and a function that writes and reads a record like it."""
    folder = tmp_path / "models"
    folder.mkdir()
    shutil.copy(RECORDS / "models/qwen3-32b.yaml", folder)

    def read(name="qwen3-14b", **changed):
        evidence = [{"covers": [*NETWORK], "quote": "layers"}]
        content = {
            "name": name,
            "like": "qwen3-32b",
            "quotes": {"layers": QUOTE},
            "architecture": {**NETWORK, "evidence": evidence},
        } | changed
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(content))
        return loading.load_model(folder / f"{name}.yaml", Records())

    read.folder = folder
    return read


def test_what_sizes_of_a_family_share_is_inherited_and_marked(family):
    model = family()
    assert (model.organization, model.published) == ("Alibaba", "2025-04-29")
    assert model.training[0].examples.amount == 36e12
    facts = dict(schema.facts(model))
    assert (
        facts["training[0].examples"].inherited_from == facts["architecture.vocabulary"].inherited_from == "qwen3-32b"
    )
    assert facts["architecture.layers"].inherited_from is None
    assert facts["architecture.layers"].value == "40"


def test_what_is_each_models_own_is_not_inherited(family):
    model = family()
    assert (
        model.parameters,
        model.weights_access,
        model.note,
        model.external_estimates,
        model.missing,
        model.aliases,
    ) == (None, None, None, [], [], [])
    assert {fact.note for _, fact in schema.facts(model)} == {None}
    assert {*model.quotes} == {
        "layers",
        *(f"qwen3-32b-{name}" for name in ("layers", "head-width", "examples", "general", "synthetic")),
    }
    assert {*model.sources} == {"paper", "litgpt"}


def test_chips_and_totals_of_a_sibling_are_not_inherited(family):
    path = family.folder / "qwen3-32b.yaml"
    content = yaml.safe_load(path.read_text())
    content["training"][0] |= {
        "hardware": [{"chips": {"value": 64, "quote": "examples"}}],
        "steps": {"value": 10, "quote": "examples"},
    }
    path.write_text(yaml.safe_dump(content))
    (phase,) = family().training
    assert (phase.hardware, phase.steps) == ([], None)


@pytest.mark.parametrize(("changed", "problem"), [
    ({"like": "qwen3-23b"}, "like: 'qwen3-23b' is not a record; did you mean 'qwen3-32b'"),
    ({"like": "../../etc/passwd"}, "like: '../../etc/passwd' is not the id of a record"),
    ({"like": ["qwen3-32b"]}, "is not the id of a record"),
    ({"architecture": {"layers": 40}}, "like: sizes of a family may differ in flags: state is_gated, is_tied, has_biases in architecture, with evidence"),
    ({"sources": {"paper": {"title": "Another", "url": "https://example.org"}}}, "like: 'qwen3-32b' has another source 'paper', from which this"),
    ({"quotes": ["layers"]}, "quotes"),
    ({"parameters": {"value": 14.8e9, "quote": "layers", "derived": "14.8 * 1e9", "inherited_from": "gpt-3"}}, "parameters has inherited_from, which only"),
])  # fmt: skip
def test_what_is_no_sibling_is_a_line(family, changed, problem):
    with pytest.raises(RecordError) as refused:
        family(**changed)
    assert problem in str(refused.value)


def test_a_sibling_states_its_facts_itself(family):
    family()
    with pytest.raises(
        RecordError, match="the record of 'qwen3-14b' has mistakes or itself uses `like`; name a complete record"
    ):
        family("qwen3-8b", like="qwen3-14b")
