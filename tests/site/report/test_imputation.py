"""The page on imputation."""

from pipeline.site.report import imputation
from tests.site.report.builders import NEAR, drawn, error_row, hidden_row, peak_row


def test_imputation_says_what_the_rows_say():
    hidden = [
        hidden_row("epochs_assumed", "one_pass", -0.2),
        hidden_row("derived", "two_a_parameter", 0.5, is_in_interval=False),
        hidden_row("peak_by_year", "year_default", 0.3),
        hidden_row("peak_by_year", "year_mean_of_ledger", 0.1),  # another way to fill the same fact
        hidden_row("training_flop", "operation_count", 0.5),
        hidden_row("training_flop", "operation_count", 3.0, is_in_interval=False),
    ]
    page = " ".join(
        drawn(
            imputation, hidden, [error_row("derived", "two_a_parameter", share=0.5)], [peak_row("epoch")], NEAR
        ).split()
    )
    assert "Of 3 such facts of 3 models, the 90 % interval of the imputed value contains 2 (67 %)" in page
    assert "contains 1 of 2 (50 %), and 1 of the 1 that are within 2× of it (100 %)" in page
    assert (
        "More than ten percentage points below 90 %: operations of a network by 2 FLOP a parameter (50 % of 10)" in page
    )
    # e^0.1, e^-0.1 and e^0.2 of the row
    assert '×1.11</td><td class="n">×0.90</td><td class="n">×1.22' in page.replace("</td> <td", "</td><td")


def test_external_estimates_are_inside_or_outside_the_interval():
    errors = [("a", -0.6, True), ("a", -0.75, False), ("b", 0.5, True), ("b", 2.3, False)]
    rows = [
        {**hidden_row("training_flop", "operation_count", error, held), "model_id": name}
        for name, error, held in errors
    ]
    found = imputation.numbers([*rows, hidden_row("derived", "two_a_parameter", 0.1)], [], NEAR)
    assert (found["headlines"], found["headlines_models"], found["headlines_held"]) == (4, 2, 2)
    assert [row["log_error"] for row in found["near"]] == [-0.6, 0.5]  # ln 2 is 0.69
