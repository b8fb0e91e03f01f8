"""The content of a record's text, compared with another parser of the same document: JSON is valid YAML 1.2."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import yaml_text

WORDS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x2FF, exclude_categories=["Cc"]), max_size=30)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS
)
VALUES = st.recursive(
    SCALARS, lambda inside: st.lists(inside, max_size=4) | st.dictionaries(WORDS, inside, max_size=4), max_leaves=20
)


@given(st.dictionaries(WORDS, VALUES, min_size=1, max_size=5), st.sampled_from([None, 1]))
def test_a_json_document_reads_as_json(content, indent):
    text, mistakes = yaml_text.parse(json.dumps(content, ensure_ascii=False, indent=indent), "own.yaml")
    assert mistakes == []
    assert json.dumps(text.content) == json.dumps(content)


def test_the_lines_are_those_of_the_text():
    text, _ = yaml_text.parse("name: net\ntraining:\n  - epochs: 1\n    batch: 2\n", "own.yaml")
    assert yaml_text.line_of(text.node, ("training", 0, "batch")) == 4


def test_a_mapping_as_a_key_is_refused_after_mistakes_of_the_text():
    _, mistakes = yaml_text.parse("name: net\n? {a: 1}\n: 2\n", "own.yaml")
    assert [str(mistake) for mistake in mistakes] == [
        "own.yaml:2: is not YAML: while constructing a mapping found unhashable key"
    ]
    _, mistakes = yaml_text.parse("name: net\n? {a: 1}\n: [2\n", "own.yaml")
    assert "unhashable" not in str(mistakes[0])
