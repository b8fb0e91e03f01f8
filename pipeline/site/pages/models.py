"""A page and a JSON file for each model, made from its account."""

from urllib.parse import quote, urlencode

from pipeline.answers import account_text
from pipeline.answers.footprint_text import lines as footprint_lines
from pipeline.answers.guidelines import total_flop
from pipeline.answers.terminal import Heading
from pipeline.base.text.json_text import drop_nulls, json_line, json_value
from pipeline.publishing.account import statement
from pipeline.publishing.citation import citation
from pipeline.publishing.screen import LABELS
from pipeline.site import axes
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from pipeline.site.pages.changes import Release, releases
from pipeline.site.reasons import in_words
from schemas.account import Account, OtherEstimate
from schemas.vocabulary import TEXT_UNITS, Basis, ExampleUnit

INDEX = ("model_id", "name", "training_flop", "training_flop_at_least")
WORDS_AT_AN_END = 5  # words from each end of a quotation, by which a browser finds it
AS_FILES = (".pdf", ".tex", ".txt", ".json", ".py", ".md", ".yaml")
NOT_THE_TEXT = ("arxiv.org/abs", "github.com", "doi.org")  # pages that do not contain the quoted words themselves


def write(site: Site, ledger: Ledger) -> None:
    """Write models/<id>.html and models/<id>.json for every model, and index.json."""
    index = []
    cited = citation(site.version, site.place.address)
    history: dict[str, list[tuple[Release, Row]]] = {}
    for release in releases(ledger.rows("changes"), ledger.models):
        for change in (*release.moved, *release.widths):
            history.setdefault(change["model_id"], []).append((release, change))
    for row in ledger.models:
        account = ledger.accounts[row["model_id"]]
        path = f"models/{row['model_id']}"
        stated, address = statement(row), cited.address(row["model_id"])
        axis, lines = picture(account)
        site.page(
            f"{path}.html",
            "model.html",
            **account,
            publication_of={source["source"]: source for source in account["publications"]},
            arithmetic=arithmetic(account),
            contradictions=account_text.contradictions(account),
            comparison=account_text.comparison(account),
            contributions=account_text.contributions(account),
            other_line=account_text.other_line,
            unknown=account_text.missing_facts(account),
            axis=axis,
            labels=LABELS,
            lines=lines,
            plan_address=plan_address(account),
            words_address=words_address,
            citations=(cited.text(stated, address), cited.entry(row["model_id"], stated, address)),
            total_flop=total_flop(row),
            history=history.get(row["model_id"], ()),
            reason=lambda text: in_words(text, ledger.names_of_models),
        )
        site.text(f"{path}.json", f"{json_line(drop_nulls(json_value(account)))}\n")
        others = [{key: other[key] for key in ("title", "flop", "bound", "confidence")} for other in account["others"]]
        index.append({name: row[name] for name in INDEX} | {"others": others, "path": f"{path}.json"})
    site.text("index.json", json_line({"version": site.version, "models": index}) + "\n")


def arithmetic(account: Account) -> list[tuple[str, list[str]]]:
    """Return the lines of `explain` on both methods and on the footprint, by heading; indented lines follow a line break."""
    groups: list[tuple[str, list[str]]] = []
    for line in (*account_text.formulas(account), *footprint_lines(account)):
        if isinstance(line, Heading):
            groups.append((line, []))
        elif line.startswith("    "):
            groups[-1][1][-1] += f"\n{line.strip()}"
        else:
            groups[-1][1].append(line.strip())
    return [group for group in groups if group[1]]


def picture(account: Account) -> tuple[axes.Axis | None, list[Row]]:
    """Return the picture's axis and lines: the estimate with its interval, each method, and what the authors and others state."""
    row: Row = dict(account)
    informed = row["gpu_time_informed_flop"]
    basis = row["utilization_basis"] and Basis(row["utilization_basis"]).words  # a predicted utilization is not a fact
    lines = [
        ("estimate", row["training_flop"], row["training_flop_low"], row["training_flop_high"]),
        ("by counting operations", row["operation_count_flop"], None, None),
        ("by GPU time, default utilization", row["gpu_time_flop"], None, None),
        (f"by GPU time, utilization {basis}", informed if informed != row["gpu_time_flop"] else None, None, None),
        ("stated by the authors", row["reported_flop"], None, None),
        *((_source_words(other), other["flop"], other["low"], other["high"]) for other in account["others"]),
    ]  # fmt: skip
    known = [line for line in lines if line[1] is not None]
    if not known:
        return None, []
    axis = axes.axis([value for line in known for value in line[1:] if value is not None])
    return axis, [
        {"label": label, "value": middle, "spot": axis.spot(middle, low, high), "is_main": label == "estimate"}
        for label, middle, low, high in known
    ]


def _source_words(other: OtherEstimate) -> str:
    """Return who states a figure, and whether it is a bound or speculative."""
    words = (other["title"] or other["external_estimate_id"], other["bound"], other["confidence"])
    return ", ".join(filter(None, words)).replace("_", " ")


def plan_address(account: Account) -> str | None:
    """Return the address of the plan page with the figures of the model's own training, or None if it has several phases."""
    part = account["parts"][0]
    if len(part["phases"]) != 1 or part["phases"][0]["forward_flop_per_example"] is None:
        return None
    (phase,) = part["phases"]
    kind = "images" if phase["example_unit"] == ExampleUnit.IMAGE else "tokens"
    figures: Row = {"forward_flop": phase["forward_flop_per_example"], kind: phase["examples_seen"]}
    if len(part["allocations"]) == 1:
        (chips,) = part["allocations"]
        figures |= {name: chips[name] for name in ("chips", "days", "precision")} | {"hardware": chips["hardware_id"]}
    stated = {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in figures.items() if value}
    return f"plan.html?{urlencode(stated)}" if phase["example_unit"] in TEXT_UNITS or kind == "images" else None


def words_address(url: str | None, text: str | None, found_at: str | None) -> str | None:
    """Return the address of a source, with a text fragment that leads to the quotation if the source is a web page.

    >>> words_address("https://a.org/b", "one two", None)
    'https://a.org/b#:~:text=one%20two'
    >>> words_address("https://arxiv.org/abs/1", "one two", "github-copy:1")
    'https://arxiv.org/abs/1'
    """
    copy = found_at if found_at and found_at.startswith(("https://", "http://")) else None
    address = copy or url
    if not address or not address.startswith(("https://", "http://")):
        return None
    is_text = not address.lower().endswith(AS_FILES) and not any(part in address for part in NOT_THE_TEXT)
    if not text or not is_text or "#" in address or copy is None and found_at is not None:
        return address
    words = text.split()
    ends = [text] if len(words) <= 2 * WORDS_AT_AN_END else [" ".join(words[:WORDS_AT_AN_END]), " ".join(words[-WORDS_AT_AN_END:])]  # fmt: skip
    return f"{address}#:~:text={','.join(quote(end, safe='').replace('-', '%2D') for end in ends)}"
