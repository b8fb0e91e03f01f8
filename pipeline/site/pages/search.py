"""The search index: models and chips by name, alias and organization, pages by title, and terms from the methods."""

import re
from html import unescape
from urllib.parse import quote

from markupsafe import Markup

from pipeline.lookup import names
from pipeline.site import numbers
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from schemas.spelling import plain, words
from schemas.vocabulary import Tier

# Other words for the subject of each section of the methods, which is named by the first words of its heading.
TERMS = {
    "Conventions": "FLOP | FLOPs | FLOPS | FLOP/s | MAC | FMA | multiply-add | unit | units | MFLOP | GFLOP | TFLOP | PFLOP"
    " | EFLOP | ZFLOP | YFLOP | teraflop | petaflop | exaflop | zettaflop | yottaflop | petaflops | exaflops | TFLOPS"
    " | TFLOP/s | PFLOPS | PFLOP/s | petaflop/s-day | petaflop/s-days | PFLOP/s-day | PFLOP/s-days | PF-days | pfs-days",
    "Method 1": "operation count | 6ND",
    "Method 2": "GPU time | GPU hours | GPU hour | GPU days | GPU day | chip-hours | chip hour | TPU hours | peak",
    "The headline and its error": "90 % interval | confidence interval | uncertainty | error",
    "Measured utilization": "MFU | HFU | utilization | model FLOP utilization",
    "Energy": "Wh | kWh | MWh | GWh | TWh | watt | watts | kilowatt-hours | joule | PUE | electricity | power",
    "Cost and carbon": "cost | price | dollars | USD | $ | carbon | CO2 | CO2e | tCO2 | tCO2e | emissions | water",
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
    (
        "How sure a number is: confident, rough or speculative",
        "confident | confidence | rough | order of magnitude | speculative | how sure",
        "methods.html#5-totals-and-inputs",
    ),
    ("What changed in a release", "what changed | history | moved", "changes.html"),
    ("How to cite: BibTeX", "bibtex | cite | citation | doi", "about.html#cite"),
    ("Utilization by chip and precision", "mfu | utilization | fp8 | bf16 | fp16 | tf32", "utilization.html"),
    ("Report an error", "report an error | correct | wrong | mistake | contact", "about.html#correct"),
    (
        "Plan a tuning: its own training and its share of the base's",
        "lora | qlora | peft | adapter | frozen | tuning | fine-tuning | my tuning | third of the base",
        "plan.html",
    ),
    ("MFU of a run of your own", "mfu | my run | days of a run | what does a run cost", "plan.html"),
)
OTHER_NAMES = {"US": "USA | America", "GB": "UK | Britain | England", "AE": "UAE", "KR": "Korea"}  # of countries
VERSION = re.compile(r"\d{1,2}(\.\d+)*")
TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
SECTION = re.compile(r'<h2 id="([^"]+)">(?:\d+\. )?(.*?)</h2>', re.DOTALL)


def finish(site: Site, ledger: Ledger) -> None:
    """Write data/search.js: models, the newest first, then chips, answers and pages.

    An entry has a name, other search keys, a path, a remark, the organization's key, and words of its names.
    """
    lines: list[tuple[str, ...]] = []
    for model in _with_variants(names.entries(ledger.connection)):
        is_record = model["tier"] == Tier.RECORD
        path = f"models/{model['id']}.html" if is_record else f"catalogue.html#{slug(model['name'])}"
        is_known = model["training_flop"] is not None or model["training_flop_at_least"] is not None
        known = f"{numbers.total_text(model)} FLOP" if is_known else "no estimate"
        keys = _keys(model["name"], model["id"], model["aliases"], *(model["keys"] or ()))
        owner = plain(" ".join(dict.fromkeys(filter(None, (model["organization"], model["parent_organization"])))))
        forms = dict.fromkeys(" ".join(sorted({*known.words} - known.makers)) for known in names.named(model))
        lines.append(
            (model["name"], keys, path, known if is_record else f"{known}, catalogue", owner, f"|{'|'.join(forms)}|")
        )
    for chip in ledger.rows("hardware"):
        keys = _keys(chip["name"], chip["hardware_id"], chip["aliases"])
        owner = plain(chip["manufacturer"] or "")
        lines.append((chip["name"], keys, f"chips/{chip['hardware_id']}.html", "chip", owner))
    answers = [(shown, _keys(shown, keys), path, "answer", "") for shown, keys, path in ANSWERS]
    every = [*lines, *answers, *_countries(ledger), *_pages(site)]
    rows = [(name, keys.removeprefix(f"|{plain(name)}"), *more) for name, keys, *more in every]
    site.script("data/search.js", "search", rows)


def _with_variants(models: list[Row]) -> list[Row]:
    """Return the models with the variants of each right after it.

    A variant has the name of a record and more words. It is no variant if a version follows, as in Mistral Large 2.

    >>> named = ("Large 2", "R1-0528", "R1", "Large")
    >>> [model["id"] for model in _with_variants([{"id": name, "name": name, "tier": "record"} for name in named])]
    ['Large 2', 'R1', 'R1-0528', 'Large']
    """
    by_words = {words(model["name"]): model for model in reversed(models) if model["tier"] == Tier.RECORD}
    variants: dict[str, list[Row]] = {}
    firsts = []
    for model in models:
        own = words(model["name"])
        lengths = [length for length in range(1, len(own)) if own[:length] in by_words]
        if model["tier"] == Tier.RECORD and lengths and not VERSION.fullmatch(own[lengths[-1]]):
            variants.setdefault(by_words[own[: lengths[-1]]]["id"], []).append(model)
        else:
            firsts.append(model)
    ordered, waiting = list[Row](), firsts[::-1]
    while waiting:
        ordered.append(model := waiting.pop())
        waiting += reversed(variants.pop(model["id"], []))
    return ordered


def _countries(ledger: Ledger) -> list[tuple[str, str, str, str, str]]:
    """Return the models by country, as the first page's filter shows them."""
    countries = {
        (name, code)
        for row in ledger.models
        if row["country_code"]
        for name, code in zip(row["country"].split(" + "), row["country_code"].split(" + "), strict=True)
    }
    return [
        (
            f"Models by country: {name}",
            _keys(name, code, OTHER_NAMES.get(code)),
            f"index.html?country={quote(name)}",
            "filter",
            "",
        )
        for name, code in sorted(countries)
    ]


def _pages(site: Site) -> list[tuple[str, str, str, str, str]]:
    """Return the pages that are not about a single model or chip, by title, and the sections of the methods."""
    entries = []
    for file in sorted([*site.folder.glob("*.html"), *site.folder.glob("reports/*.html")]):
        path, text = file.relative_to(site.folder).as_posix(), file.read_text(encoding="utf-8")
        if (title := TITLE.search(text)) and path not in ("404.html", "index.html"):
            entries.append((_text(title[1]), _keys(_text(title[1]), file.stem), path, "page", ""))
        if path == "methods.html":
            for place, html in SECTION.findall(text):
                heading = _text(html)
                terms = next((more for begins, more in TERMS.items() if heading.startswith(begins)), "")
                entries.append((heading, _keys(heading, terms), f"{path}#{place}", "methods", ""))
    return entries


def _text(html: str) -> str:
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
