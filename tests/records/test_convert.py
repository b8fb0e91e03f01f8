"""Records of the former form, rewritten: the words stand once, facts name them, and all else stays as it was written."""

from pathlib import Path

import pytest
import yaml

from pipeline.paths import RECORDS
from pipeline.records import convert, yaml_text
from pipeline.records.loading import RecordError

BEFORE = """\
# A record of a test.
name: Net
published: 2020
sources:  # one
  paper: {title: "A paper, in two parts"}  # the authors'
  blog: {title: A post}
second_reading: 2026-11-21  # by another
parameters: {value: 6e7, source: paper, text: "has 60 million parameters", read: "page 1", note: "Rounded, so."}
architecture:
  source: paper
  family: layers
  evidence:
    # of the table
    - {covers: [layers, input], source: paper, text: 'ten "layers"', read: page 2}
training:
  - phase: pretraining
    examples: {source: blog, value: 1e6, text: "a million", read: page 3, derived: million}
    steps: {value: 1000, source: paper, via: "table 1: steps"}
    hardware:
      - chip: {value: x, source: paper, text: "two X for a day", read: "page 1"}
        chips: {value: 2, source: paper, text: "two X for a day", read: "page 1", derived: two}
  - phase: second
    examples:
      value: 2e6
      source: blog
      text: >-
        two
        million: all
      read: a, b  # a copy
      derived: two million
checked:
  - {value: 1e20 FLOP, source: blog, via: a table, method: gpu_time, outcome: agrees}
  - {value: 2e20 FLOP, source: blog, text: "2e20 in all", read: page 3, method: operation_count, outcome: agrees}
  - value: 3e20 FLOP
    source: paper
    outcome: agrees
note: "`read` and `text` stand here too."
"""
AFTER = """\
# A record of a test.
name: Net
published: 2020
reviewed: 2026-11-21  # by another
sources:  # one
  paper: {title: "A paper, in two parts"}  # the authors'
  blog: {title: A post}
quotes:
  parameters: {source: paper, text: "has 60 million parameters", found_at: "page 1"}
  layers: {source: paper, text: 'ten "layers"', found_at: page 2}
  examples: {source: blog, text: "a million", found_at: page 3}
  chip: {source: paper, text: "two X for a day", found_at: "page 1"}
  examples-2: {source: blog, text: "two million: all", found_at: "a, b"}
  blog-operation-count: {source: blog, text: "2e20 in all", found_at: page 3}
parameters: {value: 6e7, quote: parameters, note: "Rounded, so."}
architecture:
  source: paper
  family: layers
  evidence:
    # of the table
    - {covers: [layers, input], quote: layers}
training:
  - phase: pretraining
    examples: {quote: examples, value: 1e6, derived: million}
    steps: {value: 1000, source: paper, via: "table 1: steps"}
    hardware:
      - chip: {value: x, quote: chip}
        chips: {value: 2, quote: chip, derived: two}
  - phase: second
    examples:
      value: 2e6
      quote: examples-2
      # a copy
      derived: two million
external_estimates:
  - {id: blog-gpu-time, value: 1e20 FLOP, source: blog, via: a table, method: gpu_time, outcome: agrees}
  - {id: blog-operation-count, value: 2e20 FLOP, quote: blog-operation-count, method: operation_count, outcome: agrees}
  - id: paper
    value: 3e20 FLOP
    source: paper
    outcome: agrees
note: "`read` and `text` stand here too."
"""
SOURCES = "sources: {p: {title: P}}"


def test_what_moves_and_what_stays() -> None:
    assert convert.converted(BEFORE, "net.yaml") == AFTER


def test_what_is_in_the_present_form_stays_as_it_is() -> None:
    assert convert.converted(AFTER, "net.yaml") == AFTER


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (  # no line break at the end, sources last
            "a: {value: 1, source: p, text: one, read: b}\nsources: {p: {title: P}}",
            "a: {value: 1, quote: a}\nsources: {p: {title: P}}\nquotes:\n  a: {source: p, text: one, found_at: b}\n",
        ),
        (  # a record that has some quotes already, one of them the same
            f"{SOURCES}\nquotes:\n  one: {{source: p, text: one, found_at: b}}\nc: {{value: 1, quote: one}}\n"
            "a: {value: 1, source: p, text: one, read: b}\none: {value: 2, source: p, text: two, read: b}\n",
            f"{SOURCES}\nquotes:\n  one: {{source: p, text: one, found_at: b}}\n  one-2: {{source: p, text: two, found_at: b}}\n"
            "c: {value: 1, quote: one}\na: {value: 1, quote: one}\none: {value: 2, quote: one-2}\n",
        ),
        (  # measured rows, and facts by precision
            f"{SOURCES}\npeaks:\n  fp16: {{value: 1, source: p, text: one, read: b}}\nrows:\n"
            "  - row: a_100.x\n    throughput: {value: 2, source: p, text: two, read: b}\n"
            "    reported_mfu: {value: 3, source: p, text: three, read: b}\n"
            "reported_utilization:\n  - row: 8xh100\n    source: p\n    text: four\n    read: b\n",
            f"{SOURCES}\nquotes:\n  peaks-fp16: {{source: p, text: one, found_at: b}}\n  a-100-x: {{source: p, text: two, found_at: b}}\n"
            "  a-100-x-reported-mfu: {source: p, text: three, found_at: b}\n  quote-8xh100: {source: p, text: four, found_at: b}\n"
            "peaks:\n  fp16: {value: 1, quote: peaks-fp16}\nrows:\n  - row: a_100.x\n    throughput: {value: 2, quote: a-100-x}\n"
            "    reported_mfu: {value: 3, quote: a-100-x-reported-mfu}\n"
            "reported_utilization:\n  - row: 8xh100\n    quote: quote-8xh100\n",
        ),
        (  # a fact on several lines
            f"{SOURCES}\na: {{value: 1,\n    source: p, text: 'it''s one',\n    read: b, note: c}}\n",
            f"{SOURCES}\nquotes:\n  a: {{source: p, text: 'it''s one', found_at: b}}\na: {{value: 1,\n    quote: a, note: c}}\n",
        ),
        (  # renamed keys alone
            f"name: N\nsecond_reading: 2020-01-01\n{SOURCES}\nchecked: []\n",
            f"name: N\nreviewed: 2020-01-01\n{SOURCES}\nexternal_estimates: []\n",
        ),
        (  # what only looks like a fact: a config of its own keys
            f"{SOURCES}\narchitecture: {{family: hugging_face, config: {{text: {{read: 1}}}}}}\nchecked: []\n",
            f"{SOURCES}\narchitecture: {{family: hugging_face, config: {{text: {{read: 1}}}}}}\nexternal_estimates: []\n",
        ),
    ],
    ids=["sources last", "some quotes already", "rows", "several lines", "renamed alone", "config"],
)  # fmt: skip
def test_other_forms(before: str, after: str) -> None:
    assert convert.converted(before, "net.yaml") == after
    assert convert.converted(after, "net.yaml") == after


REFUSED = {
    "text without read": (f"{SOURCES}\na: {{value: 1, source: p, text: one}}\n", "net.yaml:2 a: has no read; a quoted fact has source, text and read"),
    "read alone": (f"{SOURCES}\na: {{value: 1, read: b}}\n", "net.yaml:2 a: has no source and no text; a quoted fact has source, text and read"),
    "a number for text": (f"{SOURCES}\na: {{value: 1, source: p, text: 1, read: b}}\n", "net.yaml:2 a: source, text and read must be text"),
    "quote and text": (f"{SOURCES}\na: {{quote: q, source: p, text: one, read: b}}\n", "net.yaml:2 a: has quote beside text and read, which it replaces; keep one"),
    "a comment inside": (f"{SOURCES}\na: {{source: p, # why\n  text: one, read: b}}\n", "net.yaml:2 a: has a comment inside {…}; move it to a line above"),
    "no sources": ("a: {source: p, text: one, read: b}\n", "net.yaml:1 sources: is missing"),
    "both names": (f"{SOURCES}\nreviewed: 2020\nsecond_reading: 2021\n", "net.yaml:3 second_reading: stands beside reviewed, its present name; keep one"),
    "one mapping": ("{sources: {p: {title: P}}, a: {source: p, text: one, read: b}}\n", "net.yaml:1: stands in one {…}; give each of its keys a line of its own"),
    "quotes on one line": (f"{SOURCES}\nquotes: {{}}\na: {{source: p, text: one, read: b}}\n", "net.yaml:2 quotes: stands in one {…}; give each quote a line"),
    "quotes that are a list": (f"{SOURCES}\nquotes: [a]\na: {{source: p, text: one, read: b}}\n", "net.yaml:2 quotes: is no mapping"),
    "a key twice": (f"{SOURCES}\na: {{source: p, text: one, text: two, read: b}}\n", "net.yaml:2 a.text: stands twice, in line 2; keep one"),
    "no YAML": ("a: [\n", "net.yaml:2: is not YAML: while parsing a flow node did not find expected node content"),
    "empty": ("", "net.yaml: is empty; `README.md` shows how a record begins"),
}  # fmt: skip


@pytest.mark.parametrize(("written", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_rewritten_is_one_line(written: str, said: str) -> None:
    with pytest.raises(RecordError) as problem:
        convert.converted(written, "net.yaml")
    assert str(problem.value) == said


def inlined(content, quotes):
    """A record's content with the words of its quotes back in its facts."""
    if isinstance(content, list):
        return [inlined(each, quotes) for each in content]
    if not isinstance(content, dict):
        return content
    own = {key: inlined(value, quotes) for key, value in content.items() if key not in ("quote", "quotes", "id")}
    if "quote" in content:
        words = quotes[content["quote"]]
        own |= {"source": words["source"], "text": words["text"], "read": words["found_at"]}
    return own


NAMES = ["models/gpt-3-13b", "models/alexnet", "models/palm-62b", "hardware/google-tpu-v3", "measurements/megascale",
         "measurements/article-utilizations", "errata/seq2seq-operations", "defaults/utilization"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_of_real_records_in_any_style(name: str) -> None:
    content = yaml_text.read(RECORDS / f"{name}.yaml", name)[0].content
    before = inlined(content, content.get("quotes", {}))
    before = {
        {"reviewed": "second_reading", "external_estimates": "checked"}.get(key, key): each
        for key, each in before.items()
    }
    for style in (False, None):
        written = yaml.safe_dump(before, sort_keys=False, default_flow_style=style, allow_unicode=True)
        text, mistakes = yaml_text.parse(convert.converted(written, name), name)
        assert mistakes == []
        assert inlined(text.content, text.content.get("quotes", {})) == inlined(content, content.get("quotes", {}))


def test_files_are_rewritten_together_or_not_at_all(tmp_path: Path) -> None:
    good, done, bad = tmp_path / "good.yaml", tmp_path / "done.yaml", tmp_path / "bad.yaml"
    good.write_text(BEFORE)
    done.write_text(AFTER)
    bad.write_text("a: [\n")
    with pytest.raises(RecordError, match="bad.yaml:2: is not YAML"):
        convert.convert_files([tmp_path])
    assert good.read_text() == BEFORE
    bad.unlink()
    assert convert.convert_files([tmp_path, good]) == (1, 2)
    assert (good.read_text(), done.read_text()) == (AFTER, AFTER)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["done.yaml", "good.yaml"]
    with pytest.raises(RecordError, match="nosuch.yaml: does not exist"):
        convert.convert_files([tmp_path / "nosuch.yaml"])
