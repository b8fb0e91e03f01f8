"""The packages that run in the browser: fetched from npm by version and checksum, kept out of git, written as scripts.

A page opened from disk may load scripts and nothing else, so bytes travel in them: gzip without a time, then base64.
"""

import base64
import gzip
import hashlib
import io
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import NamedTuple

import vl_convert

from pipeline.paths import ROOT
from pipeline.site.charts import VEGA_LITE
from pipeline.site.page import Site

CACHE = ROOT / ".npm-packages"


class Package(NamedTuple):
    """A package of npm, its version, and the sha512 of its archive as npm states it (base64)."""

    name: str
    version: str
    sha512: str

    @property
    def file(self) -> str:
        """The name of its archive."""
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}.tgz"


# 1.32.0 holds DuckDB 1.4.3, which reads our storage version, v1.0.0; its extensions would be fetched, so none is used.
DUCKDB = Package("@duckdb/duckdb-wasm", "1.32.0", "IewXTNYEjsZCPE9weUWgtjGxUlMRo7qhX0GF6tq/KjK8bnY+RAl4cyUdYUfcdzbyb4b9ZxPC+FOsCcxgaKFWMg==")  # fmt: skip
ARROW = Package("apache-arrow", "17.0.0", "X0p7auzdnGuhYMVKYINdQssS4EcKec9TCXyez/qtJt32DrIMGbzqiaMiQ0X6fQlQpw8Fl0Qygcv4dfRAr5Gu9Q==")  # fmt: skip
PACKED = {"wasm": "duckdb-eh.wasm", "worker": "duckdb-browser-eh.worker.js"}
CLIENT = "duckdb-browser.cjs"  # a script as it is: the pages' policy lets none be made of text


class PackageError(Exception):
    """A package that cannot be had; one line with the reason."""


def contents(package: Package, path: str, cache: Path = CACHE) -> bytes:
    """A file of a package, which is fetched where the cache lacks it. Raises PackageError, also where its checksum is another."""
    archive = cache / package.file
    if not archive.is_file():
        _fetch(package, cache)
    content = archive.read_bytes()
    digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
    if digest != package.sha512:
        raise PackageError(f"{archive} is not {package.name} {package.version}: its sha512 is {digest}")
    with tarfile.open(fileobj=io.BytesIO(content)) as opened:
        member = opened.extractfile(f"package/{path}")
        assert member is not None, path
        return member.read()


def _fetch(package: Package, cache: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise PackageError(f"npm is not installed, which fetches {package.name} {package.version}")
    cache.mkdir(parents=True, exist_ok=True)
    words = [npm, "pack", "--silent", f"{package.name}@{package.version}"]
    done = subprocess.run(words, cwd=cache, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        why = (done.stderr.strip() or done.stdout.strip() or "npm says nothing").splitlines()[-1]
        raise PackageError(f"{package.name} {package.version} cannot be fetched: {why}")


def packed(name: str, content: bytes) -> str:
    """A script that hands these bytes, compressed, to the page's own scripts as FLOP.packed.<name>."""
    text = base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
    return f'((self.FLOP ??= {{}}).packed ??= {{}})["{name}"] = "{text}";\n'


def write_vega(site: Site) -> None:
    """Writes Vega-Lite, Vega and vega-embed as one script, within a function: the bundle declares names as short as `f`."""
    bundle = vl_convert.javascript_bundle(vl_version=VEGA_LITE)
    site.text("assets/vega.js", f"(() => {{\n{bundle}\n}})();\n")


def write_duckdb(site: Site, database: bytes) -> None:
    """Writes DuckDB for the browser, and the ledger's database. Raises PackageError."""
    for name, path in PACKED.items():
        site.text(f"assets/duckdb/{name}.js", packed(name, contents(DUCKDB, f"dist/{path}")))
    client = contents(DUCKDB, f"dist/{CLIENT}").decode()
    site.text(
        "assets/duckdb/client.js", f"(self.FLOP ??= {{}}).client = (module, exports, require) => {{\n{client}\n}};\n"
    )
    site.bytes("assets/duckdb/arrow.js", contents(ARROW, "Arrow.es2015.min.js"))
    site.text("assets/duckdb/ledger.js", packed("ledger", database))
