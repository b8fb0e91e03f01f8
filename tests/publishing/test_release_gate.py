"""The check that the changelog names every changed headline, tested on small ledgers."""

import pytest

from pipeline.publishing import release_gate


class Ledger:
    """A folder with published estimates, a changelog and kept releases."""

    def __init__(self, folder):
        self.folder = folder

    def kept(self, version, **headlines):
        folder = self.folder / "data/releases" / version
        folder.mkdir(parents=True)
        (folder / "facts.csv").write_text("record_kind,record_id,path,written\n")
        (folder / "estimates.csv").write_text(table(headlines))

    def published(self, changelog, **headlines):
        (self.folder / "data/published").mkdir(parents=True, exist_ok=True)
        (self.folder / "data/published/estimates.csv").write_text(table(headlines))
        (self.folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog}\n")


def table(headlines):
    lines = [f"{name.replace('_', '-')},{flop},,," for name, flop in headlines.items()]
    return "\n".join(["model_id,training_flop,base_model,hardware,sources", *lines, ""])


@pytest.fixture
def ledger(tmp_path):
    small_ledger = Ledger(tmp_path)
    small_ledger.kept("2026-01-01", gpt_3=3e23, gpt_3_13b=2e22, lost="")
    return small_ledger


def checked(ledger, capsys):
    code = release_gate.main(ledger.folder)
    return code, capsys.readouterr().out.splitlines()


def test_the_first_release_has_nothing_before_it(tmp_path, capsys):
    first = Ledger(tmp_path)
    first.published("", gpt_3=3e23)
    assert checked(first, capsys) == (0, ["moved headlines: not compared: there is no release before this one"])


@pytest.mark.parametrize(
    ("newer", "flop", "is_named"),
    [
        ("", 3.2997e23, True),  # 9.99 %
        ("", 3.3003e23, False),  # 10.01 %
        ("", 2.6e23, False),
        ("", "", False),
        ("- gpt-3-13b, gpt-3.5 and my-gpt-3 moved", 6e23, False),
        ("- more chips: lost, `gpt-3`, others", 6e23, True),
        ("- gpt-3.", "", True),
    ],
)
def test_headlines_that_change_by_more_than_a_tenth_must_be_named(ledger, capsys, newer, flop, is_named):
    changelog = f"## Unreleased\n\n{newer}\n\n## 2026-01-01\n\n- gpt-3 is new"
    ledger.published(changelog, gpt_3=flop, gpt_3_13b=2e22, lost=1e20, new=1e21)
    code, lines = checked(ledger, capsys)
    assert (code, len(lines)) == (0 if is_named else 1, 1)
    assert lines[0].startswith("every headline" if is_named else "CHANGELOG.md: gpt-3 moved from 3e+23 to ")


def test_a_lost_column_without_an_entry_fails(ledger, capsys):
    kept = ledger.folder / "data/releases/2026-01-01/estimates.csv"
    kept.write_text("model_id,training_flop,widest_input,lost_column\ngpt-3,3e23,data,1\n")
    ledger.published("## Unreleased\n\n## 2026-01-01", gpt_3=3e23)
    code, (line,) = checked(ledger, capsys)  # WHAT_CHANGES.md has widest_input
    assert (code, "lost_column since release 2026-01-01; say there" in line) == (1, True)


def test_a_release_in_preparation_is_compared_with_the_one_before(ledger, capsys):
    values = {"gpt_3": 6e23, "gpt_3_13b": 4e22, "lost": ""}
    ledger.kept("2026-02-01", **values)
    changelog = "## 2026-02-01\n\n- gpt-3 has more data\n\n## 2026-01-01"
    ledger.published(changelog, **values)
    code, (line,) = checked(ledger, capsys)
    assert code == 1
    assert line.startswith("CHANGELOG.md: gpt-3-13b moved from 2e+22 to 4e+22 FLOP (+100.0%) since release 2026-01-01")
    assert line.endswith("; write a line that names gpt-3-13b")
    ledger.published(changelog, **values | {"gpt_3_13b": 5e22})
    assert "since release 2026-02-01" in checked(ledger, capsys)[1][0]
    ledger.kept("2026-02-01.2", **values | {"gpt_3_13b": 5e22})
    assert "since release 2026-02-01;" in checked(ledger, capsys)[1][0]
    ledger.published(f"## 2026-02-01.2\n\n- gpt-3-13b\n\n{changelog}", **values | {"gpt_3_13b": 5e22})
    assert checked(ledger, capsys)[0] == 0


def test_without_published_values_it_fails(tmp_path, capsys):
    code, (line,) = checked(Ledger(tmp_path), capsys)
    assert (code, line[:31]) == (1, "moved headlines: not compared: ")
