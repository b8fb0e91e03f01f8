"""What all pages share: the template environment, the navigation, and methods that write files."""

import codecs
import gzip
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import numpy as np
from markupsafe import Markup, escape

from pipeline.base.text import numbers as plain
from pipeline.base.text.cells import fact_value, mark_unread
from pipeline.base.text.html_text import OF_FILES, json_in_html
from pipeline.publishing.citation import package_version, with_note
from pipeline.records import params
from pipeline.site import numbers
from pipeline.site.ledger import Ledger
from pipeline.site.report import REPORTS, template_source
from pipeline.site.report.words import generation
from schemas import vocabulary
from schemas.units import DAY_SECONDS

FOLDER = Path(__file__).resolve().parent


class Place(NamedTuple):
    """The addresses of the site and its repository, if known, without a final slash."""

    address: str = ""
    repository: str = ""


NOWHERE = Place()  # a site in a folder on disk has no addresses


class Link(NamedTuple):
    """An entry in the navigation: its position, path from the site's root, and label."""

    place: int
    path: str
    label: str


def environment(place: Place, version: str, navigation: Sequence[Link] = ()) -> jinja2.Environment:
    """Return the template environment with the site's filters. It escapes records' text and refuses undefined names."""
    templates = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [
                jinja2.FileSystemLoader([FOLDER / "templates", FOLDER / "assets"]),
                jinja2.DictLoader({f"reports/{name}.html": template_source(name) for name in REPORTS}),
            ]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    formats = (
        numbers.flop, numbers.total, numbers.power, numbers.times, numbers.readable, numbers.used, numbers.factor, numbers.share, numbers.to, plain.percent, plain.probability, plain.days,
        plain.energy, plain.money, plain.mass, plain.written_date, plain.units, with_note, package_version,
    )  # fmt: skip
    templates.filters.update({form.__name__: form for form in formats})
    templates.filters["coded"] = coded
    templates.filters["exponential"] = lambda log: None if log is None else math.exp(log)
    templates.filters |= {"fact_value": fact_value, "unread": mark_unread, "bounded": plain.bound_text}
    templates.filters |= {"short": plain.short_count, "whole": plain.full_count}
    templates.filters["generation"] = generation
    templates.filters["footprint"] = lambda value, row: (
        plain.energy(value) if row["footprint"] == "energy" else plain.mass(value)
    )
    templates.filters["groups_as_rows"] = lambda file: [
        {**row, "group": title} for title, rows in file["groups"] for row in rows
    ]
    templates.filters["spaced"] = lambda text: "" if text is None else str(text).replace("_", " ")
    chosen = params.load()
    templates.globals.update(
        apart=numbers.times(chosen.reconcile.dispute_ratio),
        near=numbers.times(chosen.check.near_ratio),
        interval=numbers.interval,
        interval_text=numbers.interval_text,
        navigation=navigation,
        percent=plain.percent,
        day_seconds=DAY_SECONDS,
        vocabulary=vocabulary,
        place=place,
        policy=Markup(OF_FILES),
        version=version,
        has_font=False,  # except in pages of a site that includes the font
    )
    return templates


def coded(text: str) -> Markup:
    """Return a sentence in HTML, with backquoted names of columns and tables as code.

    >>> coded("see `facts`, <b>")
    Markup('see <code>facts</code>, &lt;b&gt;')
    """
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def without_breaks(page: str) -> str:
    """Return a page in which no line can break before a percent sign.

    >>> without_breaks("<p>with 90 % or more</p>")
    '<p>with 90\xa0% or more</p>'
    """
    return re.sub(r"(?<=\d) (?=%)|&nbsp;", "\N{NO-BREAK SPACE}", page)


# In templates, tables that grow with the ledger have the attribute data-all, which names the file with all their rows.
LONG = re.compile(
    r'(?P<opening><table (?=[^>]*\bid="(?P<name>[^"]+)")[^>]*\bdata-all="(?P<all>[^"]+)"[^>]*>)'
    r"(?P<head>.*?<tbody>\s*)(?P<rows>.*?)</tbody></table>",
    re.DOTALL,
)
MOST_ROWS = 50  # shown of a table that has more than twice as many; the others are loaded when needed
REST = (
    '<tfoot><tr><td colspan="{columns}"><span>The first {shown:,} of {number:,} rows.</span> <button type="button" class="rest" data-needs-script'
    ' hidden>Show 50 more</button> All of them as a file: <a href="{all}">{all}</a>.</td></tr></tfoot>'
)


ESCAPED = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r"}  # in a JavaScript string


class Site:
    """A site that is being written: its folder, and the templates for its pages."""

    def __init__(
        self, folder: Path, place: Place, version: str, navigation: Sequence[Link] = (), ledger: Ledger | None = None
    ) -> None:
        self.folder = folder
        self.place = place
        self.version = version
        self.has_database = False  # whether SQL runs in the browser
        self.has_data_docs = False
        self.font_face = ""  # the style sheet's rule for the font, if the site includes the font
        self._environment = environment(place, version, navigation)
        if ledger:
            self._environment.globals["table"] = ledger.rows  # pages show tables and views by name

    def page(self, path: str, template: str, **shown: Any) -> None:
        """Write a page at this path, relative to the site's root."""
        root = "../" * path.count("/")
        text = self.render(template, path=path, root=root, has_font=bool(self.font_face), **shown)
        self.text(path, LONG.sub(lambda table: self._first_rows(table, path), text))

    def render(self, template: str, **shown: Any) -> str:
        """Return the template rendered with these values."""
        return without_breaks(self._environment.get_template(template).render(**shown))

    def _first_rows(self, table: re.Match[str], path: str) -> str:
        """Return a long table's first rows. Write the others to a script that assets/table.js loads when needed."""
        rows = re.findall(r"<tr\b.*?</tr>\s*", table["rows"], re.DOTALL)
        if len(rows) <= 2 * MOST_ROWS:
            return table[0]
        name = f"{path.removesuffix('.html')}-{table['name']}"
        self.script(f"data/rows/{name}.js", f"rows_of_{table['name']}", "".join(rows[MOST_ROWS:]))
        rest = REST.format(columns=table["head"].count("</th>"), shown=MOST_ROWS, number=len(rows), all=table["all"])
        opening = table["opening"].replace("<table ", f'<table data-rest="{name}" ', 1)
        return f"{opening}{table['head']}{''.join(rows[:MOST_ROWS])}</tbody>{rest}</table>"

    def text(self, path: str, text: str) -> None:
        """Write a text file."""
        self.bytes(path, text.encode())

    def bytes(self, path: str, content: bytes) -> None:
        """Write a file."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def script(self, path: str, name: str, value: Any) -> None:
        """Write a value as a script. FLOP.load makes it available to the site's scripts as FLOP.<name>."""
        self.bytes(path, packed_script("values", name, json_in_html(value).encode()))


def packed_script(kind: str, name: str, content: bytes) -> bytes:
    """Return a script in UTF-16 with these bytes as FLOP.<kind>.<name>: gzipped without a timestamp, 15 bits per letter.

    The first letter is the number of bits that fill the last one. A page opened from disk may load only scripts.
    """
    bits = np.unpackbits(np.frombuffer(gzip.compress(content, 9, mtime=0), np.uint8))
    rest = -len(bits) % 15
    letters = np.packbits(np.pad(bits, (0, rest)).reshape(-1, 15), axis=1).view(">u2") >> 1
    text = chr(rest) + letters.astype("<u2").tobytes().decode("utf-16-le")
    text = text.translate(str.maketrans(ESCAPED))
    return codecs.BOM_UTF16_LE + f'((self.FLOP ??= {{}}).{kind} ??= {{}}).{name} = "{text}";\n'.encode("utf-16-le")
