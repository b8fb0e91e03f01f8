"""What is taken from an earlier run is what a full one gives, and nothing stale is taken."""

import json
import os
import pickle
import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline import flow
from pipeline.commands import account, explanation
from pipeline.publishing import freshness
from pipeline.records import cache, loading, params
from tests.builders import MINIATURE, Tables, typed


@pytest.fixture
def checkout(tmp_path):
    """A folder with DVC's own in it and a few records."""
    shutil.copytree(MINIATURE / "data", tmp_path / "data")
    return tmp_path


@pytest.fixture(autouse=True)
def caches(tmp_path_factory, monkeypatch):
    """The folder of this test's caches."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("caches")))
    return cache.folder()


def load(root):
    """The records under root with the files that were read for it."""
    looked_at = []
    folder = root / "data/records"
    original = loading.read_from

    def reading(path, *content):
        looked_at.append(path.name)
        return original(path, *content)

    loading.read_from = reading
    try:
        with cache.cached_reader(root) as reader:
            return loading.load([folder], reader=reader), looked_at
    finally:
        loading.read_from = original


def test_what_is_cached_is_what_is_read(checkout, caches):
    afresh = loading.load([checkout / "data/records"])
    first, looked_at = load(checkout)
    assert len(looked_at) == len(list((checkout / "data/records").rglob("*.yaml")))
    again, looked_at_again = load(checkout)
    assert looked_at_again == []
    assert again == first == afresh
    [path] = caches.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text())["contents"]  # and no pickle


def test_records_of_the_ledger_are_cached_as_they_are_read(tmp_path):
    """Chips, defaults and models of several phases and networks."""
    for folder in ("defaults", "hardware"):
        shutil.copytree(flow.ROOT / "data/records" / folder, tmp_path / "data/records" / folder)
    (tmp_path / "data/records/models").mkdir()
    for model in ("alexnet", "alphazero", "palm-540b", "impala"):
        shutil.copy(flow.ROOT / f"data/records/models/{model}.yaml", tmp_path / "data/records/models")
    afresh, looked_at = load(tmp_path)
    assert len(looked_at) == len(list((tmp_path / "data/records").rglob("*.yaml")))
    again, looked_at = load(tmp_path)
    assert looked_at == []
    assert again == afresh


def test_a_file_that_changed_is_read_anew(checkout):
    load(checkout)
    file = next((checkout / "data/records/models").glob("*.yaml"))
    seconds = file.stat().st_mtime_ns
    file.write_text(file.read_text().replace("name: ", "name: Other ", 1))
    os.utime(file, ns=(seconds, seconds))  # the same age and nearly the same size say nothing
    found, looked_at = load(checkout)
    assert looked_at == [file.name]
    assert found.models[file.stem].name.startswith("Other ")
    assert load(checkout)[1] == []


def test_a_wrong_file_is_said_each_time_and_a_missing_chip_too(checkout):
    load(checkout)
    file = next((checkout / "data/records/models").glob("*.yaml"))
    sound = file.read_text()
    for _ in range(2):
        file.write_text(sound + "nonsense: 1\n")
        with pytest.raises(loading.RecordError, match=f"{file.name}:.* 'nonsense' is not a key here"):
            load(checkout)
    file.write_text(sound)
    # All other files are as they were when they were cached.
    for chip in (checkout / "data/records/hardware").glob("*.yaml"):
        chip.unlink()
    with pytest.raises(loading.RecordError) as problem:
        load(checkout)
    with pytest.raises(loading.RecordError) as afresh:
        loading.load([checkout / "data/records"])
    assert str(problem.value) == str(afresh.value)
    assert any(mistake.line > 1 for mistake in problem.value.mistakes)


def of_other_code(path):
    path.write_text(path.read_text().replace(cache._code_digest(), "0" * 64))


def untyped(path):
    said = json.loads(path.read_text())
    path.write_text(json.dumps(said | {"contents": {key: {"name": 1} for key in said["contents"]}}))


BROKEN = {
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "empty": lambda path: path.write_bytes(b""),
    "a pickle": lambda path: path.write_bytes(pickle.dumps({"code": cache._code_digest(), "contents": {}})),
    "too deep": lambda path: path.write_text("[" * 100_000),
    "a list": lambda path: path.write_text("[]"),
    "of other code": of_other_code,
    "records that are none": untyped,
    "written by others": lambda path: path.chmod(0o666),
    "in a folder written by others": lambda path: path.parent.chmod(0o777),
    "a link": lambda path: (path.rename(path.with_suffix(".there")), path.symlink_to(path.with_suffix(".there"))),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
}


@pytest.mark.parametrize("harm", BROKEN)
def test_a_cache_that_is_broken_or_not_ours_is_not_used(checkout, caches, harm):
    afresh, everything = load(checkout)
    [path] = caches.iterdir()
    BROKEN[harm](path)
    found, looked_at = load(checkout)
    assert (found, looked_at) == (afresh, everything)


def test_a_cache_of_another_user_is_not_used(checkout, monkeypatch):
    _, everything = load(checkout)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert load(checkout)[1] == everything
    assert load(checkout)[1] == everything  # nor written


def test_a_pickle_in_the_checkout_is_never_opened(checkout, tmp_path):
    class Planted:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "it ran"),))

    (checkout / ".dvc/tmp").mkdir(parents=True)
    (checkout / ".dvc/tmp/records.pickle").write_bytes(pickle.dumps(Planted()))
    load(checkout)
    assert not (tmp_path / "it ran").exists()


@pytest.mark.parametrize("place", ["a file", "read-only", "relative", "within the checkout"])
def test_where_nothing_can_be_kept_everything_is_read(checkout, tmp_path_factory, monkeypatch, place):
    folder = tmp_path_factory.mktemp("other")
    if place == "a file":
        (folder / "flop-ledger").write_text("no folder")
    elif place == "read-only":
        folder = "/proc/self/nowhere"
    elif place == "relative":
        monkeypatch.delenv("HOME")
        folder = "here"
    else:
        folder = checkout / ".cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    before = sorted(checkout.rglob("*"))
    _, everything = load(checkout)
    assert load(checkout)[1] == everything != []
    assert sorted(checkout.rglob("*")) == before


@pytest.mark.parametrize("home", ["/nonexistent", "", None])
def test_without_a_home_everything_is_read(checkout, monkeypatch, home):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME") if home is None else monkeypatch.setenv("HOME", home)
    _, everything = load(checkout)
    assert load(checkout)[1] == everything != []
    assert not os.path.exists("/nonexistent")


def test_of_many_checkouts_the_latest_caches_stay(checkout, caches):
    for number in range(20):
        caches.mkdir(mode=0o700, exist_ok=True)
        old = caches / f"records-{number:016}.json"
        old.write_text("{}")
        os.utime(old, (number, number))
    load(checkout)
    assert len(list(caches.iterdir())) == cache.MOST_CHECKOUTS
    assert load(checkout)[1] == []


# With a report, with a base model, by both methods, by count alone, and with an erratum.
MODELS = ("gpt-3", "flan-palm-540b", "alexnet", "lenet-5", "electra-large")


def test_an_estimate_of_what_is_published_is_that_of_a_full_run(tables, records):
    """Of models by themselves: what other models of the ledger state does not move them."""
    published = {row["model_id"]: row for row in tables["estimates"] if row["model_id"] in MODELS}
    made = account.estimates(MODELS, records)
    assert {name: made[name] for name in MODELS} == published


@pytest.mark.parametrize("model", ["flan-palm-540b", "electra-large"])
def test_an_account_of_what_is_published_is_that_of_a_full_run(tables, records, monkeypatch, model):
    monkeypatch.setattr(freshness, "are_fresh", lambda names: True)
    monkeypatch.setattr(account, "TABLES", tables.folder)
    published, run = account.published(model), account.account(model, records)
    written = account.written(published)
    assert explanation.explanation(published, model, written) == explanation.explanation(run, model, written)
    assert account.as_json(published, model) == account.as_json(run, model)


@pytest.mark.parametrize(("model", "name"), [("flan-palm-540b", "Flan-PaLM 540B"), ("gpt-3", "davinci")])
def test_of_fresh_tables_the_records_behind_a_model_alone_are_read(tables, records, monkeypatch, model, name):
    monkeypatch.setattr(freshness, "are_fresh", lambda names: True)
    monkeypatch.setattr(account, "TABLES", tables.folder)
    assert name in {records.models[model].name, *records.models[model].aliases}
    found = account.find(name)
    assert (found.identifier, found.records) == (model, None)
    behind = account.written(found.tables)
    own = {row["part_id"] for row in tables["lineages"] if row["model_id"] == model}
    chips = {row["hardware_id"] for row in found.tables["completed_allocations"]} - {None}
    assert behind.keys() == {("models", part) for part in own} | {("hardware", chip) for chip in chips}
    for part in own:
        assert type(records.models[part]).model_validate(behind["models", part]) == records.models[part]


def test_without_fresh_tables_all_records_are_read(monkeypatch):
    monkeypatch.setattr(freshness, "are_fresh", lambda names: False)
    found = account.find("gpt-3")
    assert found.tables is None
    assert len(found.records.models) == len(list((flow.ROOT / "data/records/models").glob("*.yaml")))


@pytest.mark.parametrize("model", MODELS)
def test_with_tables_of_measurements_from_an_earlier_run_an_estimate_is_that_of_all_records(
    tables, records, monkeypatch, model
):
    """The records that the model names, and the tables of what utilizations are predicted from."""
    monkeypatch.setattr(freshness, "are_fresh", lambda names: True)
    monkeypatch.setattr(account, "TABLES", tables.folder)
    few, of_all = account.related(models=[model])
    assert not few.measurements
    assert len(few.models) < 10
    assert account.estimates([model], few, of_all) == account.estimates([model], records)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A project that DVC itself has run: two stages, a folder and a choice."""
    tmp_path = tmp_path_factory.mktemp("project")
    (tmp_path / "data/records/models").mkdir(parents=True)
    (tmp_path / "data/records/b.yaml").write_text("b")
    (tmp_path / "data/records/models/a.yaml").write_text("a")
    (tmp_path / "data/records/__pycache__").mkdir()
    (tmp_path / "data/tables").mkdir()
    (tmp_path / "code.py").write_text("code")
    (tmp_path / "params.yaml").write_text("one: {size: 1.5, since: 2020-07}\ntwo: {other: 1}\n")
    (tmp_path / "data/records/editor").mkdir()
    (tmp_path / "data/records/editor/schema.json").write_text("{}")
    (tmp_path / ".dvcignore").write_text("__pycache__\n*.md\ndata/records/editor\n")
    (tmp_path / "dvc.yaml").write_text(
        "stages:\n"
        "  one: {cmd: cat data/records/b.yaml > data/tables/one.parquet, deps: [data/records, code.py], params: [one], outs: [data/tables/one.parquet]}\n"
        "  two: {cmd: cp data/tables/one.parquet data/tables/two.parquet, deps: [data/tables/one.parquet], outs: [data/tables/two.parquet]}\n"
        "  three: {cmd: echo > data/tables/three.parquet, params: [two], outs: [data/tables/three.parquet]}\n"
    )
    dvc = Path(flow.ROOT / ".venv/bin/dvc")
    for words in (["init", "--no-scm", "--quiet"], ["repro", "--quiet"]):
        subprocess.run([dvc, *words], cwd=tmp_path, check=True, env=os.environ | {"DVC_NO_ANALYTICS": "1"})
    return tmp_path


@pytest.fixture
def project(ran, tmp_path):
    """The same, to be changed."""
    return shutil.copytree(ran, tmp_path / "project")


def test_tables_are_fresh_until_what_they_are_made_of_changes(project):
    assert freshness.are_fresh(["two"], project)
    (project / "data/records/__pycache__/x.pyc").write_text("no record")
    (project / "data/records/README.md").write_text("no record")
    (project / "data/records/editor/schema.json").write_text("no record")
    assert freshness.are_fresh(["one", "two"], project)
    changes = {
        "data/records/models/a.yaml": "c",
        "data/records/models/new.yaml": "a",
        "code.py": "other",
        "data/tables/one.parquet": "other",
        "data/tables/two.parquet": "",
        "params.yaml": "one: {size: 2}\n",
        "dvc.lock": "stages: [",
    }
    for name, content in changes.items():
        before = (project / name).read_text() if (project / name).exists() else None
        (project / name).write_text(content)
        assert not freshness.are_fresh(["two"], project), name
        (project / name).unlink()
        assert freshness.are_fresh(["two"], project) == (before is None), name
        if before is not None:
            (project / name).write_text(before)
    assert freshness.are_fresh(["two"], project)
    assert not freshness.are_fresh(["four"], project)


def test_a_choice_of_another_stage_changes_nothing(project):
    (project / "params.yaml").write_text("one: {size: 1.5, since: 2020-07}\ntwo: {other: 2}\n")
    assert freshness.are_fresh(["two"], project)
    assert not freshness.are_fresh(["three"], project)


def test_only_what_is_asked_for_is_made(miniature):
    found = loading.load([MINIATURE / "data/records"])
    made = flow.make(["estimates"], found, params.load(MINIATURE))
    assert "estimates" in made
    assert not {"facts", "utilization_backtests", "checks"} & set(made)
    assert made["estimates"].collect("pyarrow").rows(named=True) == Tables(miniature / "data/tables")["estimates"]


def test_a_model_of_another_folder_is_estimated_as_the_ledgers(tmp_path):
    shutil.copy(flow.ROOT / "data/records/models/gpt-3.yaml", tmp_path / "gpt-3.yaml")
    there = typed("estimate", tmp_path / "gpt-3.yaml")
    assert (there.returncode, there.stderr) == (0, "")
    assert there.stdout == typed("estimate", "gpt-3").stdout
