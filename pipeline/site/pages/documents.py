"""Pages made from documents in the repository: methods, data dictionary, changelog."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urldefrag

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pipeline.base.paths import ROOT
from pipeline.publishing.dictionary import anchor
from pipeline.site.ledger import PACKED, Ledger
from pipeline.site.page import Place, Site

# Each document's path in the repository, with its page's path and title.
DOCUMENTS = {
    "pipeline/formulas/README.md": ("methods.html", "Methods"),
    "data/README.md": ("dictionary.html", "Data dictionary"),
    "CHANGELOG.md": ("changelog.html", "Changelog"),
    "CHANGELOG-older.md": ("changelog_older.html", "Changelog of older releases"),
    "WHAT_CHANGES.md": ("what_changes.html", "What changes for readers"),
}
REPORT = re.compile(r"reports/\w+\.html")


def finish(site: Site, ledger: Ledger) -> None:
    """Write a page for each document, linking only to pages that exist."""
    pages = [page for page, _ in DOCUMENTS.values()]
    for source, (page, title) in DOCUMENTS.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        body = html(text, source, site.place, lambda path: path in pages or (site.folder / path).is_file())
        site.page(page, "document.html", title=title, body=body)


def html(text: str, source: str, place: Place, exists: Callable[[str], bool]) -> str:
    """Render Markdown as HTML: escape HTML in the text, give headings GitHub's anchors, point links to the site.

    >>> html("# One\\n\\n## A & b\\n\\n[x](gone.md) <b>", "README.md", Place(), lambda path: True)
    '<h2 id="a--b">A &amp; b</h2>\\n<p>x &lt;b&gt;</p>\\n'
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(re.sub(r"^<!--.*?-->\n", "", text, flags=re.MULTILINE))  # comments around generated numbers
    place_of_title = next(
        (n for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h1"), None
    )
    if place_of_title is not None:
        del tokens[place_of_title : place_of_title + 3]  # the page already shows a title
    for token, after in zip(tokens, tokens[1:], strict=False):
        if token.type == "heading_open":
            token.attrSet("id", anchor(after.content))
        if token.type == "inline":
            token.children = _link_tokens(token.children or [], source, place, exists)
    return _scrolling(reader.renderer.render(tokens, reader.options, {}))


def _scrolling(text: str) -> str:
    opening = '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>'
    return text.replace("<table>", opening).replace("</table>", "</table></div>")


def _link_tokens(tokens: list[Token], source: str, place: Place, exists: Callable[[str], bool]) -> list[Token]:
    """Return the tokens with links to the site's pages; drop links to pages that do not exist."""
    linked: list[Token] = []
    are_links_kept: list[bool] = []
    for token in tokens:
        if (
            token.type == "code_inline"
            and not are_links_kept
            and REPORT.fullmatch(token.content)
            and exists(token.content)
        ):
            # documents name a report, which is not in the repository, by its path on the site
            linked += [Token("link_open", "a", 1, attrs={"href": token.content}), token, Token("link_close", "a", -1)]
            continue
        if token.type == "link_open":
            address = target(str(token.attrGet("href") or ""), source, place)
            if address is not None and ":" not in address and not exists(address.partition("#")[0] or "index.html"):
                address = None
            are_links_kept.append(address is not None)
            if address is None:
                continue
            token.attrSet("href", address)
        if token.type == "link_close" and not are_links_kept.pop():
            continue
        linked.append(token)
    return linked


def target(address: str, source: str, place: Place) -> str | None:
    """Return the address on the site that a document's link leads to, or None if the site has nothing there.

    >>> target("../../data/README.md#x", "pipeline/formulas/README.md", Place())
    'dictionary.html#x'
    >>> target("#x", "README.md", Place()), target("cli.py", "pipeline/README.md", Place("", "https://code.org/it"))
    ('#x', 'https://code.org/it/blob/main/pipeline/cli.py')
    """
    if re.match(r"https?://", address) or address.startswith("#"):
        return address
    path, mark = urldefrag(address)
    full = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    mark = f"#{mark}" if mark else ""
    if full in DOCUMENTS:
        return DOCUMENTS[full][0] + mark
    published = re.fullmatch(r"data/published/(?:report/)?([\w.]+)", full)
    if published and Path(published[1]).suffix in (".csv", ".json", ".parquet", ".duckdb"):
        return f"latest/{published[1]}{'.gz' if published[1] in PACKED else ''}"
    return f"{place.repository}/blob/main/{full}{mark}" if place.repository else None
