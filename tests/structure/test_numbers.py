"""Numbers in prose: each figure between the marks of the README and of the methods is the result of a query.

`python -m tests.structure.test_numbers` rewrites them, each with as many digits as it has.
"""

import math
import re

import pytest

from pipeline.answers import trends
from pipeline.answers.problems import DEADLINE_SECONDS
from pipeline.answers.sql import MEMORY_BYTES
from pipeline.base.download import Limits
from pipeline.base.paths import ROOT
from pipeline.commands.query import LONGEST_SECONDS
from pipeline.publishing import database, report_views
from pipeline.publishing.rows import rows
from pipeline.records import params, yaml_text
from pipeline.tools import quotes
from schemas import plain_text, spelling

README, METHODS = "README.md", "pipeline/formulas/README.md"
MARKED = re.compile(r"<!-- numbers -->\n(.*?)<!-- end of numbers -->", re.DOTALL)
NUMBER = r"\d+(?:\.\d+)?(?:e\d+)?"
# In the words of a claim, {n} is a figure, in the order of the columns of its query, and … is anything on the same
# line.
BLIND = (
    "models_number, inside_number, models_number - inside_number, refuted_number, other_scope_number,"
    " undecided_number, ours_wrong_number,"
)
BLIND_SHARES = "comparable_inside_number, comparable_number, decided_inside_number, decided_number"
OF_TUNING = "select count(*) from blind_test_scored where compared_scope = 'own_training' and is_inside_in_scope"
MOVING = [
    (README, "**GPT-4: {n} FLOP**, 90 % interval {n} to {n}.",
     "select training_flop, training_flop_low, training_flop_high from estimates where model_id = 'gpt-4'"),
    (README, "{n} models, {n} of them with an estimate.", "select count(*), count(training_flop) from estimates"),
    (README, "**×{n} a year** (90 %: {n} to {n})",
     "select growth_factor, growth_factor_low, growth_factor_high from trends where frontier = 'top 10'"),
    (README, "×{n} ({n} to {n}) since 2020",
     "select growth_factor, growth_factor_low, growth_factor_high from recent_trend"),
    (README, "Epoch lists {n} models of that rank since 2020; {n} have no estimate here",
     "select sum(largest_number), sum(largest_number - estimated_number) from largest_in_epoch where year >= 2020"),
    (README, "**{n} % of {n} models**",
     "select 100 * share_within_2_fraction, models_number from method_comparison_summary where grouping = 'all'"),
    (README, "{n} % of logged runs",
     "select 100 * (1 - share_of_runs_within_2_fraction) from gold_scores where gold_grouping = 'all' and gold_method = 'default_utilization'"),
    (README, "we sealed {n} estimates before we could see anyone's total. Epoch AI's figure is in our 90 % "
     "interval for {n}. Of the other {n}, {n} are refuted, {n} of another scope, {n} undecided, and {n} "
     "our errors. For the same scope without refuted figures, {n} of {n} are inside; without undecided "
     "ones as well, {n} of {n} (",
     f"select {BLIND} {BLIND_SHARES} from blind_test_counts where evidence_class is null"),
    (README, "of {n} facts about models, {n} are quoted, {n} are from a table, {n} are assumed, and {n} were not read", 'select facts, quoted, "table", assumed, unseen from fact_evidence where grouped_by = \'kind\' and name = \'models\''),
    (README, "Of {n} quotes, {n} were read in copies that nobody outside can open",
     "select count(*), count(*) filter (starts_with(found_at, 'github-copy:')) from quotes where record_kind = 'models'"),
    (METHODS, "For {n} of them Epoch AI has a figure; {n} are in our 90 % interval. We then read the sources of the"
     " other {n}. {n} figures are refuted by their sources or by the row's own words; {n} are of another "
     "part, model, version or run ({n} of them of the tuning only, and inside the interval of our own "
     "part); {n} cannot be decided, most of them chip time at a guessed utilization against stated steps; "
     "{n} were our errors. For the same scope, {n} of {n} are inside; without refuted figures {n} of {n}; "
     "without undecided ones as well, {n} of {n}. Only",
     f"select {BLIND.replace('undecided_number', f'({OF_TUNING}), undecided_number')} same_scope_inside_number, same_scope_number,"
     f" {BLIND_SHARES} from blind_test_counts where evidence_class is null"),
    (METHODS, "while {n} of {n} needs no judgement on utilization",
     "select comparable_inside_number, comparable_number from blind_test_counts where evidence_class is null"),
    (METHODS, "but {n} of all that are inside (",
     "select count(*) from blind_test where verdict = 'inside' and contains(finding, 'only because both')"),
]  # fmt: skip
MOVING += [
    (METHODS, f"| {words} | {{n}} | {{n}} % | {{n}} % | {{n}} % | {{n}} % |",
     "select compared_number, 100 * agreeing_fraction, 100 * ledger_wrong_fraction, 100 * reader_wrong_fraction,"
     f" 100 * scope_fraction from reading_errors where path = '{path}'")
    for words, path in (
        ("parameters", "parameters"), ("active parameters", "active_parameters"), ("examples seen", "examples_seen"),
        ("chip-hours", "chip_hours"), ("precision", "precision"),
    )
]  # fmt: skip
MOVING += [
    (METHODS, f"| {words}… | {{n}} | {{n}} | {{n}} |",
     "select default_utilization_fraction, utilization_median_fraction, rows from utilization_by_family"
     f" where network = '{network}'")
    for words, network in (
        ("language transformers", "language_transformer"), ("other transformers", "other_transformer"),
        ("dense convolutions", "dense_convolution"), ("depthwise convolutions", "depthwise_convolution"),
        ("recurrent", "recurrent"),
    )
]  # fmt: skip
MOVING += [
    (METHODS, f"{words} | {{n}} | {{n}} | {{n}} | {{n}} % | {{n}} % |",
     "select runs_number, median_ratio, ratio_standard_deviation, 100 * share_of_runs_within_1_25_fraction,"
     f" 100 * share_of_runs_within_2_fraction from gold_scores where group_name = '{group}' and gold_method = '{method}'")
    for words, group, method in (
        ("GPU time at the default", "all", "default_utilization"),
        ("at the default, language transformers", "language_transformer", "default_utilization"),
        ("GPU time as predicted", "all", "predicted_utilization"),
        ("as predicted, language transformers", "language_transformer", "predicted_utilization"),
        ("GPU time as predicted × `whole_run`…", "all", "whole_run"),
        ("6 × active parameters × tokens", "all", "six_nd"),
    )
]  # fmt: skip


def value(quantity, case, columns="default_value"):
    return f"select {columns} from defaults where quantity = '{quantity}' and applies_to = '{case}'"


# Factors of intervals: a two-sided Lomax distribution of half h and exponent 2 reaches exp(h (1 / sqrt(1 - q) - 1)) at coverage q,
# a logistic one exp(h ln((1 + q) / (1 - q))).
COUNT = "exp(default_value * (sqrt({}) - 1))"
TIME = "exp(default_value * ln({}))"
FIXED = [
    (METHODS, f"| {words}. | {{n}} % | {{n}} % below to {{n}} % above | {{n}} in 100 |",
     value("uncertainty", case, f"100 * ({COUNT.format(2)} - 1), 100 * (1 - 1 / {COUNT.format(10)}), 100 * ({COUNT.format(10)} - 1), 100 / (1 + ln(2) / default_value) ** 2"))
    for words, case in (
        ("confirms our count", "confirmed"), ("the network and the data", "stated"), ("cannot be checked", "weak"),
    )
]  # fmt: skip
FIXED = [(document, words.replace("| ", "| …", 1), query) for document, words, query in FIXED]
FIXED += [
    (METHODS, "| {n} % below or {n} % above | {n} % below to {n} % above | {n} in 100 |",
     "select 100 * (1 - 3 ** -down), 100 * (3 ** up - 1), 100 * (1 - 19 ** -down), 100 * (19 ** up - 1), 100 / (1 + 2 ** (1 / up)) + 100 / (1 + 2 ** (1 / down))"
     f" from ({value('uncertainty', 'gpu_time_down', 'default_value as down')}), ({value('uncertainty', 'gpu_time_up', 'default_value as up')})"),
    *((METHODS, f"| `{case}`… | {{n}} | … | ×/÷{{n}} | {{n}} | {{n}} | {{n}} |",
       value("uncertainty", case, ", ".join(["default_value", *(COUNT.format(reach) for reach in (2, 5, 10, 20))])))
      for case in ("confirmed", "stated", "weak")),
    *((METHODS, f"| `{case}`… | {{n}} | … | {sign}{{n}} | {{n}} | {{n}} | {{n}} |",
       value("uncertainty", case, ", ".join(["default_value", *(TIME.format(reach) for reach in (3, 9, 19, 39))])))
      for case, sign in (("gpu_time_down", "÷"), ("gpu_time_up", "×"))),
    *((METHODS, f"| `{case}`… | {{n}} | ", value("uncertainty", case)) for case in ("whole_run", "beyond_six_nd", "second_estimate")),
    (METHODS, "default {n} for text (…) and {n} for",
     "select (select default_value from defaults where quantity = 'utilization' and applies_to = 'text'), "
     "(select default_value from defaults where quantity = 'utilization' and applies_to = 'other')"),
    (METHODS, "less than {n} × its FP32 peak", "select fast_16bit_ratio from choices_ingest"),
    (METHODS, "at least {n} chip-days, published {n} or later", "select large_run_chip_days, large_run_first_year from choices_impute"),
    *((METHODS, f"{words} | {{n}} | {{n}} | ×/÷{{n}} |",
       value("catalogue", case, f"default_value, {power}, exp(default_value * (10 ** (1.0 / {power}) - 1))"))
      for words, case, power in (
          ("a GPU time within 2× of it", "count_and_time", 1), ("only a count", "count", 1),
          ("off its GPU time", "gpu_time", 2))),
    *((METHODS, f"| `{case}`… | {{n}} | ×/÷{{n}} |", value("chip_load", case, "default_value, exp(log_sd)"))
      for case in ("hopper", "blackwell", "google-tpu-v2", "google-tpu-v3", "google-tpu-v4", "gpu", "tpu")),
    *((METHODS, words, value("cost", case)) for words, case in (
        ("`amortized_per_year`, {n} (0.14", "amortized_per_year"), ("`network_fraction`, {n},", "network_fraction"),
        ("plus {n} days before publication", "days_before_publication"), ("per year, {n} bought", "purchase_decline"),
        ("and {n} rented, is", "rent_decline"), ("deviation of {n} (", "purchase_log_sd"), ("({n} rented).", "rent_log_sd"),
        ("amortization is {n} of", "amortized_log_sd"), ("and {n} for each year", "log_sd_per_year"),
        ("{n} days before its first", "days_before_first_price"))),
    (METHODS, "bare chip × {n}.", value("price_terms", "chip")),
    (METHODS, "charge {n} of their on-demand price", value("price_terms", "list")),
    (METHODS, "×/÷{n}, one standard deviation; ", value("grid_spread", "operator_country")),
    (METHODS, "deviation; {n} if the place", value("grid_spread", "stated")),
    (METHODS, "stated, {n} for the world", value("grid_spread", "world")),
    *((METHODS, f"{words} {{n}}", value("water_use", case))
      for words, case in (("Amazon", "Amazon"), ("Microsoft", "Microsoft"), ("Google", "Google"), ("others", "other"))),
]  # fmt: skip
# Levels of intervals, the threshold of disputes, years, sections and tables, arithmetic.
NO_FIGURE = set("1 2 3 4 5 6 7 10 16 32 50 80 90 95 100 1000 8766 0.14 1.25 2010 2020 2021 2023 2024 2025 2026".split())
# Outside the marks of the methods: definitions, and results of experiments that name their day.
DEFINED = "0.2 %|15 %|16 %|24 pairs|25 models|5 %|5 models|77 models|174 models|10 %".split("|")
GROWTH = re.compile(r"^- (?:all sizes|top 10): ×.*$", re.MULTILINE)  # recomputed by tests/answers/test_trends.py


@pytest.fixture(scope="module")
def book(published_database):
    with database.reading() as connection:
        yield prepared(connection)


def prepared(connection):
    """Return the published tables, the views of reports, the growth since 2020 and the settings in params.yaml."""
    choices = params.load().model_dump()
    report_views.create(connection, choices)
    recent = trends.trend(rows(connection, "from estimates"), trends.RECENT_YEAR)
    for name, values in (("recent_trend", recent), ("choices_ingest", choices["ingest"]), ("choices_impute", choices["impute"])):  # fmt: skip
        figures = {key: figure for key, figure in values.items() if isinstance(figure, int | float)}
        columns = ", ".join(f"{figure!r} as {key}" for key, figure in figures.items())
        connection.execute(f"create or replace temp view {name} as select {columns}")
    return connection


def pattern(words):
    escaped = re.escape(words).replace(r"\{n\}", f"({NUMBER})").replace("…", r"[^\n]*?")
    return re.compile(escaped.replace(r"\ ", r"\s+"))


def as_written(old, figure):
    """Return a figure with the decimals and the exponent of the one that it replaces.

    >>> as_written("2.2e25", 3.14159e24), as_written("0.40", 0.5), as_written("26", 27.4)
    ('3.1e24', '0.50', '27')
    """
    decimals = len(old.partition("e")[0].partition(".")[2])
    return f"{figure:.{decimals}{'e' if 'e' in old else 'f'}}".replace("e+", "e")


def figures(text, claims, connection):
    """Yield the place of each claimed figure in the text, and the result of its query in the same form."""
    marked = [match.span(1) for match in MARKED.finditer(text)]
    for _, words, query in claims:
        found = [
            match
            for match in pattern(words).finditer(text)
            if any(start <= match.start() and match.end() <= end for start, end in marked)
        ]
        assert len(found) == 1, f"{len(found)} places between marks are like {words!r}"
        values = connection.execute(query).fetchone()
        assert len(values or ()) == len(found[0].groups()), (words, values)
        for number, figure in enumerate(values, 1):
            yield found[0].span(number), as_written(found[0][number], figure)


def read(document):
    return (ROOT / document).read_text(encoding="utf-8")


@pytest.mark.parametrize("document", [README, METHODS])
@pytest.mark.parametrize(("claims", "tolerance"), [(MOVING, 0.05), (FIXED, 0)], ids=["moving", "fixed"])
def test_figures_between_marks_are_those_of_the_tables(document, claims, tolerance, book):
    """Figures that change with records may be off by 5 %, so that a few new records need no edit of the documents."""
    text = read(document)
    told = [
        (text[start:end], now)
        for (start, end), now in figures(text, [claim for claim in claims if claim[0] == document], book)
    ]
    assert [
        pair for pair in told if not math.isclose(float(pair[0]), float(pair[1]), rel_tol=tolerance, abs_tol=1e-9)
    ] == []


@pytest.mark.parametrize("document", [README, METHODS])
def test_no_other_figure_is_between_marks(document, book):
    text = read(document)
    known = {span for span, _ in figures(text, [claim for claim in MOVING + FIXED if claim[0] == document], book)}
    loose = [
        number[0]
        for match in MARKED.finditer(text)
        for number in re.compile(rf"(?<![\w.-]){NUMBER}").finditer(text, *match.span(1))
        if number.span() not in known and number[0] not in NO_FIGURE
    ]
    assert loose == []


def test_counts_and_shares_of_the_methods_are_between_marks():
    reference = read(METHODS)
    examples = reference[reference.index("\n## 7. ") : reference.index("\n## 8. ")]  # tests/golden recomputes these
    outside = GROWTH.sub("", MARKED.sub("", reference.replace(examples, "")))
    things = "%(?! interval| point| end)|models|rows|runs|records|statements|pairs|totals|sources"
    assert set(re.findall(rf"{NUMBER} (?:{things})", " ".join(outside.split()))) == set(DEFINED)


def test_limits_in_security_are_those_of_the_code():
    words = {
        f"one line of at most {plain_text.LONGEST_LINE} characters",
        f"Words of more than {spelling.LONGEST_WORD} characters",
        f"at most {yaml_text.MOST_ENTRIES:,} entries",
        f"end within {Limits(bytes=1).seconds / 60:.0f} minutes",
        f"{quotes.MOST_SECONDS} seconds and {quotes.MOST_MEMORY_BYTES / 1e9:.0f} GB",
        f"at most {quotes.MOST_BYTES:,} bytes",
        f"has {LONGEST_SECONDS:.0f} seconds (`--timeout`) for its whole answer and {MEMORY_BYTES / 1e9:.0f} GB",
        f"is killed after {DEADLINE_SECONDS / 60:.0f} minutes",
    }
    text = read("SECURITY.md")
    assert {phrase for phrase in words if phrase not in text} == set()


def main():
    with database.reading() as connection:
        prepared(connection)
        for document in (README, METHODS):
            text = read(document)
            told = sorted(figures(text, [claim for claim in MOVING + FIXED if claim[0] == document], connection))
            for (start, end), now in reversed(told):
                text = text[:start] + now + text[end:]
            (ROOT / document).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
