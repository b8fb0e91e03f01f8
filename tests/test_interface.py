"""`import pipeline`: estimates, an estimate of one's own record, and a count, in a line each."""

import html
import re
import subprocess
import sys

import duckdb
import pytest

from pipeline.publishing import database
from pipeline.stages import flow


def test_import_pipeline_gives_the_ledger_in_a_line(records):
    import pipeline
    from pipeline.architectures.counting import CountError
    from pipeline.records.loading import RecordError

    frame = pipeline.estimates()
    assert len(frame) == len(records.models)
    assert frame.loc["gpt-3", "reported_flop"] == pytest.approx(3.14e23, rel=0.01)
    assert frame.loc["gpt-3", "training_flop"] == pytest.approx(3.14e23, rel=0.03)
    assert str(frame.loc["perceptron-mark-i", "published_date"].date()) == "1958-07-02"  # published in 1958
    assert set(frame.reset_index().columns) == set(frame.attrs["descriptions"])
    rows, every = pipeline.estimates("catalogue"), pipeline.estimates("all")
    assert set(rows.reset_index().columns) == set(rows.attrs["descriptions"])
    assert len(every) == len(frame) + rows["model_id"].isna().sum()
    is_record = every["tier"] == "record"
    assert not every.loc[~is_record, ["model_id", "evidence_class", "named_second", "gap_ratio"]].notna().any(axis=None)
    assert every.loc[is_record, "gap_ratio"].notna().sum() == frame["gap_ratio"].notna().sum() > 0
    with database.reading() as book:
        assert {column for column, *_ in book.execute("describe all_estimates").fetchall()} == {*every.columns}
    assert [*frame.columns[:3]] == [
        "training_flop",
        "training_flop_low",
        "training_flop_high",
    ]  # what a narrow screen shows
    assert frame.attrs["units"]["training_flop"] == "flop"
    with pytest.raises(ValueError, match="known are record, catalogue, all"):
        pipeline.estimates("gold")
    phase = {"phase": "one", "example_unit": "token", "examples": {"value": 1e12, "source": "p"}}
    record = {
        "name": "Mine", "organization": "Ö", "organization_kind": "academia", "published": "2020", "domain": "language", "scope": "single",
        "sources": {"p": {"kind": "authors", "title": "P"}}, "network": "decoder_only", "parameters": {"value": 7e9, "source": "p"},
        "training": [phase],
    }  # fmt: skip
    assert pipeline.estimate(record)["training_flop"] == pytest.approx(6 * 7e9 * 1e12)
    with pytest.raises(RecordError, match="my-model domain: 'langage' is not a word for this; did you mean 'language'"):
        pipeline.estimate(record | {"domain": "langage"})
    assert pipeline.count("resnet18")["forward_flop"] == 3_628_146_688
    with pytest.raises(CountError, match="did you mean"):
        pipeline.count("resnet118")


def test_a_model_shows_its_answer_as_the_command_does():
    import pipeline

    gpt_4 = pipeline.model("gpt4")
    shown, explained = (
        subprocess.run([sys.executable, "-m", "pipeline.cli", verb, "gpt-4"], capture_output=True, text=True, cwd=flow.ROOT).stdout
        for verb in ("show", "explain")
    )  # fmt: skip
    assert f"{gpt_4}\n" == shown
    assert gpt_4.explain() + "\n" == explained
    assert html.unescape(re.sub("</?(pre|b)[^>]*>", "", gpt_4._repr_html_())) == str(gpt_4)
    assert "\n<b>sources</b>\n" in gpt_4._repr_html_()
    assert gpt_4.to_dict() == dict(gpt_4)
    assert gpt_4["training_flop"] == pytest.approx(pipeline.estimates().loc["gpt-4", "training_flop"], rel=1e-5)
    assert {fact["path"] for fact in gpt_4.facts} >= {"training[0].batch"}
    with pytest.raises(LookupError, match="llama-3-1-405b"):
        pipeline.model("llama 3.1")
    row = pipeline.query("select name from all_estimates where tier = 'catalogue' order by name limit 1").loc[0, "name"]
    assert "Epoch" in str(pipeline.model(row))


def test_models_side_by_side_and_growth_are_data_frames():
    import pipeline

    both = pipeline.compare("gpt-3", "palm-540b")
    assert both.loc["palm-540b", "training_flop"] > both.loc["gpt-3", "training_flop"] > 1e23
    assert both["training_flop"].dtype == "float64"
    lines = pipeline.trend()
    with database.reading() as book:
        (factor,) = book.execute("select growth_factor from trends where frontier = 'top 10'").fetchone()
    assert lines.loc["top 10", "growth_factor"] == pytest.approx(factor, rel=1e-9)
    with pytest.raises(LookupError, match="no line through this selection: fewer than 25 models"):
        pipeline.trend(from_year=2026)
    citation = pipeline.cite("gpt-3")
    assert citation["bibtex"].startswith("@")
    assert str(citation).splitlines()[-1] == "}"  # as one pastes it, and no dictionary
    with pytest.raises(duckdb.Error, match="read-only"):
        pipeline.query("create table mine as select 1")


@pytest.mark.parametrize("path", ["", flow.ROOT / "data/records/models"])
def test_import_pipeline_estimates_no_folder(path):
    import pipeline
    from pipeline.records.loading import RecordError

    with pytest.raises(RecordError) as problem:
        pipeline.estimate(path)
    assert str(problem.value) == f"{path or '.'}: is a folder; name the record of one model"


def test_import_pipeline_loads_nothing_by_itself():
    script = "import sys, pipeline; print([name for name in sys.modules if name in ('pandas', 'duckdb', 'pydantic', 'yaml')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=flow.ROOT, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("words", "imported"), [(["show", "gpt-3"], ["show"]), (["shwo"], "all"), ([], "all")])
def test_of_the_commands_the_one_that_is_called_is_imported(words, imported):
    every = f"[name for name in cli.COMMANDS if f'pipeline.commands.{{name}}' in sys.modules and name in {['show', 'estimate']}]"
    script = f"import sys; from pipeline import cli; cli.application({words}); print(*{every})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=flow.ROOT, check=True)
    assert done.stdout.split() == (["show", "estimate"] if imported == "all" else imported)


def test_explain_imports_nothing_that_runs_rules():
    """Of a model of the ledger all stands there; pandas, pyarrow, narwhals and numpy would take longer than the answer."""
    script = (
        "import sys; from pipeline.commands import account_text, ledger;"
        "said = list(account_text.explanation(ledger.account_of('gpt-3')));"
        "print(len(said) > 20, {'numpy', 'pyarrow', 'narwhals', 'pipeline.architectures', 'schemas.records'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=flow.ROOT, check=True)
    assert done.stdout == "True set()\n"
