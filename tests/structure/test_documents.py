"""Documents of the repository: targets of links, cited sections of the methods, named commands and modules exist."""

import importlib.util
import re

import pytest

from pipeline.base.paths import ROOT

METHODS = ROOT / "pipeline" / "formulas" / "README.md"
WRITTEN = [
    "README.md",
    "CHANGELOG.md",
    "CHANGELOG-older.md",
    "WHAT_CHANGES.md",
    "CONTRIBUTING.md",
    ".github/RELEASING.md",
    "data/README.md",
    "pipeline/README.md",
    "pipeline/formulas/README.md",
]
CITED = re.compile(r"methods, section (\d+)")
NAMED_SOURCES = ("the article", "the ratio post", "the P100 study", "AI and Compute")


def documents():
    return [ROOT / name for name in WRITTEN if (ROOT / name).exists()]


def written(*endings, folders=(".", "data", "pipeline", "schemas", "tests", "data/records")):
    """Return the files with these endings in the folders; in pipeline, schemas, tests, data/records at any depth."""
    return [
        file
        for folder in folders
        for file in (ROOT / folder).glob("*" if folder in (".", "data") else "**/*")
        if file.suffix in endings
    ]


def anchors(text):
    """Return the anchors of a Markdown file's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere_within_the_repository(document):
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        assert file.is_relative_to(ROOT), target
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file.read_text(encoding="utf-8")), target


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_modules_and_targets_that_a_document_names_exist(document):
    text = document.read_text(encoding="utf-8")
    for module in set(re.findall(r"python -m (pipeline[\w.]*|tests[\w.]*)", text)):
        assert importlib.util.find_spec(module), module
    targets = set(re.findall(r"^([\w.-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([\w.-]+)", text)) <= targets


def test_cited_sections_of_the_methods_exist():
    sections = set(re.findall(r"^## (\d+)\. ", METHODS.read_text(encoding="utf-8"), re.MULTILINE))
    cited = {
        (path.relative_to(ROOT).as_posix(), number)
        for path in written(".py", ".sql", ".html", ".yaml", ".md")
        for number in CITED.findall(path.read_text(encoding="utf-8"))
    }
    assert {path for path, _ in cited} > {"pipeline/formulas/utilization.py", "tests/golden/test_worked_examples.py"}
    assert {number for _, number in cited} <= sections, sorted(cited)


def test_named_sources_are_defined_with_a_link():
    sources = METHODS.read_text(encoding="utf-8").partition("## Sources")[2].partition("\n## ")[0]
    for name in NAMED_SOURCES:
        assert re.search(rf"^\| \*\*{name}\*\* \| .*\]\(https://", sources, re.MULTILINE), name


def test_nothing_refers_to_folders_outside_the_repository():
    for path in (*documents(), *written(".py", folders=("pipeline", "schemas"))):
        assert "../shared" not in path.read_text(encoding="utf-8"), path


def test_a_changed_document_makes_no_stage_run_again():
    assert "*.md" in (ROOT / ".dvcignore").read_text(encoding="utf-8").splitlines()


def test_no_entry_of_the_changelog_repeats_another():
    """Two entries repeat each other if they share twelve words in a row."""
    text = (ROOT / "CHANGELOG.md").read_text()
    assert len(text.splitlines()) <= 200
    entries = [re.findall(r"\w+", entry) for entry in re.split(r"\n- ", text)]
    runs = [{tuple(words[place : place + 12]) for place in range(len(words) - 11)} for words in entries]
    places: dict[tuple[str, ...], int] = {}
    for place, run in enumerate(runs):
        for words in sorted(run):
            assert places.setdefault(words, place) == place, " ".join(words)
