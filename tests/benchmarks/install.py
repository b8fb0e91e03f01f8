"""Print the size of an installation by group of packages, and the limits we aim for: `make benchmarks`. It tests nothing.

The wheel is built and installed with each group into an empty environment, in the versions of uv.lock. We count the
files that packages bring, in MB of 10^6 bytes; byte code, which Python adds when they are first imported or installed,
adds a few per cent to a third.
"""

import contextlib
import subprocess
import sys
import tempfile
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import NamedTuple

from pipeline.base.paths import ROOT

UV = ROOT / ".venv/bin/uv"
LARGEST = 4  # packages that are named


class Aim(NamedTuple):
    """Limits of an installation: megabytes, and packages if their number has a limit."""

    megabytes: int | None = None
    packages: int | None = None


GROUPS = {
    "": Aim(100, 20),
    "download": Aim(),
    "frames": Aim(),
    "estimate": Aim(330),
    "plot": Aim(),
    "spark": Aim(),
    "pipeline": Aim(),
}
SLOW = ("spark", "pipeline")  # a minute each


def main() -> None:
    """Install the groups given as arguments (`base` means no group); without arguments, all but the slow ones."""
    asked = ["" if word == "base" else word for word in sys.argv[1:]] or [each for each in GROUPS if each not in SLOW]
    print(f"{'installed':<24}{'MB':>6}{'aim':>6}{'packages':>10}{'aim':>6}  largest")
    with (
        tempfile.TemporaryDirectory() as scratch,
        contextlib.chdir(scratch),
    ):  # a project's settings for uv apply in its folder
        versions = Path(scratch) / "versions.txt"
        words = ["--locked", "--all-extras", "--no-emit-project", "--no-hashes", "--output-file", str(versions)]
        _run(UV, "export", "--project", str(ROOT), *words)
        _run(sys.executable, "-m", "pipeline.tools.packaging", scratch)
        (wheel,) = Path(scratch).glob("*.whl")
        for group in asked:
            found = _installed(wheel, group, versions, Path(scratch) / f"with-{group}")
            sizes = sorted(((size, name) for name, size in found.items()), reverse=True)
            aim = GROUPS[group]
            named = ", ".join(f"{name} {size / 1e6:.0f}" for size, name in sizes[:LARGEST])
            label = f"flop-ledger[{group}]" if group else "flop-ledger"
            total = sum(found.values()) / 1e6
            print(
                f"{label:<24}{total:6.1f}{aim.megabytes or '':>6}{len(found):10}{aim.packages or '':>6}  {named}",
                flush=True,
            )


def _installed(wheel: Path, group: str, versions: Path, folder: Path) -> dict[str, int]:
    """Return the bytes of each package that comes with the wheel and this group."""
    _run(UV, "venv", "--python", sys.executable, str(folder))
    what = f"flop-ledger[{group}] @ {wheel.as_uri()}"
    _run(UV, "pip", "install", "--python", str(folder / "bin/python"), "--constraint", str(versions), what)
    (packages,) = folder.glob("lib/python*/site-packages")
    return {each.metadata["Name"]: _bytes(each) for each in distributions(path=[str(packages)])}


def _bytes(package: Distribution) -> int:
    files = (Path(str(package.locate_file(file))) for file in package.files or [])
    return sum(file.stat().st_size for file in files if file.suffix != ".pyc" and file.is_file())


def _run(*words: str | Path) -> None:
    subprocess.run([words[0], "--quiet", *words[1:]] if words[0] == UV else words, check=True)


if __name__ == "__main__":
    main()
