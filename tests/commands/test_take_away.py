"""Commands whose answer is meant to be kept: a chart, thresholds, a citation, a statement by the EU's guidelines."""

import json
import re
import struct
import xml.etree.ElementTree as ET

import pytest
import yaml

from pipeline.base.paths import ROOT
from pipeline.publishing.citation import release_of, with_note
from tests.builders import typed


def answered(*words, **more):
    done = typed(*words, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_thresholds_are_those_that_are_published():
    (row,) = json.loads(answered("query", "from estimates where model_id = 'deepseek-r1'", "--json"))
    answer = json.loads(answered("thresholds", "DeepSeek-R1", "--json"))
    assert [threshold["flop"] for threshold in answer["thresholds"]] == [1e23, 1e25, 1e26]
    chances = [row[f"probability_above_{name}_fraction"] for name in ("1e23", "1e25", "1e26")]
    assert [threshold["probability_above_fraction"] for threshold in answer["thresholds"]] == chances
    assert answer["modification_flop"] == pytest.approx(row["training_flop"] / 3)
    assert answer["threshold_total"] == row["threshold_total"]
    text = answered("thresholds", "deepseek-r1")
    assert "a third of its training compute: " in text
    # 3.28e22 of its own on top of its base model's 3.965e24: 0.00828
    assert row["own_training_flop"] / (row["training_flop"] - row["own_training_flop"]) == pytest.approx(
        0.00828, rel=1e-2
    )
    assert "its own training is 0.00828 times its base model's, below a third" in text


def test_a_citation_has_the_version_the_id_and_the_number():
    version = release_of(yaml.safe_load((ROOT / "params.yaml").read_text())["publish"]["version"])
    assert answered("--version").startswith(f"FLOP Ledger {with_note(version)}; ")
    (row,) = json.loads(answered("query", "from estimates where model_id = 'gpt-3'", "--json"))
    text, bibtex, last_read = answered("cite", "GPT-3").split("\n\n")
    assert last_read.startswith("other tables last read on ")
    for part in ("(gpt-3)", f"{row['training_flop']:.3g}"[:4], f"Version {version}", "90 % interval", "CC-BY-4.0"):
        assert part in text
    assert bibtex.startswith(f"@misc{{flop-ledger-{version[:4]}-gpt-3,\n")
    assert f"  version = {{{version}}},\n" in bibtex
    assert r"90 \% interval" in bibtex
    assert bibtex.count("{") == bibtex.count("}")
    assert answered("cite", "gpt-3", "--bibtex") == f"{bibtex}\n"
    whole = answered("cite", "--bibtex")
    assert whole.startswith(f"@misc{{flop-ledger-{version[:4]},\n")
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    citation = json.loads(answered("cite", "gpt-3", "--json"))
    assert citation["doi"] == cff.get("doi")
    assert (citation["url"] is None) == (not (cff.get("url") or cff.get("repository-code")))


def test_the_statement_has_both_approaches_and_their_products(tmp_path):
    """By hand: chip-seconds x peak x utilization, and passes x operations per pass, add up to the two estimates."""
    statement = json.loads(answered("export", "deepseek-v3", "--eu"))
    for approach, product in (
        ("hardware_based", lambda part: part["chip_seconds"] * part["peak"] * part["utilization"]),
        (
            "architecture_based",
            lambda part: part["passes"] * (part["forward_flop_per_pass"] + part["backward_flop_per_pass"]),
        ),
    ):
        parts = statement[approach]["parts"]
        assert parts
        assert sum(map(product, parts)) == pytest.approx(statement[approach]["flop"], rel=1e-6)
    assert statement["guidelines"]["version_read"].startswith("C(2025) 5045 final")
    assert {rule["paragraph"] for rule in statement["rules"]} == {"122", "123", "125", "A.1"}
    answered("export", "deepseek-v3", "--eu", "--out", "v3.json", folder=tmp_path)
    assert json.loads((tmp_path / "v3.json").read_text()) == statement
    answered("export", "deepseek-v3", "--eu", "--out", "v3.html", folder=tmp_path)
    page = (tmp_path / "v3.html").read_text()
    assert "Hardware-based approach" in page
    assert not re.search(r"(src|href)=", page)


def test_an_approach_of_which_a_part_is_unknown_has_no_total(tmp_path):
    """For AlphaGo Zero's run the chips are not stated, only those of the search's optimization."""
    statement = json.loads(answered("export", "alphago-zero", "--eu"))
    assert statement["hardware_based"]["flop"] is None
    assert [part["phase"] for part in statement["hardware_based"]["parts"]] == ["optimization"]
    answered("export", "alphago-zero", "--eu", "--out", "zero.html", folder=tmp_path)
    assert "Not known: chips or their time are not stated" in (tmp_path / "zero.html").read_text()


def test_a_value_that_nobody_read_is_marked(tmp_path):
    """DeiT-B's chip, and the examples of a phase of AlphaFold 2, are facts without a quote."""
    marked = {"deit-b": "NVIDIA V100 SXM2 (not read)", "alphafold-2": "</sup> protein sequences (not read)"}
    for name, words in marked.items():
        answered("export", name, "--eu", "--out", f"{name}.html", folder=tmp_path)
        assert words in (tmp_path / f"{name}.html").read_text()
    (chips,) = json.loads(answered("export", "deit-b", "--eu"))["hardware_based"]["parts"]
    assert (chips["hardware_not_read"], chips["chip_seconds_not_read"]) == (True, False)


def test_pictures_of_every_kind(tmp_path):
    words = ["plot", "--domain", "language", "--from-year", "2019", "--highlight", "gpt-3", "--title", "A <b> & c"]
    for name in ("a.png", "a.svg", "b.svg", "a.html"):
        answered(*words, "--out", name, folder=tmp_path)
    png = (tmp_path / "a.png").read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert png.startswith(b"\x89PNG")
    assert width > 1.3 * height > 1000
    svg = (tmp_path / "a.svg").read_text()
    assert ET.fromstring(svg).tag.endswith("svg")
    assert "GPT-3 175B" in svg
    assert "A &lt;b&gt; &amp; c" in svg
    assert (tmp_path / "b.svg").read_bytes() == (tmp_path / "a.svg").read_bytes()
    page = (tmp_path / "a.html").read_text()
    assert not re.search(r"<(script|link)[^>]*(src|href)=", page)
    assert "<title>A &lt;b&gt; &amp; c</title>" in page
