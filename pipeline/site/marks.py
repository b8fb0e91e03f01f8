"""Drawn charts in few bytes: what their marks have in common is written once, so that a mark more costs some 40 bytes."""

import hashlib
import re
from collections import Counter

FEWEST = 4  # marks from which on what they have in common is written apart
_MARK = re.compile(
    r'<path transform="translate\((?P<x>[^,)]+),(?P<y>[^,)]+)\)(?P<turn> rotate\([^)]*\))?" (?P<rest>d="[^"]*"[^<>]*)/>'
)
_LINE = re.compile(
    r'<line transform="translate\((?P<x>[^,)]+),(?P<y>[^,)]+)\)" x2="(?P<right>[^"]*)" y2="(?P<down>[^"]*)" (?P<rest>[^<>]*)/>'
)


def compacted(svg: str) -> str:
    """The same picture: marks of one shape and look refer to one definition, and lines of one look to one style.

    >>> mark = '<path transform="translate({},2)" d="M0,0h1" fill="red"/>'
    >>> compacted("<svg>" + "".join(mark.format(place) for place in range(4)) + "</svg>")[:94]
    '<svg><defs><path id="mdd96e-0" d="M0,0h1" fill="red"/></defs><use href="#mdd96e-0" x="0" y="2"'
    """
    prefix = f"m{hashlib.sha256(svg.encode()).hexdigest()[:5]}"
    looks = Counter(_look(found) for found in _MARK.finditer(svg))
    names = {look: f"{prefix}-{number}" for number, look in enumerate(each for each, n in looks.items() if n >= FEWEST)}
    styles = Counter(found["rest"] for found in _LINE.finditer(svg))
    kinds = {rest: f"{prefix}-l{number}" for number, rest in enumerate(each for each, n in styles.items() if n >= FEWEST)}  # fmt: skip
    if not names and not kinds:
        return svg

    def mark(found: re.Match[str]) -> str:
        name = names.get(_look(found))
        return f'<use href="#{name}" x="{found["x"]}" y="{found["y"]}"/>' if name else found[0]

    def line(found: re.Match[str]) -> str:
        kind = kinds.get(found["rest"])
        to = f"l{found['right']},{found['down']}"
        return f'<path class="{kind}" d="M{found["x"]},{found["y"]}{to}"/>' if kind else found[0]

    defined = "".join(f'<path id="{name}" {look}/>' for look, name in names.items())
    style = "".join(f".{kind}{{{_as_style(rest)}}}" for rest, kind in kinds.items())
    head = f"<defs>{f'<style>{style}</style>' if style else ''}{defined}</defs>"
    drawn = _LINE.sub(line, _MARK.sub(mark, svg))
    return re.sub(r"(<svg\b[^>]*>)", lambda opening: opening[0] + head, drawn, count=1)


def _look(found: re.Match[str]) -> str:
    turn = f'transform="{found["turn"].strip()}" ' if found["turn"] else ""
    return turn + found["rest"]


def _as_style(attributes: str) -> str:
    """Presentation attributes as declarations.

    >>> _as_style('stroke="var(--soft)" opacity="0.3"')
    'stroke:var(--soft);opacity:0.3'
    """
    return ";".join(f"{name}:{value}" for name, value in re.findall(r'([\w-]+)="([^"]*)"', attributes))
