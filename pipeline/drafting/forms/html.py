"""Web pages of papers, cards and announcements, and Markdown as the page that it makes."""

import re

from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pipeline.drafting.documents import Document, Kind, Outline, UnreadableError
from pipeline.drafting.latex_words import words

BLOCKS = frozenset(
    "p div section article main header li ul ol dl dt dd blockquote pre figure table thead tbody tr caption figcaption h1 h2 h3 h4 h5 h6 aside nav footer body br hr form".split()
)
SILENT = frozenset("script style noscript template svg nav head iframe button select option -comment footer".split())
HEADINGS = re.compile(r"h[1-6]")
DEEPEST = 400  # elements inside one another; a paper has some 30
MOST_NODES = 3_000_000


def read(name: str, written: str) -> Document:
    """The document of a page. Raises UnreadableError where its elements are nested or repeated beyond reason."""
    page = _Page()
    root = LexborHTMLParser(written).root
    if root is not None:
        page.walk(root)
    outline = page.outline
    first = next((passage.text for passage in outline.passages if passage.kind is Kind.HEADING), "")
    return Document(name, "html", first, tuple(outline.passages))


def read_markdown(name: str, written: str) -> Document:
    """The document of a text in Markdown, with its tables."""
    front = re.sub(r"\A---\n.*?\n---\n", "", written, count=1, flags=re.DOTALL)
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(front)
    page = read(name, html)
    return Document(name, "markdown", page.title, page.passages)


class _Page:
    """Walks a page without recursion: a stranger's page may be nested without end."""

    def __init__(self) -> None:
        self.outline = Outline()
        self.buffers: list[list[str]] = [[]]  # the innermost text that is being collected
        self.tables: list[list[list[str]]] = []
        self.spans: list[
            dict[int, tuple[int, str]]
        ] = []  # by column: the last row that a cell from above reaches, and its words
        self.captions: list[tuple[str, str]] = []  # of the figures around: place and words

    def walk(self, root: LexborNode) -> None:
        """Enters and leaves every node below this one, without recursion. Raises UnreadableError where they are too many or too deep."""
        node, depth, nodes = root, 0, 0
        while True:
            nodes += 1
            if nodes > MOST_NODES:
                raise UnreadableError(f"has more than {MOST_NODES:,} elements")
            inner = node.first_child if self.enter(node) else None
            if inner is not None:
                node, depth = inner, depth + 1
                if depth > DEEPEST:
                    raise UnreadableError(f"is nested deeper than {DEEPEST} elements")
                continue
            while True:
                self.leave(node)
                if depth == 0:
                    self.flush()
                    return
                after = node.next
                if after is not None:
                    node = after
                    break
                parent = node.parent
                assert parent is not None
                node, depth = parent, depth - 1

    def enter(self, node: LexborNode) -> bool:
        """Takes up a node; whether what is inside is to be read."""
        tag = node.tag or ""
        if tag == "-text":
            self.buffers[-1].append(node.text_content or "")
            return False
        if tag in SILENT:
            return False
        kind = node.attributes.get("class") or "" if node.attributes else ""
        if (
            "ltx_note_mark" in kind
            or "ltx_tag_note" in kind
            or "ltx_note_type" in kind
            or "ltx_ERROR" in kind
            or "ltx_bibblock" in kind
        ):
            return False
        if tag == "math":
            self.buffers[-1].append(f" {words(node.attributes.get('alttext') or '')} ".replace("  ", " "))
            return False
        if "ltx_note_content" in kind or "ltx_role_footnote" in kind:
            self.buffers.append([])
            return True
        if HEADINGS.fullmatch(tag):
            self.flush()
            self.heading(node)
            return False
        if tag == "figure" or tag == "table":
            self.flush()
            self.captions.append(self.caption(node) if tag == "figure" or node.css_first("caption") else ("", ""))
            if tag == "table":
                self.tables.append([])
                self.spans.append({})
            return True
        if tag in ("figcaption", "caption"):
            self.flush()
            return False
        if tag == "tr" and self.tables:
            self.flush()
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables:
            self.buffers.append([])
        elif tag in ("sup", "sub"):
            self.buffers[-1].append("^" if tag == "sup" else "_")
        elif tag in BLOCKS and not self.tables:
            self.flush()
        return True

    def leave(self, node: LexborNode) -> None:
        """Ends a node that `enter` took up."""
        tag = node.tag or ""
        if tag == "-text" or tag in SILENT:
            return
        kind = node.attributes.get("class") or "" if node.attributes else ""
        if "ltx_note_content" in kind or "ltx_role_footnote" in kind:
            if len(self.buffers) > 1:
                self.outline.add("".join(self.buffers.pop()))
        elif tag in ("td", "th") and self.tables and len(self.buffers) > 1:
            cell = "".join(self.buffers.pop())
            if not self.tables[-1]:
                self.tables[-1].append([])
            self.add_cell(cell, _span(node, "colspan"), _span(node, "rowspan"))
        elif tag == "table" and self.tables:
            rows = self.tables.pop()
            self.spans.pop()
            self.captions.pop()
            place, caption = next((each for each in reversed(self.captions) if each[1]), ("", ""))
            if self.tables:  # a table in a cell: its words belong to the cell
                self.buffers[-1].append(" ".join(" ".join(row) for row in rows))
            else:
                self.outline.add_table(rows, caption, place)
        elif tag == "figure" and self.captions:
            self.flush()
            self.captions.pop()
        elif tag in BLOCKS and not self.tables and not HEADINGS.fullmatch(tag):
            self.flush()

    def add_cell(self, cell: str, columns: int, rows: int) -> None:
        """Adds a cell to the row, after those of rows above that reach down here; one that spans rows stands in each of them."""
        row, reaching = self.tables[-1][-1], self.spans[-1]
        number = len(self.tables[-1])
        while len(row) in reaching and reaching[len(row)][0] >= number:
            row.append(reaching[len(row)][1])
        for column in range(columns):
            words_here = cell if column == 0 else ""
            if rows > 1:
                reaching[len(row)] = (number + rows - 1, words_here)
            row.append(words_here)

    def flush(self) -> None:
        """Ends the paragraph that is being collected."""
        if self.tables:
            return
        text = "".join(self.buffers[-1])
        self.buffers[-1].clear()
        self.outline.add(text, place=self.captions[-1][0] if self.captions else "")

    def heading(self, node: LexborNode) -> None:
        """Opens the section of a heading, whose number may stand in its words."""
        tag = node.css_first(".ltx_tag")
        number = tag.text() if tag is not None else ""
        title = _words_of(node).strip()
        if number and title.startswith(number.strip()):
            title = title[len(number.strip()) :]
        else:
            numbered = re.match(r"((?:Appendix )?[A-Z]|\d+(?:\.\d+)*)[.:]?\s+(?=[A-Z])", title)
            if numbered and not number and len(numbered[1]) < 8 and numbered[1] != "A":
                number, title = numbered[1], title[numbered.end() :]
        level = int((node.tag or "h1")[1])
        if level == 1 and not number and not self.outline.passages:
            self.outline.title(title)
            return
        self.outline.open(title, number.replace("Appendix", ""), level)

    def caption(self, node: LexborNode) -> tuple[str, str]:
        """The place and words of a figure's or table's caption, which is added as a passage; both empty where there is none."""
        captioned = node.css_first("figcaption") or node.css_first("caption")
        if captioned is None:
            return "", ""
        text = " ".join(_words_of(captioned).split())
        numbered = re.match(r"(Table|Figure|Fig\.|Algorithm|Listing)\s*([A-Z]?[.]?\d+(?:\.\d+)?)", text)
        place = f"{numbered[1].lower().replace('fig.', 'figure')} {numbered[2]}" if numbered else ""
        self.outline.add(text, Kind.CAPTION, place)
        return place, text


def _span(node: LexborNode, which: str) -> int:
    written = node.attributes.get(which) or "1"
    return min(int(written), 50) if written.isdigit() and int(written) else 1


def _words_of(node: LexborNode) -> str:
    # A heading or caption: short, so that its own walk costs nothing.
    parts: list[str] = []
    for inner in node.traverse(include_text=True):
        if inner.tag == "math":
            parts.append(f" {words(inner.attributes.get('alttext') or '')} ")
        elif inner.tag == "-text" and not _is_in_math(inner, node):
            parts.append(inner.text_content or "")
    return "".join(parts)


def _is_in_math(node: LexborNode, above: LexborNode) -> bool:
    parent = node.parent
    while parent is not None and parent != above:
        if parent.tag in ("math", "script", "style"):
            return True
        parent = parent.parent
    return False
