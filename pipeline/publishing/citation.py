"""Cite the ledger, using CITATION.cff at the root of the checkout."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import yaml

from pipeline.base.paths import LEDGER, RECORDS
from pipeline.publishing.changes import KEPT, PUBLISHED, git

CITATION = LEDGER / "CITATION.cff"
BUILT = "release.txt"  # in a wheel: the release or commit from which it was built
LATER = "later changes, not a release"


class Citation(NamedTuple):
    """The fields of a citation. `version` comes from `release_of`; a field that CITATION.cff lacks is None."""

    authors: str
    title: str
    licence: str
    version: str
    abstract: str
    keywords: tuple[str, ...]
    url: str | None = None
    doi: str | None = None

    @property
    def bibtex(self) -> str:
        """Return the BibTeX entry of the ledger."""
        return self.entry(None, None, self.url)

    def address(self, identifier: str | None) -> str | None:
        """Return the address of the ledger, or of a model's page; None if the ledger has no known address."""
        if self.url is None or identifier is None:
            return self.url
        return f"{self.url.rstrip('/')}/models/{identifier}.html"

    def text(self, stated: str | None, address: str | None) -> str:
        """Return the citation of the ledger, or of a statement about a model, as text."""
        where = [f"https://doi.org/{self.doi}"] if self.doi else []
        parts = [stated, self.authors, self.title, f"Version {with_note(self.version)}", self.licence, *where, address]
        return f"{'. '.join(filter(None, parts))}."

    def entry(self, identifier: str | None, stated: str | None, address: str | None) -> str:
        """Return the BibTeX entry of the ledger, or of a statement about a model."""
        year, later = self.version[:4], "+" in self.version
        key = f"flop-ledger-{year}" if identifier is None else f"flop-ledger-{year}-{identifier}"
        fields = {
            "author": f"{{{self.authors}}}",
            "title": f"{{{self.title}}}",
            "year": year,
            "version": self.version,
            "note": ". ".join(
                filter(None, (stated and _latex(stated), f"Data under {self.licence}", later and LATER.capitalize()))
            ),
            **({"url": address} if address else {}),
            **({"doi": self.doi} if self.doi else {}),
        }
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"@misc{{{key},\n{lines}\n}}"


def _latex(text: str) -> str:
    """Return the text with LaTeX's special characters escaped.

    >>> _latex("90 % of A_1 & B")
    '90 \\\\% of A\\\\_1 \\\\& B'
    """
    return re.sub(r"([%&_#$])", r"\\\1", re.sub(r"[\\{}~^]", " ", text))


def last_read() -> str | None:
    """Return the latest day on which a watched source was fetched; None if no source states a day."""
    texts = (path.read_text(encoding="utf-8") for path in (RECORDS / "sources").glob("*.yaml"))
    return max(
        (day for text in texts for day in re.findall(r"^fetched: \{on: ([\d-]+)", text, re.MULTILINE)), default=None
    )


def release_of(version: str, root: Path = LEDGER) -> str:
    """Return the version if `root` is exactly that release, otherwise the version, "+" and the commit.

    With git, the release is the tagged commit without changes. Without git, any checkout whose values equal the values
    kept in data/releases counts as the release, and "changed" replaces the commit.
    """
    if (root / BUILT).is_file():
        return (root / BUILT).read_text(encoding="utf-8").strip()
    commit = _commit(root)
    if commit is None:
        kept, published = (root / folder / "estimates.csv" for folder in (KEPT / version, PUBLISHED))
        is_release = kept.is_file() and published.is_file() and kept.read_bytes() == published.read_bytes()
    else:
        is_release = commit.isalnum() and f"v{version}" in git(root, "tag", "--points-at", "HEAD").decode().split()
    return version if is_release else f"{version}+{commit or 'changed'}"


def with_note(version: str) -> str:
    """Return a version from `release_of`, with a note if it is not a release.

    >>> with_note("2026-12-01"), with_note("2026-12-01+873f24b4")
    ('2026-12-01', '2026-12-01+873f24b4 (later changes, not a release)')
    """
    return f"{version} ({LATER})" if "+" in version else version


def _commit(root: Path) -> str | None:
    """Return the commit of the checkout at `root`, with ".dirty" if files differ from it; None without git."""
    if not (root / ".git").exists():  # the repository of an outer folder is not ours
        return None
    try:
        return (
            git(root, "describe", "--always", "--dirty", "--abbrev=8", "--exclude", "*")
            .decode()
            .strip()
            .replace("-", ".")
        )
    except (OSError, subprocess.CalledProcessError):
        return None


def package_version(version: str) -> str:
    """Return the version in the format that Python packages use (PEP 440).

    >>> package_version("2026-02-03"), package_version("2026-11-26.2"), package_version("2026-11-26.2+873f24b4.dirty")
    ('2026.2.3', '2026.11.26.2', '2026.11.26.2+873f24b4.dirty')
    """
    day, plus, commit = version.partition("+")
    return ".".join(str(int(part)) for part in re.split("[-.]", day)) + plus + commit


def citation(version: str, address: str = "") -> Citation:
    """Return the citation of the release of this version; `address` is by default the one in CITATION.cff."""
    cff = yaml.safe_load(CITATION.read_text(encoding="utf-8"))
    authors = ", ".join(author["name"] for author in cff["authors"])
    address = address or cff.get("url") or cff.get("repository-code")
    return Citation(
        authors, cff["title"], cff["license"], version, cff["abstract"], tuple(cff["keywords"]), address, cff.get("doi")
    )
