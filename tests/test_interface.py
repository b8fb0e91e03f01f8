"""`import pipeline`: estimates, an estimate of a user's record, and a count, in one line each."""

import html
import re
import subprocess
import sys

import duckdb
import pandas as pd
import pandera.pandas as pandera
import pyarrow as pa
import pytest
from pandera.errors import SchemaError

import pipeline
from pipeline.answers.problems import extra_with
from pipeline.base.paths import PUBLISHED
from pipeline.publishing import database
from pipeline.stages import flow
from schemas.errors import ContractError, InputError
from tests.builders import typed


def test_import_pipeline_gives_the_ledger_in_a_line(records):
    from pipeline.architectures.counting import CountError
    from pipeline.records.loading import RecordError

    frame = pipeline.estimates()
    assert len(frame) == len(records.models)
    of = frame.set_index("model_id").loc
    assert of["gpt-3", "reported_flop"] == pytest.approx(3.14e23, rel=0.01)
    assert of["gpt-3", "training_flop"] == pytest.approx(3.14e23, rel=0.03)
    assert str(of["perceptron-mark-i", "published_date"].date()) == "1958-07-02"  # published in 1958
    assert set(frame.columns) == set(frame.attrs["descriptions"])
    rows, every = pipeline.estimates("catalogue"), pipeline.estimates("all")
    assert set(rows.columns) == set(rows.attrs["descriptions"])
    assert len(every) == len(frame) + rows["model_id"].isna().sum()
    is_record = every["tier"] == "record"
    assert not every.loc[~is_record, ["model_id", "evidence_class", "named_second", "gap_ratio"]].notna().any(axis=None)
    assert every.loc[is_record, "gap_ratio"].notna().sum() == frame["gap_ratio"].notna().sum() > 0
    with database.reading() as book:
        assert {column for column, *_ in book.execute("describe all_estimates").fetchall()} == {*every.columns}
    assert [*frame.columns[:5]] == ["published_date", "name", "organization", "model_id", "training_flop"]
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
    with pytest.raises(
        RecordError, match="my-model domain: 'langage' is not an allowed value; did you mean 'language'"
    ):
        pipeline.estimate(record | {"domain": "langage"})
    assert pipeline.count("resnet18")["forward_flop"] == 3_628_146_688
    with pytest.raises(CountError, match="did you mean"):
        pipeline.count("resnet118")


def test_a_model_shows_its_answer_as_the_command_does():
    gpt_4 = pipeline.model("gpt4")
    shown, explained = (
        subprocess.run([sys.executable, "-m", "pipeline.cli", verb, "gpt-4"], capture_output=True, text=True, cwd=flow.ROOT).stdout
        for verb in ("show", "explain")
    )  # fmt: skip
    assert f"{gpt_4}\n" == shown
    assert gpt_4.explain() + "\n" == explained
    assert html.unescape(re.sub("</?(pre|b)[^>]*>", "", gpt_4._repr_html_())) == str(gpt_4)
    assert "<b>2.18e25 FLOP " in gpt_4._repr_html_()
    assert gpt_4.to_dict() == dict(gpt_4)
    assert gpt_4["training_flop"] == pytest.approx(
        pipeline.estimates().set_index("model_id").training_flop["gpt-4"], rel=1e-5
    )
    assert {fact["path"] for fact in gpt_4.facts} >= {"training[0].batch"}
    with pytest.raises(LookupError, match="llama-3-1-405b"):
        pipeline.model("llama 3.1")
    row = pipeline.query("select name from all_estimates where tier = 'catalogue' order by name limit 1").loc[0, "name"]
    assert "Epoch" in str(pipeline.model(row))


@pytest.mark.usefixtures("published_database")
def test_the_verbs_of_the_command_line_are_functions_with_its_numbers():
    gpt_3 = pipeline.model("gpt-3")
    assert gpt_3.training_flop == gpt_3["training_flop"]
    assert {"training_flop", "cost_usd", "explain"} <= {*dir(gpt_3)}
    with pytest.raises(AttributeError, match="no 'training_flp'; did you mean 'training_flop'"):
        _ = gpt_3.training_flp
    assert pipeline.compare(["gpt-3", "palm-540b"]).equals(pipeline.compare("gpt-3", "palm-540b"))
    matches = pipeline.match(["GPT-3", "gpt-33333", "Llama 3.1"])
    assert [*matches["model_id"].fillna("")] == [gpt_3.model_id, "", ""]
    assert matches["remark"].notna().to_list() == [False, True, True]
    many = pipeline.match([f"gpt {number}" for number in range(300)] + ["GPT-3"] * 300)
    assert len(many) == 600
    assert (many["model_id"][300:] == gpt_3.model_id).all()
    assert pipeline.match([None])["remark"].to_list() == ["None is not a name"]
    assert pipeline.match([]).empty
    with pytest.raises(TypeError, match=r"^match takes a list of names; model\('GPT-3'\) takes one$"):
        pipeline.match("GPT-3")
    assert pipeline.thresholds("gpt-3")["thresholds"][0]["flop"] == 1e23
    run = {"hardware": "B200", "precision": "fp8", "chips": 256}
    taken = pipeline.utilization("llm", **run)["taken"]
    plan = pipeline.forecast(parameters="7B", tokens="2T", **run)
    assert [plan.utilization_low, plan.utilization, plan.utilization_high] == pytest.approx(
        [taken[point] for point in ("p05", "p50", "p95")]
    )
    assert plan.left_out == "days"
    for figures in ({**run, "days": 20}, {"tokens": "2T"}):
        with pytest.raises(InputError, match="^state all but one of parameters, tokens, chips and days"):
            pipeline.forecast(parameters="7B", **{"tokens": "2T", **figures})
    assert issubclass(pipeline.CountError, ValueError)


@pytest.mark.usefixtures("published_database")
def test_a_picture_is_drawn_as_the_command_line_draws_it(tmp_path):
    done = typed("plot", "--out", str(tmp_path / "typed.svg"), "--domain", "speech", "--highlight", "whisper-large-v2")
    drawn = pipeline.plot(tmp_path / "called.svg", domain="speech", highlight=["whisper-large-v2"])
    assert (done.returncode, drawn.read_bytes()) == (0, (tmp_path / "typed.svg").read_bytes())
    with pytest.raises(ValueError, match=r"x\.bmp ends in none of \.png, \.svg, \.html$"):
        pipeline.plot(tmp_path / "x.bmp")
    with pytest.raises(LookupError, match="did you mean 'gpt-4'"):
        pipeline.plot(tmp_path / "x.svg", highlight=["gtp-4"])


@pytest.mark.usefixtures("published_database")
@pytest.mark.parametrize(
    "frame",
    [
        pd.read_parquet,
        lambda path: pd.read_csv(path.with_suffix(".csv")),
        lambda path: duckdb.read_parquet(str(path)).df(),
        lambda _: pipeline.estimates(),
    ],
    ids=["read_parquet", "read_csv", "df", "estimates"],
)
def test_a_frame_of_any_reader_is_judged_by_its_contract(frame):
    rows = frame(PUBLISHED / "estimates.parquet")
    assert pipeline.schema("estimates").validate(rows)["published_date"].dtype == "datetime64[ns]"
    judged = pipeline.validate("estimates", rows)
    assert judged["published_date"].dtype == pd.ArrowDtype(pa.date32())
    assert judged["is_disputed"].dtype == pd.ArrowDtype(pa.bool_())
    wrong = judged.assign(training_flop=-1.0, is_disputed="maybe")
    with pytest.raises(ContractError, match=r"^estimates: is_disputed: .*maybe$"):
        pipeline.validate("estimates", wrong)
    with pytest.raises(ContractError) as refused:
        pipeline.validate("estimates", wrong.assign(is_disputed=None))
    assert len(str(refused.value).splitlines()) == len(judged)  # every row


def test_a_contract_is_a_pandera_schema_that_yaml_keeps(tmp_path):
    contract = pipeline.schema("utilization_cells")
    contract.to_yaml(tmp_path / "schema.yaml")
    assert pandera.DataFrameSchema.from_yaml(tmp_path / "schema.yaml") == contract
    cells = pd.read_csv(PUBLISHED / "utilization.csv")
    assert contract.validate(cells)["rows"].dtype == "Int64"
    with pytest.raises(SchemaError, match="column 'precision' not in dataframe"):
        contract.validate(cells.drop(columns="precision"))
    with pytest.raises(SchemaError, match="less_than_or_equal_to"):
        contract.validate(cells.assign(share_within_factor_two_fraction=1.5))
    with pytest.raises(LookupError, match="did you mean 'utilization_cells'"):
        pipeline.schema("utilization_cell")


@pytest.mark.parametrize(
    ("module", "extra"), [("pandera", "pipeline"), ("pandas", "frames"), ("pyspark", "spark"), ("altair", "plot")]
)
def test_a_missing_package_names_the_smallest_extra_that_needs_no_java(module, extra):
    assert extra_with(module) == extra


@pytest.mark.parametrize(
    ("table", "frame", "kind", "line"),
    [
        ("estimate", pd.DataFrame(), LookupError, "'estimate' is not a table; did you mean 'estimates'?"),
        ("estimates", [1], TypeError, "validate takes a pandas data frame, not builtins.list"),
        ("estimates", pd.DataFrame(), ContractError, "estimates: the frame is empty"),
        ("errata", pd.DataFrame([[1, 2]], columns=["note", "note"]), ContractError, "errata: has more than one column note"),
        (
            "errata",
            pd.DataFrame([[1, 2, 3]], columns=["named_second", "gap_ratio", "is_disputed"]),
            ContractError,
            "errata: 3 of the frame's 3 columns are not in its contract; the frame is most like estimates",
        ),
    ],
)  # fmt: skip
def test_what_no_contract_can_judge_is_refused_in_a_line(table, frame, kind, line):
    with pytest.raises(kind) as refused:
        pipeline.validate(table, frame)
    assert str(refused.value) == line


def test_models_side_by_side_and_growth_are_data_frames():
    both = pipeline.compare("gpt-3", "palm-540b")
    assert both.loc["palm-540b", "training_flop"] > both.loc["gpt-3", "training_flop"] > 1e23
    assert both["training_flop"].dtype == "float64"
    lines = pipeline.trend()
    with database.reading() as book:
        (factor,) = book.execute("select growth_factor from trends where frontier = 'top 10'").fetchone()
    assert lines.loc["top 10", "growth_factor"] == pytest.approx(factor, rel=1e-9)
    with pytest.raises(LookupError, match="no line through this selection: fewer than 25 models"):
        pipeline.trend(from_year=2026)
    with pytest.raises(TypeError, match="'domian' does not select models; did you mean 'domain'"):
        pipeline.trend(domian="language")
    citation = pipeline.cite("gpt-3")
    assert citation["bibtex"].startswith("@")
    assert str(citation).splitlines()[-1] == "}"  # ready to paste, not a dictionary
    with pytest.raises(duckdb.Error, match="read-only"):
        pipeline.query("create table mine as select 1")


@pytest.mark.parametrize("path", ["", flow.ROOT / "data/records/models"])
def test_import_pipeline_estimates_no_folder(path):
    from pipeline.records.loading import RecordError
    from schemas.errors import InputError

    with pytest.raises((RecordError, InputError), match="states no figure of a run|is a folder; name the record"):
        pipeline.estimate(path)


def test_completion_offers_no_imported_names():
    offered = {*dir(pipeline.api)}
    assert not offered & {"Any", "Path", "annotations", "functools", "os"}
    assert offered >= {*pipeline.__all__, "RecordError", "__version__"}
    assert all(hasattr(pipeline.api, name) for name in offered)


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
    """A ledger model is in the database; importing pandas, pyarrow or numpy would take longer than the answer."""
    script = (
        "import sys; from pipeline.answers import account_text, ledger;"
        "said = list(account_text.explanation(ledger.account_of('gpt-3')));"
        "print(len(said) > 20, {'numpy', 'pyarrow', 'narwhals', 'pipeline.architectures', 'schemas.records'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=flow.ROOT, check=True)
    assert done.stdout == "True set()\n"
