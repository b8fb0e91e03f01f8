"""Read web pages: papers, model cards and announcements. Markdown is rendered and read as a page."""

import re

from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pipeline.tools.quotes.documents import Document, Kind, Outline, Passage, UnreadableError
from pipeline.tools.quotes.latex_words import words

BLOCKS = frozenset(
    "p div section article main header li ul ol dl dt dd blockquote pre figure table thead tbody tr caption figcaption h1 h2 h3 h4 h5 h6 aside nav footer body br hr form".split()
)
SILENT = frozenset("script style noscript template svg nav head iframe button select option -comment footer".split())
HEADINGS = re.compile(r"h[1-6]")
# Classes in LaTeXML's pages whose text is skipped.
UNREAD = re.compile("ltx_(?:note_mark|tag_note|note_type|ERROR|bibblock)")
NOTE = re.compile("ltx_(?:note_content|role_footnote)")
DEEPEST = 200  # levels of nested elements; a paper has about 30
MOST_NODES = 3_000_000


def read(name: str, written: str) -> Document:
    """Parse a page. Raise UnreadableError if the page has too many elements, or if they are nested too deeply."""
    page = _Page()
    root = LexborHTMLParser(written).root
    if root is not None:
        page.read(root)
    outline = page.outline
    first = next((passage.text for passage in outline.passages if passage.kind is Kind.HEADING), "")
    return Document(name, "html", first, tuple(outline.passages))


def read_markdown(name: str, written: str) -> Document:
    """Parse Markdown text, including its tables. Lines with links are read as written too, because quotes may contain addresses."""
    front = re.sub(r"\A---\n.*?\n---\n", "", written, count=1, flags=re.DOTALL)
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(front)
    page = read(name, html)
    linked = (Passage(line, Kind.SOURCE) for line in front.splitlines() if "](" in line)
    return Document(name, "markdown", page.title, (*page.passages, *linked))


class _Page:
    def __init__(self) -> None:
        self.outline = Outline()
        self.nodes = 0
        self.buffers: list[list[str]] = [[]]  # texts that are being collected, the innermost last
        self.tables: list[list[list[str]]] = []
        # For each column with a cell that has a rowspan, the last row that the cell reaches, and its words.
        self.spans: list[dict[int, tuple[int, str]]] = []
        self.captions: list[str] = []  # places of the figures and tables around the current node

    def read(self, node: LexborNode, depth: int = 0) -> None:
        """Read a node and its content. Raise UnreadableError if there are too many nodes, or if nodes are nested too deeply."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise UnreadableError(f"has more than {MOST_NODES:,} elements")
        if depth > DEEPEST:
            raise UnreadableError(f"is nested deeper than {DEEPEST} elements")
        tag = node.tag or ""
        kind = node.attributes.get("class") or "" if node.attributes else ""
        if tag == "-text":
            self.buffers[-1].append(node.text_content or "")
        elif tag in SILENT or UNREAD.search(kind):
            return
        elif tag == "math":
            self.buffers[-1].append(f" {words(node.attributes.get('alttext') or '')} ".replace("  ", " "))
        elif NOTE.search(kind):
            self.outline.add(self.collected(node, depth))
        elif HEADINGS.fullmatch(tag):
            self.flush()
            self.heading(node)
        elif tag in ("figcaption", "caption"):
            self.flush()
        elif tag == "figure":
            self.flush()
            self.captions.append(self.caption(node))
            self.inside(node, depth)
            self.flush()
            self.captions.pop()
        elif tag == "table":
            self.table(node, depth)
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
            self.inside(node, depth)
        elif tag in ("td", "th") and self.tables:
            self.add_cell(self.collected(node, depth), _span(node, "colspan"), _span(node, "rowspan"))
        elif tag in BLOCKS and not self.tables:
            self.flush()
            self.inside(node, depth)
            self.flush()
        else:
            self.buffers[-1].append({"sup": "^", "sub": "_"}.get(tag, ""))
            self.inside(node, depth)

    def inside(self, node: LexborNode, depth: int) -> None:
        """Read the content of a node."""
        for inner in node.iter(include_text=True):
            self.read(inner, depth + 1)

    def collected(self, node: LexborNode, depth: int) -> str:
        """Return a node's text without adding it to the paragraph that is being collected."""
        self.buffers.append([])
        self.inside(node, depth)
        return "".join(self.buffers.pop())

    def table(self, node: LexborNode, depth: int) -> None:
        """Add a table under its own caption or its figure's. A table inside a cell becomes text of that cell."""
        self.flush()
        self.captions.append(self.caption(node))
        self.tables.append([])
        self.spans.append({})
        self.inside(node, depth)
        rows = self.tables.pop()
        self.spans.pop()
        # The innermost caption that has a place, because figures may contain tables.
        place = next((place for place in reversed(self.captions) if place), "")
        self.captions.pop()
        if self.tables:
            self.buffers[-1].append(" ".join(" ".join(row) for row in rows))
        else:
            self.outline.add_table(rows, place)

    def add_cell(self, cell: str, columns: int, rows: int) -> None:
        """Add a cell to the current row, after the cells of earlier rows that extend into this row, which are repeated here."""
        if not self.tables[-1]:
            self.tables[-1].append([])
        # By column: the last row that a cell of an earlier row reaches, and its words.
        row, spanning = self.tables[-1][-1], self.spans[-1]
        number = len(self.tables[-1])
        while len(row) in spanning and spanning[len(row)][0] >= number:
            row.append(spanning[len(row)][1])
        for column in range(columns):
            words_here = cell if column == 0 else ""
            if rows > 1:
                spanning[len(row)] = (number + rows - 1, words_here)
            row.append(words_here)

    def flush(self) -> None:
        """End the paragraph that is being collected."""
        if self.tables:
            return
        text = "".join(self.buffers[-1])
        self.buffers[-1].clear()
        self.outline.add(text, place=self.captions[-1] if self.captions else "")

    def heading(self, node: LexborNode) -> None:
        """Open the section that a heading begins. The section's number may be part of the heading's text."""
        tag = node.css_first(".ltx_tag")
        number = tag.text() if tag is not None else ""
        title = _words_of(node).strip()
        if number and title.startswith(number.strip()):
            title = title[len(number.strip()) :]
        else:
            numbered = re.match(r"((?:Appendix )?[A-Z]|\d+(?:\.\d+)*)[.:]?\s+(?=[A-Z])", title)
            # A title may begin with the article "A", which is not the number of an appendix.
            if numbered and not number and len(numbered[1]) < 8 and numbered[1] != "A":
                number, title = numbered[1], title[numbered.end() :]
        level = int((node.tag or "h1")[1])
        if level == 1 and not number and not self.outline.passages:
            self.outline.title(title)
            return
        self.outline.open(title, number.replace("Appendix", ""), level)

    def caption(self, node: LexborNode) -> str:
        """Add the caption of a figure or table as a passage, and return its place, or "" if it has none."""
        captioned = node.css_first("figcaption") or node.css_first("caption")
        if captioned is None:
            return ""
        text = " ".join(_words_of(captioned).split())
        numbered = re.match(r"(Table|Figure|Fig\.|Algorithm|Listing)\s*([A-Z]?[.]?\d+(?:\.\d+)?)", text)
        place = f"{numbered[1].lower().replace('fig.', 'figure')} {numbered[2]}" if numbered else ""
        self.outline.add(text, Kind.CAPTION, place)
        return place


def _span(node: LexborNode, which: str) -> int:
    written = node.attributes.get(which) or "1"
    return min(int(written), 50) if written.isdigit() and int(written) else 1


def _words_of(node: LexborNode) -> str:
    if node.tag == "math":
        return f" {words(node.attributes.get('alttext') or '')} "
    if node.tag == "-text":
        return node.text_content or ""
    return "" if node.tag in ("script", "style") else "".join(map(_words_of, node.iter(include_text=True)))
