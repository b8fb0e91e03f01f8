"""How to cite the ledger, from CITATION.cff at the root of the checkout."""

from typing import NamedTuple

import yaml

from pipeline.paths import LEDGER

CITATION = LEDGER / "CITATION.cff"


class Citation(NamedTuple):
    """Fields of a citation; the version is that of the release, which may be newer than that in CITATION.cff."""

    authors: str
    title: str
    licence: str
    version: str

    @property
    def bibtex(self) -> str:
        """The BibTeX entry."""
        year = self.version[:4]
        return (
            f"@misc{{flop-ledger-{year},\n  author = {{{{{self.authors}}}}},\n  title = {{{{{self.title}}}}},\n"
            f"  year = {{{year}}},\n  version = {{{self.version}}},\n  note = {{Data under {self.licence}}}\n}}"
        )


def citation(version: str) -> Citation:
    """The citation of a release of this version."""
    cff = yaml.safe_load(CITATION.read_text(encoding="utf-8"))
    return Citation(", ".join(each["name"] for each in cff["authors"]), cff["title"], cff["license"], version)
