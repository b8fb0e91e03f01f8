"""The search index: models and chips by name, alias and organization, pages by title, and terms from the methods."""

import re
from html import unescape

from markupsafe import Markup

from pipeline.publishing import names
from pipeline.site import numbers
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site
from schemas.spelling import plain
from schemas.vocabulary import Tier

# Other words for the subject of each section of the methods, which is named by the first words of its heading.
TERMS = {
    "Conventions": "FLOP | FLOPs | FLOPS | MAC | multiply-add | petaflop",
    "Method 1": "operation count | 6ND",
    "Method 2": "GPU time | GPU hours | chip-hours | peak",
    "The headline and its error": "90 % interval | confidence interval | uncertainty | error",
    "Measured utilization": "MFU | HFU | utilization | model FLOP utilization",
    "Energy": "kWh | electricity | power",
    "Cost and carbon": "cost | price | dollars | carbon | CO2 | emissions | water",
    "Growth": "doubling time | trend | growth rate",
}
# Answers that no page's title suggests: the words shown, the words that people type, and the address.
ANSWERS = (
    (
        "Models above 10²³, 10²⁵ or 10²⁶ FLOP",
        "1e23 | 1e25 | 1e26 | threshold | systemic risk | AI Act | provider | modification | fine-tune",
        "eu.html",
    ),
    ("Disputed models", "disputed", "disputes.html"),
    ("How to cite: BibTeX", "bibtex | cite | citation | doi", "about.html#cite"),
    ("Utilization by chip and precision", "mfu | utilization | fp8 | bf16 | fp16 | tf32", "utilization.html"),
    ("Report an error", "report an error | correct | wrong | mistake | contact", "about.html#correct"),
    ("MFU of a run of your own", "mfu | my run | days of a run | what does a run cost", "plan.html"),
)
TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
SECTION = re.compile(r'<h2 id="([^"]+)">(?:\d+\. )?(.*?)</h2>', re.DOTALL)


def finish(site: Site, ledger: Ledger) -> None:
    """Write data/search.js: per entry a name, search keys, a path, a remark, organization's key, words of its names.

    Models come first, in the order of names.py, then chips, answers and pages.
    """
    lines: list[tuple[str, ...]] = []
    for model in names.entries(ledger.connection):
        is_record = model["tier"] == Tier.RECORD
        path = f"models/{model['id']}.html" if is_record else f"catalogue.html#{slug(model['name'])}"
        is_known = model["training_flop"] is not None or model["training_flop_at_least"] is not None
        known = f"{numbers.total_text(model)} FLOP" if is_known else "no estimate"
        keys = _keys(model["name"], model["id"], model["aliases"], *(model["keys"] or ()))
        owner = plain(f"{model['organization'] or ''} {model['parent_organization'] or ''}")
        forms = dict.fromkeys(" ".join(sorted({*known.words} - known.makers)) for known in names.named(model))
        lines.append(
            (model["name"], keys, path, known if is_record else f"{known}, catalogue", owner, f"|{'|'.join(forms)}|")
        )
    for chip in ledger.rows("hardware"):
        keys = _keys(chip["name"], chip["hardware_id"], chip["aliases"])
        owner = plain(chip["manufacturer"] or "")
        lines.append((chip["name"], keys, f"chips/{chip['hardware_id']}.html", "chip", owner))
    answers = [(words, _keys(words, keys), path, "answer", "") for words, keys, path in ANSWERS]
    site.script("data/search.js", "search", [*lines, *answers, *_pages(site)])


def _pages(site: Site) -> list[tuple[str, str, str, str, str]]:
    """Return the pages that are not about a single model or chip, by title, and the sections of the methods."""
    entries = []
    for file in sorted([*site.folder.glob("*.html"), *site.folder.glob("reports/*.html")]):
        path, text = file.relative_to(site.folder).as_posix(), file.read_text(encoding="utf-8")
        if (title := TITLE.search(text)) and path not in ("404.html", "index.html"):
            entries.append((_plain(title[1]), _keys(_plain(title[1]), file.stem), path, "page", ""))
        if path == "methods.html":
            for place, words in SECTION.findall(text):
                terms = next((more for heading, more in TERMS.items() if _plain(words).startswith(heading)), "")
                entries.append((_plain(words), _keys(_plain(words), terms), f"{path}#{place}", "methods", ""))
    return entries


def _plain(html: str) -> str:
    return unescape(Markup(html).striptags())


def _keys(*written: str | None) -> str:
    """Return the names' search keys, each between two |. An argument may contain several names joined by |.

    >>> _keys("GPT-3 175B", "gpt-3", "GPT-3 | davinci")
    '|gpt3175b|gpt3|davinci|'
    """
    all_names = " | ".join(filter(None, written)).split(" | ")
    return f"|{'|'.join(dict.fromkeys(map(plain, all_names)))}|"


def slug(name: str) -> str:
    """Return a name as the anchor of its row.

    >>> slug("GPT-4 (x)")
    'gpt-4-x'
    """
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
