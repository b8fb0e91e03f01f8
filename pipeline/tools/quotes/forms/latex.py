"""Read LaTeX sources of papers: headings, tables row by row, and macros that the paper defines.

Places are named by the words of headings and captions, because numbers depend on the document class and on other files.
"""

import re

from pipeline.tools.quotes.documents import LONGEST_HEADING, Document, Kind, Outline
from pipeline.tools.quotes.latex_words import words

SECTION = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)(\*?)\s*(?:\[[^\]]*\])?\s*(?=\{)"
)
LEVELS = {"part": 0, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6}
BEGIN = re.compile(
    r"\\begin\{(table\*?|figure\*?|wraptable|wrapfigure|longtable|sidewaystable\*?|abstract|tabular[*xy]?|tabulary)\}"
)
PARTS = re.compile(rf"{SECTION.pattern}|{BEGIN.pattern}|\\footnote(?=\{{)|\n\s*\n|\\item\b|\\(?:icml)?title(?=\{{)")
MACRO = re.compile(
    r"\\(?:re)?(?:newcommand|providecommand)\*?\s*\{?\\([A-Za-z]+)\}?\s*(?:\[(\d)\])?\s*(?=\{)|\\def\s*\\([A-Za-z]+)\s*(?=\{)"
)
LONGEST_MACRO = 400  # characters of a macro's body; macros with a longer body are not expanded
MOST_GROWTH = 3  # expanding macros may lengthen the text by up to this factor


def read(name: str, written: str) -> Document:
    """Parse a LaTeX source that is one file."""
    text = re.sub(r"(?<!\\)%.*", "", written)
    text = re.sub(r"\\begin\{comment\}.*?\\end\{comment\}", "", text, flags=re.DOTALL)
    text = _expanded(text)
    title = re.search(r"\\(?:icml)?title\*?\s*(?:\[[^\]]*\])?\s*(?=\{)", text)
    reader = _Reader()
    if title:
        reader.outline.title(words(_argument(text, title.end())[0]))
    body = re.search(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", text, re.DOTALL)
    reader.read(body[1] if body else text)
    first = reader.outline.passages[0].text if title and reader.outline.passages else ""
    return Document(name, "latex", first, tuple(reader.outline.passages))


def _argument(text: str, start: int) -> tuple[str, int]:
    """Return the content of the next braces after `start`, and the position behind them. Unclosed braces end where the text ends."""
    opened = text.find("{", start)
    if opened < 0:
        return "", len(text)
    depth = 0
    for brace in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, opened):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            return text[opened + 1 : brace.start()], brace.end()
    return text[opened + 1 :], len(text)


def _expanded(text: str) -> str:
    """Return the text with macro calls replaced by the macros' bodies, as far as MOST_GROWTH allows."""
    macros: dict[str, tuple[int, str]] = {}
    for definition in MACRO.finditer(text):
        body, _ = _argument(text, definition.end())
        name = definition[1] or definition[3]
        if len(body) <= LONGEST_MACRO and name not in LEVELS and f"\\{name}" not in body:
            macros[name] = (int(definition[2] or 0), body)
    longest = MOST_GROWTH * len(text) + 10_000
    for _ in range(3):  # a macro may use another macro
        if not macros or len(text) > longest:
            break
        text, is_changed = _expanded_once(text, macros)
        if not is_changed:
            break
    return text


def _expanded_once(text: str, macros: dict[str, tuple[int, str]]) -> tuple[str, bool]:
    """Return the text with each macro call replaced by the macro's body, in which calls remain, and whether there was a call."""
    pattern = re.compile(
        r"(?<!newcommand\{)(?<!newcommand)\\("
        + "|".join(sorted(map(re.escape, macros), key=len, reverse=True))
        + r")(?![A-Za-z])\s?(\{\})?"
    )
    pieces, at = [], 0
    for call in pattern.finditer(text):
        # This call is in an argument that has already been copied into a body.
        if call.start() < at:
            continue
        count, body = macros[call[1]]
        end = call.end()
        for place in range(1, count + 1):
            if end >= len(text) or text[end] != "{":
                break
            argument, end = _argument(text, end)
            body = body.replace(f"#{place}", argument)
        gap = " " if call[0].endswith((" ", "\n")) and not body.endswith(" ") and count == 0 else ""
        pieces += [text[at : call.start()], body, gap]
        at = end
    return "".join([*pieces, text[at:]]), bool(pieces)


class _Reader:
    def __init__(self) -> None:
        self.outline = Outline()

    def read(self, text: str) -> None:
        """Add the passages in this text, including nested ones, to the outline."""
        at = 0
        buffer: list[str] = []
        while True:
            command = PARTS.search(text, at)
            buffer.append(text[at : command.start()] if command else text[at:])
            if command is None:
                break
            at = self.part(text, command, buffer)
        self.flush(buffer)

    def part(self, text: str, command: re.Match[str], buffer: list[str]) -> int:
        """Read the part that begins with this command, and return the position after it."""
        if command[0].startswith("\\footnote"):
            note, end = _argument(text, command.end())
            self.outline.add(words(note))
            return end
        self.flush(buffer)
        # A heading
        if command[1]:
            title, end = _argument(text, command.end())
            self.outline.open(words(title), level=LEVELS[command[1]])
            return end
        # An environment
        if command[3]:
            inner = command[3]
            close = text.find(f"\\end{{{inner}}}", command.end())
            content = text[command.end() : close if close >= 0 else len(text)]
            self.environment(inner.rstrip("*"), content)
            return close + len(f"\\end{{{inner}}}") if close >= 0 else len(text)
        if "title" in command[0]:
            return _argument(text, command.end())[1]
        return command.end()

    def flush(self, buffer: list[str]) -> None:
        """Add the collected text as a passage, and clear the buffer."""
        self.outline.add(words("".join(buffer)))
        buffer.clear()

    def environment(self, name: str, content: str) -> None:
        """Add a table with its caption, or read the content of any other environment."""
        if name == "abstract":
            self.outline.open("Abstract", level=2)
            self.read(content)
            return
        if name.startswith("tabular"):
            self.outline.add_table(_rows(content))
            return
        which = "figure" if "figure" in name else "table"
        captioned = re.search(r"\\caption(?:of\{\w+\})?\*?\s*(?:\[[^\]]*\])?(?=\{)", content)
        caption, place = "", ""
        if captioned:
            caption = words(_argument(content, captioned.end())[0])
            place = f"{which} “{_beginning(caption)}”" if caption else ""
            self.outline.add(caption, Kind.CAPTION, place)
        tables = list(re.finditer(r"\\begin\{(tabular[*xy]?|tabulary)\}", content))
        if name == "longtable":
            self.outline.add_table(_rows(content), place)
        for table in tables:
            close = content.find(f"\\end{{{table[1]}}}", table.end())
            self.outline.add_table(_rows(content[table.end() : close if close >= 0 else len(content)]), place)


def _beginning(caption: str) -> str:
    """Return the first sentence of a caption, cut to the longest allowed place.

    >>> _beginning("Model sizes. We list them.")
    'Model sizes'
    """
    first = re.split(r"(?<=[a-z)])[.:](?:\s|$)", caption, maxsplit=1)[0]
    return first if len(first) <= LONGEST_HEADING else first[:LONGEST_HEADING].rsplit(" ", 1)[0]


def _rows(content: str) -> list[list[str]]:
    """Return the cells of each row of a table. A cell that spans columns is followed by empty cells."""
    # Remove the letters of the columns, after an optional width.
    text = re.sub(r"\A(?:\s*\[[^\]]*\])?(?:\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}){1,2}", "", content)
    text = re.sub(
        r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)\b(?:\[[^\]]*\])?", "", text
    )
    rows = []
    for line in re.split(r"\\\\(?:\s*\[[^\]]*\])?|\\tabularnewline", text):
        row: list[str] = []
        for cell in re.split(r"(?<!\\)&", line):
            span = re.search(r"\\multicolumn\s*\{(\d{1,2})\}", cell)
            row += [words(cell), *[""] * (int(span[1]) - 1 if span else 0)]
        rows.append(row)
    return rows
