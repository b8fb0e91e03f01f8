"""What an installed package can do without a checkout, and with only its base packages."""

import json
import re
import subprocess
import sys
import tomllib

import duckdb
import pytest

from pipeline.base.paths import ROOT
from pipeline.records import params
from pipeline.tools.packaging.__main__ import DATABASE, PACKAGED, READ, stage

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WHEEL = f"flop_ledger-{PROJECT['version']}-py3-none-any.whl"
MOST_OF_THE_BASE = 5  # packages that the base names, with at most 15 dependencies
# Refuses to import what the base lacks, then runs the commands in the arguments one after the other.
ON_THE_BASE = """
import json, sys
refused = set(json.loads(sys.argv[1]))
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in refused:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refused())
from flop_ledger._pipeline import cli
for words in json.loads(sys.argv[2]):
    sys.argv = ["flopledger", *words]
    try:
        cli.main()
    except SystemExit as end:
        print("exit", end.code or 0)
"""
# Modules of packages with other names.
MODULES = {"great-expectations": "great_expectations", "markdown-it-py": None, "vl-convert-python": "vl_convert"}


def names(requirements):
    return {re.match(r"[\w-]+", each)[0] for each in requirements}


def without(group):
    """Return the modules that an installation with only this group lacks."""
    groups = PROJECT["optional-dependencies"]
    there = names(PROJECT["dependencies"]) | names(groups.get(group, []))
    return sorted(filter(None, (MODULES.get(name, name) for name in names(groups["pipeline"]) - there)))


@pytest.fixture(scope="module")
def installed(tmp_path_factory, published_database):
    """Return a folder as unpacked from a wheel."""
    folder = tmp_path_factory.mktemp("site-packages")
    stage(folder)
    about = folder / f"flop_ledger-{PROJECT['version']}.dist-info" / "METADATA"
    about.parent.mkdir()
    lines = ["Metadata-Version: 2.4", "Name: flop-ledger", f"Version: {PROJECT['version']}"]
    for extra, requirements in PROJECT["optional-dependencies"].items():
        lines += [f"Requires-Dist: {each} ; extra == '{extra}'" for each in requirements]
    about.write_text("\n".join(lines) + "\n")
    return folder


def run(code, *words, installed):
    """Return exit code and output of this code with only the installed package."""
    argv = [sys.executable, "-c", code, *words]
    return subprocess.run(
        argv, cwd=installed.parent, env={"PYTHONPATH": str(installed)}, capture_output=True, text=True
    )


def test_an_installed_package_has_one_name(installed):
    assert {path.name for path in installed.iterdir() if path.is_dir() and path.suffix != ".dist-info"} == {
        "flop_ledger"
    }
    settings = tomllib.loads((installed / "pyproject.toml").read_text())
    assert settings["tool"]["uv"]["build-backend"]["module-name"] == "flop_ledger"
    assert settings["project"]["scripts"] == {"flopledger": "flop_ledger._pipeline.cli:command"}
    code = "import sys, flop_ledger; print(*{name.split('.')[0] for name in sys.modules} & {'pipeline', 'schemas', 'duckdb', 'pandas'})"
    assert run(code, installed=installed).stdout == "\n"


def test_a_function_says_with_which_extra_its_package_comes(installed):
    code = ON_THE_BASE.partition("from flop_ledger")[0] + "import flop_ledger; flop_ledger.estimates()"
    done = run(code, json.dumps(["pandas"]), installed=installed)
    assert (
        done.stderr.splitlines()[-1]
        == f"ModuleNotFoundError: this needs the package pandas, which comes with: pip install '{WHEEL}[frames]'"
    )


def test_the_base_reads_the_ledger_without_a_checkout(installed):
    assert len(PROJECT["dependencies"]) == MOST_OF_THE_BASE
    words = [["--version"], ["list", "--limit", "1", "--sort", "compute"], ["show", "gpt-3"], ["compare", "gpt-3", "palm-540b"],
             ["hardware", "a100"], ["query", "select count(*) from facts"], ["count", "resnet50"], ["thresholds", "gpt-3"], ["cite", "gpt-3"],
             ["export", "gpt-3", "--eu"], ["estimate", "gpt-3"], ["explain", "gpt-3"], ["estimate", "gpt-3", "--utilization", "0.4"],
             ["estimate", "--parameters", "7B", "--tokens", "2T"], ["estimate", "--parameters", "7B", "--chips", "8", "--hardware", "H100", "--days", "1"], ["plot"], ["count", "openai/gpt2"]]  # fmt: skip
    done = run(ON_THE_BASE, json.dumps(without(None)), json.dumps(words), installed=installed)
    assert "Traceback" not in done.stderr
    ends = [line for line in done.stdout.splitlines() if line.startswith("exit ")]
    assert ends == ["exit 0"] * 15 + ["exit 1"] * 2
    assert f"FLOP Ledger {params.load().publish.version}" in done.stdout
    assert "GPT-3 175B (gpt-3" in done.stdout
    said = rf"this needs the package \w+, which comes with: pip install '{re.escape(WHEEL)}\[(\w+)\]'"
    assert re.findall(said, done.stderr) == ["plot", "download"]


@pytest.mark.parametrize("extra", ["estimate", "plot", "frames", "download"])
def test_a_smaller_group_asks_for_the_packages_of_the_pipeline(extra):
    groups = PROJECT["optional-dependencies"]
    assert set(groups[extra]) < set(groups["pipeline"])


def test_the_group_spark_asks_for_packages_of_the_pipeline_and_pyspark():
    groups = PROJECT["optional-dependencies"]
    assert names(set(groups["spark"]) - set(groups["pipeline"])) == {"pyspark"}


def test_the_group_estimate_is_all_that_estimates_of_own_models_need(installed):
    words = [["estimate", "--parameters", "7B", "--tokens", "2T", "--chips", "256", "--hardware", "H100", "--days", "20", "--save", "my.yaml"],
             ["validate", "my.yaml"], ["explain", "gpt-3"],
             ["utilization", "--family", "language_transformer", "--precision", "bf16", "--hardware", "H100"]]  # fmt: skip
    done = run(ON_THE_BASE, json.dumps(without("estimate")), json.dumps(words), installed=installed)
    assert "Traceback" not in done.stderr
    assert done.stdout.count("exit 0") == len(words), done.stderr


def test_the_group_frames_is_all_that_data_frames_need(installed):
    needed_by_pandas = {"numpy"}
    refused = [name for name in without("frames") if name not in needed_by_pandas]
    code = ON_THE_BASE.partition("from flop_ledger")[0] + "import flop_ledger; print(len(flop_ledger.estimates('all')))"
    done = run(code, json.dumps(refused), installed=installed)
    assert done.stderr == ""
    assert int(done.stdout) > len(list((ROOT / "data/records/models").glob("*.yaml")))


def test_a_wheel_holds_the_published_values_in_less_space(installed):
    packaged = installed / PACKAGED
    with duckdb.connect() as connection:
        for name, folder in (("published", ROOT), ("packaged", packaged)):
            connection.execute(f"attach '{folder / DATABASE}' as {name} (read_only)")

        def both(sql):
            return [connection.execute(sql.format(name)).fetchall() for name in ("published", "packaged")]

        for what in ("table_name, comment from duckdb_tables()", "view_name, sql, comment from duckdb_views()",
                     "table_name, column_index, column_name, data_type, comment from duckdb_columns()"):  # fmt: skip
            published, same = both(f"select {what} where database_name = '{{}}' and not internal order by all")
            assert same == published
        tables = [
            row[0]
            for row in both(
                "select concat(schema_name, '.', table_name) from duckdb_tables() where database_name = '{}'"
            )[0]
        ]
        for name in tables:
            published, same = both(f"from {{}}.{name}")
            assert same == published, name
        files = sorted(path.relative_to(packaged) for path in packaged.rglob("*.parquet"))
        assert {path.stem for path in files} == READ | {"estimates", "catalogue_estimates"}
        for path in files:
            published, same = (duckdb.read_parquet(str(folder / path)) for folder in (ROOT, packaged))
            assert (same.columns, same.types, same.fetchall()) == (
                published.columns,
                published.types,
                published.fetchall(),
            )
            assert (packaged / path).stat().st_size < (ROOT / path).stat().st_size
        assert (packaged / DATABASE).stat().st_size < (ROOT / DATABASE).stat().st_size / 2


def test_an_installed_package_estimates_and_gives_frames_without_a_checkout(installed):
    code = (
        "import flop_ledger; from flop_ledger._pipeline.base import paths; assert paths.IS_RELEASE;"
        "print(len(flop_ledger.estimates()), flop_ledger.estimates().set_index('model_id').training_flop['gpt-3']);"
        "from flop_ledger._pipeline.answers import ledger; print(ledger.account_of('gpt-3')['training_flop'])"
    )
    done = run(code, installed=installed)
    assert done.stderr == ""
    (number, flop), (same,) = (line.split() for line in done.stdout.splitlines())
    assert int(number) == len(list((ROOT / "data/records/models").glob("*.yaml")))
    assert float(flop) == pytest.approx(float(same), rel=1e-5)


def test_a_wheel_is_not_built_before_the_pipeline_ran(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"ledger\.duckdb.* run `make repro` first"):
        stage(tmp_path / "wheel", tmp_path)
