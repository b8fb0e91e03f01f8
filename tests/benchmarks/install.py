"""Print the size of an installation by group of packages, and the limits we aim for: `make benchmarks`.

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

from pipeline.base.paths import ROOT

UV = ROOT / ".venv/bin/uv"
LARGEST = 4  # packages that are named
AIMS = {"": "100 MB, 20 packages", "estimate": "330 MB"}
GROUPS = ("", "download", "frames", "estimate", "plot", "spark", "pipeline")
SLOW = ("spark", "pipeline")  # a minute each


def main() -> None:
    """Install the groups given as arguments (`base` means no group); without arguments, all but the slow ones."""
    groups = ["" if word == "base" else word for word in sys.argv[1:]] or [name for name in GROUPS if name not in SLOW]
    # A project's settings for uv apply in its folder.
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        versions = Path("versions.txt").absolute()
        words = ["--locked", "--all-extras", "--no-emit-project", "--no-hashes", "--output-file", versions]
        _run(UV, "export", "--project", ROOT, *words)
        _run(sys.executable, "-m", "pipeline.tools.packaging", scratch)
        (wheel,) = Path(scratch).glob("*.whl")
        for group in groups:
            sizes = _installed(wheel, group, versions, Path(scratch) / f"with-{group}")
            largest = ", ".join(f"{name} {size / 1e6:.0f}" for size, name in sorted(sizes, reverse=True)[:LARGEST])
            megabytes = sum(size for size, _ in sizes) / 1e6
            aim = f" (aim: {AIMS[group]})" if group in AIMS else ""
            label = f"flop-ledger[{group}]" if group else "flop-ledger"
            print(f"{label:<24}{megabytes:6.1f} MB, {len(sizes)} packages{aim}; largest: {largest}", flush=True)


def _installed(wheel: Path, group: str, versions: Path, folder: Path) -> list[tuple[int, str]]:
    """Return bytes and name of each package that comes with the wheel and this group."""
    _run(UV, "venv", "--python", sys.executable, folder)
    requirement = f"flop-ledger[{group}] @ {wheel.as_uri()}" if group else f"flop-ledger @ {wheel.as_uri()}"
    _run(UV, "pip", "install", "--python", folder / "bin/python", "--constraint", versions, requirement)
    (packages,) = folder.glob("lib/python*/site-packages")
    return [(_bytes(package), package.metadata["Name"]) for package in distributions(path=[str(packages)])]


def _bytes(package: Distribution) -> int:
    files = (Path(str(package.locate_file(file))) for file in package.files or [])
    return sum(file.stat().st_size for file in files if file.suffix != ".pyc" and file.is_file())


def _run(*words: str | Path) -> None:
    subprocess.run([words[0], "--quiet", *words[1:]] if words[0] == UV else words, check=True)


if __name__ == "__main__":
    main()
