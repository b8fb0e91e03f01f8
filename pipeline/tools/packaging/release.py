"""`python -m pipeline.tools.packaging.release VERSION FOLDER`: check release VERSION and write its files.

`make release` runs it. `python -m pipeline.tools.packaging.release VERSION` sets the version in every file that
contains it. The steps before and after are in .github/RELEASING.md.
"""

import gzip
import io
import json
import re
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from pipeline.base.paths import ROOT, SUMS
from pipeline.publishing import changes, croissant, datapackage, fingerprint, release_gate, verification
from pipeline.publishing.citation import BUILT, package_version
from pipeline.tools.packaging.__main__ import PACKAGED
from schemas.params import VERSION

PLACES = (  # files that contain the version, the pattern before it, and its form in the file
    ("params.yaml", r'^  version: "', str),
    ("CITATION.cff", r'^version: "', str),
    ("CITATION.cff", r'^date-released: "', lambda version: version[:10]),
    ("pyproject.toml", r'^version = "', package_version),
    ("uv.lock", r'^name = "flop-ledger"\nversion = "', package_version),
)
WRITTEN = r"[\d.-]+"
CHANGELOG, STEPS = "CHANGELOG.md", ".github/RELEASING.md"
# Texts with "Unreleased" in place of a version until the release.
UNRELEASED = {CHANGELOG: "## {}\n", "WHAT_CHANGES.md": "## {}\n"}
SITE, WHEEL = "site", "dist/flop_ledger-{}-py3-none-any.whl"
DOCUMENTS = {
    "data/README.md": "DICTIONARY.md",
    "CITATION.cff": "CITATION.cff",
    "LICENSE-DATA": "LICENSE",
    CHANGELOG: CHANGELOG,
}


def set_version(version: str, root: Path = ROOT) -> None:
    """Write the version into every file that contains it, and over "Unreleased" in CHANGELOG.md and WHAT_CHANGES.md."""
    for place, before, form in PLACES:
        text = (root / place).read_text(encoding="utf-8")
        text = re.sub(f"({before}){WRITTEN}", rf"\g<1>{form(version)}", text, flags=re.MULTILINE)
        (root / place).write_text(text, encoding="utf-8")
    for place, form in UNRELEASED.items():
        text = (root / place).read_text(encoding="utf-8")
        (root / place).write_text(text.replace(form.format("Unreleased"), form.format(version), 1), encoding="utf-8")


def problems(version: str, root: Path = ROOT) -> Iterator[str]:
    """Yield a line for each reason why this checkout is not the release with this version."""
    for place, before, form in PLACES:
        for match in re.finditer(f"{before}({WRITTEN})", (root / place).read_text(encoding="utf-8"), re.MULTILINE):
            if match[1] != form(version):
                yield f"{place}: has version {match[1]}, not {form(version)}"
    changelog = (root / CHANGELOG).read_text(encoding="utf-8")
    if f"\n## {version}\n" not in changelog:
        yield f"{CHANGELOG}: has no heading {version}"
    for place, form in UNRELEASED.items():
        if form.format("Unreleased") in (root / place).read_text(encoding="utf-8"):
            yield f"{place}: still has an unreleased entry; run `make version`"
    if not (root / changes.KEPT / version).is_dir():
        yield f"{changes.KEPT}/{version}: is missing; run `python -m pipeline.publishing.changes`"
    if changes.git(root, "status", "--porcelain"):
        yield "git: there are uncommitted changes"
    if f"v{version}" not in changes.git(root, "tag", "--points-at", "HEAD").decode().split():
        yield f"git: this commit has no tag v{version}"
    yield from (*verification.changed_published(root), *verification.changed_snapshots(root))
    if not fingerprint.is_present(root):
        yield "data/published/ledger.duckdb: is older than the records or the code; run `make repro`"
    now = changes.read(str(root))
    last = release_gate.last_release(now, root)
    yield from (
        (*release_gate.unnamed_moves(*last, now, changelog), *release_gate.lost_columns(*last, now)) if last else ()
    )
    for artefact, how in ((f"{SITE}/index.json", "site"), (WHEEL.format(package_version(version)), "wheel")):
        if not (root / artefact).is_file():
            yield f"{artefact}: is missing; run `make {how}`"
        elif _built_version(root / artefact) != version:
            yield f"{artefact}: is from another release; run `make {how}`"


def _built_version(artefact: Path) -> str:
    """Return the version in a wheel, or in the index of a site."""
    if artefact.suffix == ".json":
        return str(json.loads(artefact.read_text(encoding="utf-8"))["version"])
    with zipfile.ZipFile(artefact) as wheel:
        return wheel.read(f"{PACKAGED}/{BUILT}").decode().strip()


def write(version: str, folder: Path, root: Path = ROOT) -> None:
    """Write the files of the release into a new folder: data, descriptions, site, wheel, and checksums of all files."""
    shutil.copytree(root / changes.PUBLISHED, folder)
    (folder / "ledger.sha256").unlink()  # SHA256SUMS lists all files
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    (folder / "croissant.json").write_text(croissant.croissant(package, folder), encoding="utf-8")
    shutil.copy(root / WHEEL.format(package_version(version)), folder)
    for place, name in DOCUMENTS.items():
        shutil.copy(root / place, folder / name)
    (folder / "README.md").write_text(card(root), encoding="utf-8")
    (folder / "site.tar.gz").write_bytes(_archive(root / SITE))
    (folder / SUMS).unlink()
    (folder / SUMS).write_text(datapackage.checksums(folder, with_database=True), encoding="utf-8")


def card(root: Path = ROOT) -> str:
    """Return the release's README, its card on Hugging Face, which reads one format; so configs name only CSV files."""
    package = json.loads((root / changes.PUBLISHED / "datapackage.json").read_text(encoding="utf-8"))
    titles = {Path(resource["path"]).stem: resource["title"] for resource in package["resources"]}
    names = sorted(titles, key=lambda name: (name != "estimates", name))
    head = {
        "license": package["licenses"][0]["name"].lower(),
        "pretty_name": "FLOP Ledger",
        "tags": package["keywords"],
        "configs": [{"config_name": name, "data_files": f"{name}.csv"} for name in names],
    }
    head["configs"][0]["default"] = True
    lines = [f"- `{name}.csv`: {titles[name]}" for name in names]
    return "\n".join([
        "---", yaml.safe_dump(head, sort_keys=False, allow_unicode=True) + "---", "", f"# {package['title']}", "",
        f"{package['description']} Version {package['version']}, {package['licenses'][0]['title']}.", "", *lines,
        "- `estimates.parquet`, `catalogue_estimates.parquet`: the same tables with types",
        "- `ledger.duckdb`: all tables and views, with a description of each column", "",
        "Columns: DICTIONARY.md. Checksums: `sha256sum --check SHA256SUMS`. In Python: `pip install"
        " flop_ledger-*.whl`, then `import flop_ledger`.", "",
    ])  # fmt: skip


def _archive(folder: Path) -> bytes:
    """Return the folder as a .tar.gz archive that depends only on the files in it."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}")
            entry.size = path.stat().st_size
            with path.open("rb") as file:
                archive.addfile(entry, file)
    return packed.getvalue()


def main(words: list[str]) -> int:
    """Set the version, or check and write a release; print problems or the remaining steps. Return the exit code."""
    version, *folders = words
    if not re.fullmatch(VERSION, version):
        print(f"{version!r} is not a version; a version is a day, YYYY-MM-DD, or YYYY-MM-DD.2 to .9", file=sys.stderr)
        return 1
    if not folders:
        set_version(version)
        return 0
    folder = Path(folders[0])
    wrong = [*problems(version), *([f"{folder}: already exists"] if folder.exists() else [])]
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    write(version, folder)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        print(f"{path.stat().st_size:>12,}  {path.relative_to(folder)}")
    steps = (ROOT / STEPS).read_text(encoding="utf-8").partition("## Publish")[2]
    print("left to do:", *re.findall(r"^- \[ \] (.*(?:\n  .*)*)$", steps, re.MULTILINE), sep="\n- ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
