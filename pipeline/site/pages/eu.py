"""The page on the European Commission's thresholds: both of its approaches for each model, with their assumptions."""

from pipeline.answers import guidelines
from pipeline.publishing import models_without_estimate
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Link, Site
from schemas.vocabulary import POSSIBLE_FRACTION, THRESHOLDS, Threshold

SURE = 0.9  # with at least this probability, we say that a model is above a threshold
PRESUMED = THRESHOLDS[1]  # the threshold for systemic risk, which most readers ask about
LINK = Link(7, "eu.html", "EU thresholds")


def write(site: Site, ledger: Ledger) -> None:
    """Write eu.html, and statement.html, which shows what `flopledger export --eu` writes for any model on eu.html."""
    first = THRESHOLDS[0].column
    models: list[Row] = [dict(account) for account in ledger.accounts.values()]
    rows = sorted((row for row in models if row["training_flop"] is not None and row[first] >= POSSIBLE_FRACTION), key=lambda row: (-(row["training_flop"] or 0), row["model_id"]))  # fmt: skip
    known = [row for row in models if row["training_flop"] is not None]
    by_probability = sorted(rows, key=lambda row: (-row[PRESUMED.column], -row["training_flop"], row["model_id"]))
    listed = [row for row in by_probability if row[PRESUMED.column] >= POSSIBLE_FRACTION]
    site.page(
        "eu.html",
        "eu.html",
        rows=[
            {
                **row,
                "base_name": next(
                    (part["name"] for part in row["parts"] if part["model_id"] == row["base_model"]), None
                ),
                "hardware_parts": guidelines.hardware_parts(ledger.accounts[row["model_id"]]),
                "is_within": guidelines.is_within(row),
                "kinds": " ".join(kinds(row)),
                **guidelines.of_base(row),
            }
            for row in rows
        ],
        presumed=PRESUMED,
        anew=[row for row in listed if row["base_model"] is None],
        modified=[row for row in listed if row["base_model"] is not None],
        surely=sum(row[PRESUMED.column] >= SURE for row in listed),
        total_flop=guidelines.total_flop,
        paragraph=guidelines.MODIFICATION,
        without=models_without_estimate.models_without_estimate(ledger.connection, PRESUMED.flop),
        shown={
            kind: (words, number)
            for kind, words in KINDS.items()
            if (number := sum(kind in kinds(row) for row in rows))
        },
        sure=SURE,
        least=POSSIBLE_FRACTION,
        counts=[
            (
                threshold.flop,
                sum(row[threshold.column] >= SURE for row in known),
                sum(is_undecided(row, threshold) for row in known),
            )
            for threshold in THRESHOLDS
            if threshold.flop in guidelines.PARAGRAPHS
        ],
        rules=guidelines.RULES,
        guidelines=guidelines.GUIDELINES,
        within=sum(map(guidelines.is_within, known)),
        known=len(known),
    )
    names = sorted(((row["name"], row["model_id"]) for row in rows), key=lambda pair: pair[0].lower())
    site.page("statement.html", "statement.html", least=POSSIBLE_FRACTION, names=names)
    statements = {
        row["model_id"]: guidelines.statement(ledger.accounts[row["model_id"]], ledger.version) for row in rows
    }
    texts = {model: site.render("statement_text.html", **values) for model, values in statements.items()}
    site.script("data/statements.js", "statements", texts)


KINDS = {  # the table's filters; the first is active when the page opens
    f"may-{PRESUMED.word}": f"{100 * POSSIBLE_FRACTION:g} % or more above 10²⁵",
    f"above-{PRESUMED.word}": f"{100 * SURE:g} % or more above 10²⁵",
    f"undecided-{THRESHOLDS[0].word}": f"undecided at 10²³ ({100 * POSSIBLE_FRACTION:g} to {100 * SURE:g} %)",
    f"above-{THRESHOLDS[0].word}": f"{100 * SURE:g} % or more above 10²³",
    "modified": "made from another model",
}


def kinds(row: Row) -> list[str]:
    """Return the kinds that a model belongs to; KINDS has those by which readers can filter."""
    names = []
    for threshold in THRESHOLDS:
        chance, word = row[threshold.column], threshold.word
        names += [f"may-{word}"] if chance >= POSSIBLE_FRACTION else []
        names += [f"above-{word}"] if chance >= SURE else []
        names += [f"undecided-{word}"] if is_undecided(row, threshold) else []
    return [*names, *(["modified"] if row["own_to_base_ratio"] is not None else [])]


def is_undecided(row: Row, threshold: Threshold) -> bool:
    """Return whether a model may be above a threshold, but with a probability below SURE."""
    return POSSIBLE_FRACTION <= row[threshold.column] < SURE
