"""The packages that the site includes. They are downloaded from npm by version and checksum, and kept out of git."""

import base64
import hashlib
import io
import shutil
import subprocess
import tarfile
from typing import NamedTuple

import vl_convert

from pipeline.base.paths import ROOT
from pipeline.site import charts
from pipeline.site.page import Site, packed_script

CACHE = ROOT / ".npm-packages"


class Package(NamedTuple):
    """An npm package: its name, its version, and the sha512 of its archive in base64, as npm states it."""

    name: str
    version: str
    sha512: str

    @property
    def file(self) -> str:
        """Return the name of the archive."""
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}.tgz"


# 1.32.0 contains DuckDB 1.4.3, which reads our storage version, v1.0.0. We use no extensions: it would download them.
DUCKDB = Package("@duckdb/duckdb-wasm", "1.32.0", "IewXTNYEjsZCPE9weUWgtjGxUlMRo7qhX0GF6tq/KjK8bnY+RAl4cyUdYUfcdzbyb4b9ZxPC+FOsCcxgaKFWMg==")  # fmt: skip
ARROW = Package("apache-arrow", "17.0.0", "X0p7auzdnGuhYMVKYINdQssS4EcKec9TCXyez/qtJt32DrIMGbzqiaMiQ0X6fQlQpw8Fl0Qygcv4dfRAr5Gu9Q==")  # fmt: skip
# Adobe's Source Sans 3 (SIL Open Font License): one file with all weights for browsers, and two weights for charts.
FONT = Package("source-sans", "3.52.0", "xsm7qlMI/JwxwNdp6pvpR6l+aZjn90fzOzoeUz/qoohIYbKbDwQNRIz5/ItYs7/hvqLirQNUoDFGXSVA3TU9tw==")  # fmt: skip
FONT_FILES = {"WOFF2/VF/SourceSans3VF-Upright.ttf.woff2": "source-sans-3.woff2", "LICENSE.md": "LICENSE.md"}
FACE = (
    f'@font-face {{ font-family: "{charts.FONT}"; src: url("font/source-sans-3.woff2");'
    " font-weight: 200 900; font-display: optional; }\n"  # a late swap would shift the page
)
PACKED = {"wasm": "duckdb-eh.wasm", "worker": "duckdb-browser-eh.worker.js"}
EXPORTS = 7  # the id of a WebAssembly module's export section
SYMBOLS = (b"_Z", b"orig$")  # prefixes of C++ names
CLIENT = "duckdb-browser.cjs"  # a script, because the pages' policy forbids making scripts from text


class PackageError(Exception):
    """Raised if a package cannot be downloaded. The message is one line with the reason."""


def contents(package: Package, path: str) -> bytes:
    """Return a file from a package, downloading the package if it is not in the cache.

    Raises PackageError if the package cannot be downloaded or its checksum differs.
    """
    archive = CACHE / package.file
    if not archive.is_file():
        _fetch(package)
    content = archive.read_bytes()
    digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
    if digest != package.sha512:
        raise PackageError(f"{archive} is not {package.name} {package.version}: its sha512 is {digest}")
    with tarfile.open(fileobj=io.BytesIO(content)) as opened:
        member = opened.extractfile(f"package/{path}")
        assert member is not None, path
        return member.read()


def _fetch(package: Package) -> None:
    """Download a package into the cache with npm. Raise PackageError if npm is missing or fails."""
    npm = shutil.which("npm")
    if npm is None:
        raise PackageError(f"npm, which fetches {package.name} {package.version}, is not installed")
    CACHE.mkdir(parents=True, exist_ok=True)
    words = [npm, "pack", "--silent", f"{package.name}@{package.version}"]
    done = subprocess.run(words, cwd=CACHE, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        why = (done.stderr.strip() or done.stdout.strip() or "npm gave no reason").splitlines()[-1]
        raise PackageError(f"{package.name} {package.version} cannot be fetched: {why}")


def write_font(site: Site) -> None:
    """Write the font for pages, and register it for charts. Raise PackageError if it cannot be downloaded."""
    for path, name in FONT_FILES.items():
        site.bytes(f"assets/font/{name}", contents(FONT, path))
    folder = CACHE / FONT.name  # not deleted, because charts read it whenever they are drawn
    folder.mkdir(exist_ok=True)
    for weight in ("Regular", "Bold"):
        (folder / f"{weight}.ttf").write_bytes(contents(FONT, f"TTF/SourceSans3-{weight}.ttf"))
    vl_convert.register_font_directory(str(folder))
    site.font_face = FACE


def write_vega(site: Site) -> None:
    """Write Vega-Lite, Vega and vega-embed as one script, in a function because it declares names such as `f`."""
    bundle = vl_convert.javascript_bundle(vl_version=charts.VEGA_LITE)
    site.text("assets/vega.js", f"(() => {{\n{bundle}\n}})();\n")


def write_duckdb(site: Site) -> None:
    """Write DuckDB for browsers. Raise PackageError if DuckDB cannot be downloaded."""
    for name, path in PACKED.items():
        content = contents(DUCKDB, f"dist/{path}")
        small = without_symbols(content) if name == "wasm" else content
        site.bytes(f"assets/duckdb/{name}.js", packed_script("packed", name, small))
    client = contents(DUCKDB, f"dist/{CLIENT}").decode()
    site.text(
        "assets/duckdb/client.js", f"(self.FLOP ??= {{}}).client = (module, exports, require) => {{\n{client}\n}};\n"
    )
    site.bytes("assets/duckdb/arrow.js", contents(ARROW, "Arrow.es2015.min.js"))


def without_symbols(module: bytes) -> bytes:
    """Return DuckDB's WebAssembly without the 72,000 C++ symbols that it exports for extensions, which we do not load.

    The symbols make up an eighth of the packed bytes and a third of the time to the first answer.
    """
    place = 8  # after the format's name and version; then each section is its kind, its size and its content
    while module[place] != EXPORTS:
        size, start = _number(module, place + 1)
        place = start + size
    size, start = _number(module, place + 1)
    end = start + size
    _, export_start = _number(module, start)
    kept_exports = []
    while export_start < end:
        length, name_start = _number(module, export_start)
        _, export_end = _number(module, name_start + length + 1)
        if not module.startswith(SYMBOLS, name_start):
            kept_exports.append(module[export_start:export_end])
        export_start = export_end
    section = _leb128(len(kept_exports)) + b"".join(kept_exports)
    return module[: place + 1] + _leb128(len(section)) + section + module[end:]


def _number(module: bytes, place: int) -> tuple[int, int]:
    """Decode a LEB128 number (seven bits per byte, the lowest first), and return it with the position after it."""
    number, bits = 0, 0
    while module[place] > 127:
        number, bits, place = number | (module[place] & 127) << bits, bits + 7, place + 1
    return number | module[place] << bits, place + 1


def _leb128(number: int) -> bytes:
    """Encode a number in LEB128.

    >>> _leb128(624485), _number(_leb128(624485), 0)
    (b'\\xe5\\x8e&', (624485, 3))
    """
    return bytes([number & 127 | 128]) + _leb128(number >> 7) if number > 127 else bytes([number])
