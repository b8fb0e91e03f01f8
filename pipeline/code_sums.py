"""Checksums of the code that every stage runs: `python -m pipeline.code_sums` writes them to `data/tables/code.json`.

Each stage depends on this file in place of a list of the code: DVC reads and writes all dependencies of all stages at each stage that it
runs, and that list was a quarter of them.
"""

import hashlib
from pathlib import Path

from pipeline.paths import ROOT, TABLES, replace_file

CODE = (
    "pipeline/compiled.py",
    "pipeline/contracts.py",
    "pipeline/flow.py",
    "pipeline/formulas",
    "pipeline/one_thread.py",
    "pipeline/paths.py",
    "pipeline/ranges.py",
    "pipeline/records/params.py",
    "pipeline/records/yaml_text.py",
    "pipeline/rules",
    "schemas",
)
FILE = "code.json"


def files(root: Path = ROOT) -> list[Path]:
    """The files of this code in the order of their names."""
    found = [file for path in map(root.joinpath, CODE) for file in (path.rglob("*.py") if path.is_dir() else [path])]
    return sorted(file for file in found if file.is_file())


def text(root: Path = ROOT) -> str:
    """The SHA-256 of each file, by its path in the checkout."""
    sums = {file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files(root)}
    return "{\n" + ",\n".join(f'  "{name}": "{digest}"' for name, digest in sums.items()) + "\n}\n"


def main() -> None:
    """Writes the file."""
    TABLES.mkdir(parents=True, exist_ok=True)
    replace_file(TABLES / FILE, lambda beside: beside.write_text(text()))


if __name__ == "__main__":
    main()
