"""`python -m pipeline.site`: build the site into a folder."""

import argparse
import sys
import tomllib
from pathlib import Path

from pipeline.base.paths import ROOT, in_a_line
from pipeline.base.text import progress
from pipeline.publishing.database import DatabaseError
from pipeline.site.build import ALL, OutputError, Part, build
from pipeline.site.page import Place


def _name(part: Part) -> str:
    """Return a part's name for the progress line: the module's for a page's `write` or `finish`, otherwise its own.

    >>> from pipeline.site.build import assets
    >>> from pipeline.site.pages import models
    >>> _name(models.write), _name(assets)
    ('models', 'assets')
    """
    name = getattr(part, "__name__", str(part))
    return part.__module__.rpartition(".")[2] if name in ("write", "finish") else name


def main() -> None:
    """Build the site. Print one line and exit with code 1 if nothing is published or the folder cannot be written."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    options = argparse.ArgumentParser(prog="python -m pipeline.site", description="Build the public site.")
    options.add_argument("--out", type=Path, default=ROOT / "site", help="folder to write (default: site)")
    options.add_argument("--address", help="address of the site, such as https://example.org/ledger")
    options.add_argument("--repository", help="address of the repository, for error reports")
    options.set_defaults(address=urls.get("Homepage", ""), repository=urls.get("Repository", ""))
    arguments = options.parse_args()
    try:
        place = Place(arguments.address.rstrip("/"), arguments.repository.rstrip("/"))
        build(arguments.out, place, parts=progress.track("building the site", ALL, _name))
    except (DatabaseError, OutputError) as problem:
        print(problem, file=sys.stderr)
        raise SystemExit(1) from None
    except OSError as problem:
        print(in_a_line(problem), file=sys.stderr)
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
