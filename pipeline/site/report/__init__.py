"""The release's reports. reports.yml describes each; this module turns a description into a page.

A report is a list of blocks. A block has any of these keys, in this order on the page:

- `heading` and `id`;
- `text`: paragraphs in HTML, with Jinja expressions;
- `chart`: a function of charts.py, with its `caption`. A chart without data is left out;
- `table`: the name of a table or view, or a Jinja expression that gives rows, with `columns`: for each heading, an expression
  that begins with a column's name (`published_flop | flop`), or a template that reads `row`. A heading that ends with `>` is of
  numbers. `caption` is the table's caption. `attributes` are those of its tag;
- `after`: paragraphs below the table.

`for: NAME in EXPRESSION` repeats a block. `if: EXPRESSION` leaves it out, as does a table without rows.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

Row = dict[str, Any]
REPORTS: dict[str, Row] = yaml.safe_load(Path(__file__).with_name("reports.yml").read_text(encoding="utf-8"))

BLOCK = re.compile(r"<(?:p|ul|dl)>")
COLUMN = re.compile(r"[a-z]\w*(?: \| .*)?")  # the name of a column, and filters
PAGE = """{{% extends "report.html" %}}{{% block title %}}{title}{{% endblock %}}{{% block body %}}
{body}
{{% endblock %}}"""
TABLE = """<div class="scroll" tabindex="0" role="region" aria-label="Table"><table{attributes}>
{caption}<thead><tr>{heads}</tr></thead><tbody>
{{% for row in rows %}}<tr>{cells}</tr>
{{% endfor %}}</tbody></table></div>"""


def template_source(name: str) -> str:
    """Return the Jinja template of a report."""
    report = REPORTS[name]
    return PAGE.format(title=report["title"], body="\n".join(map(_block, report["blocks"])))


def _block(block: Mapping[str, Any]) -> str:
    parts, condition = [], block.get("if")
    if "heading" in block:
        anchor = f' id="{block["id"]}"' if "id" in block else ""
        parts.append(f"<h2{anchor}>{block['heading']}</h2>")
    parts.append(_paragraphs(block.get("text", "")))
    if "chart" in block:
        chart = f'{{% set drawn = chart("{block["chart"]}") %}}{{% if drawn %}}<figure><div class="drawn">{{{{ drawn }}}}</div>'
        parts.append(f"{chart}<figcaption>{block['caption']}</figcaption></figure>{{% endif %}}")
    elif "table" in block:
        parts.append(_table(block))
        condition = condition or "rows"
    parts.append(_paragraphs(block.get("after", "")))
    text = "\n".join(filter(None, parts))
    if condition:
        text = f"{{% if {condition} %}}{text}{{% endif %}}"
    if "table" in block:
        rows = block["table"] if re.search(r"\W", block["table"]) else f'table("{block["table"]}")'
        text = f"{{% set rows = {rows} %}}{text}"
    return f"{{% for {block['for']} %}}{text}{{% endfor %}}" if "for" in block else text


def _paragraphs(text: str) -> str:
    """Return each line of a text as a paragraph, unless it is the HTML of another element."""
    return "\n".join(part if BLOCK.match(part) else f"<p>{part}</p>" for part in text.strip().split("\n") if part)


def _table(block: Mapping[str, Any]) -> str:
    heads, cells = [], []
    for place, (heading, cell) in enumerate(block["columns"].items()):
        kind = ' class="n"' if heading.endswith(">") else ""
        heads.append(f'<th scope="col"{kind}>{heading.removesuffix(">").strip()}</th>')
        shown = f"{{{{ row.{cell} }}}}" if COLUMN.fullmatch(cell) else cell
        cells.append(f'<th scope="row">{shown}</th>' if place == 0 else f"<td{kind}>{shown}</td>")
    caption = f"<caption>{block['caption']}</caption>\n" if "caption" in block else ""
    attributes = f" {block['attributes']}" if "attributes" in block else ""
    return TABLE.format(attributes=attributes, caption=caption, heads="".join(heads), cells="".join(cells))
