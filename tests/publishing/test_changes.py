"""Changes between two releases, tested on small releases written by hand."""

import json

import pytest

from pipeline.publishing import changes
from tests.builders import History, typed

OLD = """\
model_id,name,training_flop,base_model,hardware,domain
alpha,'=Alpha,2e20,,chip-a,text
beta,Beta,5e21,alpha,chip-a + chip-b,text
gamma,Gamma,3e22,,,text
delta,Delta,,,,image
"""
NEW = """\
model_id,name,training_flop,base_model,hardware,domain,new_column
alpha,=Alpha,2.5e20,,chip-a,text,1
beta,Beta,5.25e21,alpha,chip-a + chip-b,text,1
delta,Delta,6e19,,,vision,1
epsilon,Epsilon,1e18,,,text,1
"""
OLD_FACTS = """\
record_kind,record_id,path,written
models,alpha,training[0].examples,1e6
models,alpha,quotes.a,not an input
models,beta,training[0].examples,1
hardware,chip-b,peaks.fp16,1
"""
NEW_FACTS = """\
record_kind,record_id,path,written
models,alpha,training[0].examples,1.5e6
models,alpha,quotes.a,nor is this
models,alpha,training[0].phase,pretraining
models,beta,training[0].examples,1
hardware,chip-b,peaks.fp16,2
"""
ALPHA = "training[0].examples: 1e6 -> 1.5e6", "training[0].phase: absent -> pretraining"
BETA = (*(f"alpha, its base model: {fact}" for fact in ALPHA), "chip-b: peaks.fp16: 1 -> 2")
RULES = "rules: no fact of its record, base model or chips changed"
EXPECTED = [  # `name` of alpha is the same text after a quote that keeps a spreadsheet from running it
    ("alpha", "training_flop", "2e20", "2.5e20", 0.25, "; ".join(ALPHA)),
    ("beta", "training_flop", "5e21", "5.25e21", 0.05, "; ".join(BETA)),
    ("delta", "domain", "image", "vision", None, RULES),
    ("delta", "training_flop", None, "6e19", None, RULES),
    ("epsilon", "training_flop", None, "1e18", None, changes.ADDED),
    ("gamma", "training_flop", "3e22", None, None, changes.GONE),
]


@pytest.fixture
def releases(tmp_path):
    for name, estimates, facts in (("old", OLD, OLD_FACTS), ("new", NEW, NEW_FACTS)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "estimates.csv").write_text(estimates)
        (tmp_path / name / "facts.csv").write_text(facts)
    return str(tmp_path / "old"), str(tmp_path / "new")


def moved(old, new):
    return [tuple(row[column] for column in changes.COLUMNS) for row in changes.value_changes(old, new)]


def test_each_changed_value_has_the_facts_behind_it(releases):
    rows = moved(*map(changes.read, releases))
    assert [row[:4] + row[5:] for row in rows] == [row[:4] + row[5:] for row in EXPECTED]
    assert [row[4] for row in rows] == [pytest.approx(row[4]) if row[4] else None for row in EXPECTED]


def test_a_change_without_facts_of_its_own_names_its_base_model_the_measurements_or_other_facts():
    header = "model_id,training_flop,utilization_fraction,weights_access,base_model,hardware\n"
    old = f"{header}base,1e20,0.3,,,\ntuned,2e20,,,base,\nclosed,1e20,,open,,\n"
    new = f"{header}base,1.1e20,0.33,,,\ntuned,2.1e20,,,base,\nclosed,1e20,,closed,,\n"
    facts = "record_kind,record_id,path,written\nmeasurements,new-logs,rows[0],{}\nmodels,closed,weights_access,{}\n"
    files = [
        {"estimates": rows.encode(), "facts": facts.format(*values).encode()}
        for rows, values in ((old, ("0.3", "open")), (new, ("0.4", "closed")))
    ]
    assert {(row["model_id"], row["column_name"], row["reason"]) for row in changes.value_changes(*files)} == {
        ("base", "training_flop", "measurements: new-logs"),
        ("base", "utilization_fraction", "measurements: new-logs"),
        ("tuned", "training_flop", "base, its base model: training_flop: 1e20 -> 1.1e20"),
        ("closed", "weights_access", "weights_access: open -> closed"),
    }


def test_a_release_without_facts_gives_only_the_base_model_as_a_reason(releases):
    old, new = map(changes.read, releases)
    reasons = {row[5] for row in moved({**old, "facts": changes.NO_FACTS}, new)}
    of_base = "alpha, its base model: training_flop: 2e20 -> 2.5e20"
    assert reasons == {None, of_base, changes.ADDED, changes.GONE}


def test_a_git_revision_has_its_published_values(tmp_path):
    history = History(tmp_path / "origin")
    history.commit("2026-01-01", "", alpha=1e20)
    history.commit("2026-01-01", "", alpha=2e20)
    assert b"alpha,1e+20" in changes.read("HEAD~1", history.folder)["estimates"]
    for name in ("v2", "--help", "params.yaml"):
        with pytest.raises(changes.ReleaseError, match=f"'{name}' is neither a folder .* nor a revision of git"):
            changes.read(name, history.folder)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2026-01-01", "2026-02-01"),
        ("2026-01-01", "2026-01-01.2"),
        ("2026-01-01.2", "2026-01-01.3"),
        ("2026-01-01.9", "2026-01-02"),
    ],
)
def test_each_kept_release_is_compared_with_the_one_before_and_the_last_with_what_is_published(tmp_path, first, last):
    for version, estimates, facts in ((first, OLD, OLD_FACTS), (last, NEW, NEW_FACTS)):
        folder = tmp_path / changes.KEPT / version
        folder.mkdir(parents=True)
        (folder / "estimates.csv").write_text(estimates)
        (folder / "facts.csv").write_text(facts)
    now = {"estimates": NEW.replace("1e18", "2e18").encode(), "facts": NEW_FACTS.encode()}
    rows = list(changes.history(last, now, tmp_path))
    assert changes.last_release(tmp_path) == last
    assert [row["release"] for row in rows] == [last] * len(EXPECTED) + [changes.UNRELEASED]
    assert (rows[-1]["model_id"], rows[-1]["change_fraction"], rows[-1]["reason"]) == ("epsilon", 1.0, RULES)


def test_diff_prints_tables_json_and_errors(releases):
    table = typed("diff", *releases)
    assert table.stdout.splitlines()[0].split("\t") == list(changes.COLUMNS)
    assert table.stderr.startswith(f"{releases[0]} -> {releases[1]}: 6 values moved, in 5 models")
    assert [row["model_id"] for row in json.loads(typed("diff", *releases, "--json").stdout)] == [
        row[0] for row in EXPECTED
    ]
    assert json.loads(typed("diff", "data/published", "--json").stdout) == []
    assert typed("diff", "no-such-release").returncode == 1
    assert typed("diff", "--csv", "--json").returncode == 2
