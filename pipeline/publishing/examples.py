"""Sections of the data dictionary for readers: example queries, causes of disputes, and how to load the files.

A test runs every query.
"""

from collections.abc import Iterator
from pathlib import Path

from schemas.vocabulary import DISPUTE_CAUSES

# Questions, and the SQL that answers each from ledger.duckdb.
QUERIES = {
    "Which models took the most compute? (Without fine-tuned ones: their totals include their base models'.)": """
select model_id, published, training_flop, training_flop_low, training_flop_high
from estimates where base_model is null order by training_flop desc nulls last limit 10""",
    "Which models took more than 1e25 FLOP with a probability of at least 90 %?": """
select model_id, training_flop, probability_above_1e25_fraction
from estimates where probability_above_1e25_fraction >= 0.9 order by training_flop desc""",
    "How has the compute of each year's largest run grown?": """
select year(published_date) as published_year, max_by(model_id, training_flop) as model_id,
    max(training_flop) as training_flop
from estimates where training_flop is not null and base_model is null
group by published_year order by published_year""",
    "Where do the two methods disagree, and why?": """
select model_id, method_ratio, dispute_sentence from disputes order by abs(ln(method_ratio)) desc""",
    "How often do the methods agree, by domain?": """
select domain, count(*) as models, avg(1 - is_disputed::int) as agreeing_fraction
from estimates where method_ratio is not null group by domain order by models desc""",
    "Where does each number about one model come from?": """
select path, written, evidence, title, url from facts_of_models where model_id = 'palm-540b' order by path""",
    "What does an hour of a chip cost to rent, by year?": """
select hardware.name, year(price_date) as price_year, median(price_usd) as price_usd, count(*) as prices
from hardware_prices join hardware using (hardware_id) where price_kind = 'rent'
group by all order by prices desc limit 10""",
    "What utilization does measured training reach, and how good is the default?": """
select network, rows, utilization_p10_fraction, utilization_median_fraction, utilization_p90_fraction,
    default_utilization_fraction, share_within_factor_two_fraction
from utilization_by_family order by rows desc""",
    "Which of other people's figures differ from ours, and why?": """
select model_id, stated_flop / training_flop as stated_to_ours_ratio, sources.title, external_estimates.note
from external_estimates join estimates using (model_id)
    join sources using (model_id, source)
where outcome = 'differs' order by abs(ln(stated_to_ours_ratio)) desc""",
}

TITLES = ("Python, SQL, R, spreadsheets", "Example queries", "Why two methods differ")
OTHER_TOOLS = Path(__file__).with_name("other_tools.md").read_text(encoding="utf-8")


def example_queries() -> Iterator[str]:
    """Yield the lines of the section with example queries."""
    yield from (
        f"## {TITLES[1]}",
        "",
        '`flopledger query "…"` runs SQL on `ledger.duckdb`, read-only. `show tables` lists the tables and views'
        " above, and `describe disputes` the",
        "columns of one. Output is a table on a terminal, otherwise tab-separated lines; `--csv` and `--json` select"
        " these formats.",
        "",
        "```sql",
    )
    for number, (question, sql) in enumerate(QUERIES.items(), start=1):
        yield from (f"-- {number}. {question}", f"{sql.strip()};", *([] if number == len(QUERIES) else [""]))
    yield from ("```", "")


def dispute_causes() -> Iterator[str]:
    """Yield the lines of the section on causes of disputes."""
    yield from (
        f"## {TITLES[2]}",
        "",
        "If the methods differ by more than `reconcile.dispute_ratio` of params.yaml, `dispute_cause` has the cause:"
        " the one that the record states (`dispute_stated_cause` of",
        "the table models, with its reason), otherwise the first of these that applies.",
        "",
        "| Cause | Meaning |",
        "|---|---|",
    )
    yield from (f"| `{cause.value}` | {text.format(used='N %')} |" for cause, text in DISPUTE_CAUSES.items())
    yield ""
