"""`python -m pipeline.tools.packaging.release VERSION FOLDER`: checks that this checkout is that release, and writes its files; `make release` runs it.

`python -m pipeline.tools.packaging.release VERSION` sets the version where it stands; the steps around both are in .github/RELEASING.md.
"""

import gzip
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from pipeline.base.paths import ROOT, SUMS
from pipeline.publishing import changes, croissant, datapackage, fingerprint, release_gate, verification
from pipeline.publishing.citation import BUILT
from pipeline.tools.packaging.__main__ import PACKAGED

PLACES = {  # of the version: what stands before it, and whether it has dots
    "params.yaml": (r'^  version: "', False),
    "CITATION.cff": (r'^(?:version|date-released): "', False),
    "pyproject.toml": (r'^version = "', True),
    "uv.lock": (r'^name = "flop-ledger"\nversion = "', True),
}
VERSION = r"[\d.-]+"
CHANGELOG, STEPS = "CHANGELOG.md", ".github/RELEASING.md"
UNRELEASED = {
    CHANGELOG: "## {}\n",
    "pipeline/publishing/ended.py": '    "{}": (',
}  # where the next release has no name yet
SITE, WHEEL = "site", "dist/flop_ledger-{}-py3-none-any.whl"
DOCUMENTS = {
    "data/README.md": "DICTIONARY.md",
    "CITATION.cff": "CITATION.cff",
    "LICENSE-DATA": "LICENSE",
    CHANGELOG: CHANGELOG,
}


def set_version(version: str, root: Path = ROOT) -> None:
    """Writes the version, a day as YYYY-MM-DD, wherever it stands, and over what CHANGELOG.md and the dictionary have as unreleased."""
    for place, (before, has_dots) in PLACES.items():
        text = (root / place).read_text(encoding="utf-8")
        written = dotted(version) if has_dots else version
        text = re.sub(f"({before}){VERSION}", rf"\g<1>{written}", text, flags=re.MULTILINE)
        (root / place).write_text(text, encoding="utf-8")
    for place, form in UNRELEASED.items():
        text = (root / place).read_text(encoding="utf-8")
        (root / place).write_text(text.replace(form.format("Unreleased"), form.format(version), 1), encoding="utf-8")


def dotted(version: str) -> str:
    """The version as Python packages have it.

    >>> dotted("2026-02-03")
    '2026.2.3'
    """
    return ".".join(str(int(part)) for part in version.split("-"))


def problems(version: str, root: Path = ROOT) -> Iterator[str]:
    """Why this checkout is not that release, one line each; none where it is."""
    for place, (before, has_dots) in PLACES.items():
        for found in re.finditer(f"{before}({VERSION})", (root / place).read_text(encoding="utf-8"), re.MULTILINE):
            if found[1] != (dotted(version) if has_dots else version):
                yield f"{place}: is of version {found[1]}, not {version}"
    changelog = (root / CHANGELOG).read_text(encoding="utf-8")
    if f"\n## {version}\n" not in changelog:
        yield f"{CHANGELOG}: has no heading {version}"
    for place, form in UNRELEASED.items():
        if form.format("Unreleased") in (root / place).read_text(encoding="utf-8"):
            yield f"{place}: has what is unreleased; `make version` names it"
    if not (root / changes.KEPT / version).is_dir():
        yield f"{changes.KEPT}/{version}: is missing; `python -m pipeline.publishing.changes` keeps what is published"
    if _git(root, "status", "--porcelain"):
        yield "git: not everything is committed"
    if f"v{version}" not in _git(root, "tag", "--points-at", "HEAD").split():
        yield f"git: this commit has no tag v{version}"
    yield from verification.verified(root).mistakes
    if not fingerprint.is_present(root):
        yield "data/published/ledger.duckdb: is not of these records and this code; run `make repro`"
    now = changes.read(str(root))
    last = release_gate.last_release(now, root)
    yield from (*release_gate.unnamed(*last, now, changelog), *release_gate.gone(*last, now)) if last else ()
    for made, how in ((f"{SITE}/index.json", "site"), (WHEEL.format(dotted(version)), "wheel")):
        if not (root / made).is_file():
            yield f"{made}: is missing; run `make {how}`"
        elif _built_of(root / made) != version:
            yield f"{made}: is not of this release; run `make {how}`"


def _built_of(made: Path) -> str:
    """Return what a built wheel, or the index of a built site, says it was built from."""
    if made.suffix == ".json":
        return str(json.loads(made.read_text(encoding="utf-8"))["version"])
    with zipfile.ZipFile(made) as wheel:
        return wheel.read(f"{PACKAGED}/{BUILT}").decode().strip()


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout


def write(version: str, folder: Path, root: Path = ROOT) -> None:
    """Writes the release's files into a new folder: data, descriptions, site, wheel, and the checksums of them all."""
    shutil.copytree(root / changes.PUBLISHED, folder)
    (folder / "ledger.sha256").unlink()  # all stand in one list
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    (folder / "croissant.json").write_text(croissant.croissant(package, folder), encoding="utf-8")
    shutil.copy(root / WHEEL.format(dotted(version)), folder)
    for place, name in DOCUMENTS.items():
        shutil.copy(root / place, folder / name)
    (folder / "README.md").write_text(card(root), encoding="utf-8")
    (folder / "site.tar.gz").write_bytes(_archive(root / SITE))
    (folder / SUMS).unlink()
    (folder / SUMS).write_text(datapackage.checksums(folder, with_database=True), encoding="utf-8")


def card(root: Path = ROOT) -> str:
    """The front page of the folder, which is the data set's card on Hugging Face: each CSV file is a configuration, since one form of files is read there."""
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
        "- `estimates.parquet`, `catalogue_estimates.parquet`: the same with types",
        "- `ledger.duckdb`: every table and view, each column described", "",
        "Columns: DICTIONARY.md. Checksums: `sha256sum --check SHA256SUMS`. In Python: `pip install flop_ledger-*.whl`, then `import flop_ledger`.", "",
    ])  # fmt: skip


def _archive(folder: Path) -> bytes:
    """The folder as .tar.gz, of the same bytes whenever and by whomever it is made."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}")
            entry.size = path.stat().st_size
            with path.open("rb") as file:
                archive.addfile(entry, file)
    return packed.getvalue()


def main(words: list[str]) -> int:
    """Sets the version, or checks and writes a release; prints what is wrong, or what is left to do. Returns the exit code."""
    version, *folders = words
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", version):
        print(f"{version!r} is no version, which is a day: YYYY-MM-DD", file=sys.stderr)
        return 1
    if not folders:
        set_version(version)
        return 0
    folder = Path(folders[0])
    wrong = [*problems(version), *([f"{folder}: is there already"] if folder.exists() else [])]
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    write(version, folder)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        print(f"{path.stat().st_size:>12,}  {path.relative_to(folder)}")
    print("left to do:", *re.findall(r"^- \[ \] (.*)$", (ROOT / STEPS).read_text(encoding="utf-8").partition("## Publish")[2], re.MULTILINE), sep="\n- ")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
