"""The page on imputation."""

from tests.site.report.builders import drawn, error_row, hidden_row, peak_row


def test_imputation_says_what_the_rows_say():
    hidden = [
        hidden_row("epochs_assumed", "one_pass", -0.2),
        hidden_row("derived", "two_a_parameter", 0.5, is_in_interval=False),
        hidden_row("peak_by_year", "year_default", 0.3),
        hidden_row("peak_by_year", "year_mean_of_ledger", 0.1),  # another way to fill the same fact
        hidden_row("training_flop", "operation_count", 0.5),
        hidden_row("training_flop", "operation_count", 3.0, is_in_interval=False),
    ]
    errors = [error_row("derived", "two_a_parameter", share=0.5)]
    page = drawn(
        "imputation",
        imputation_backtests=hidden,
        imputation_errors=errors,
        year_peak_comparison=[peak_row("epoch")],
    )
    page = " ".join(page.split())
    assert "Of 3 such facts of 3 models, the 90 % interval of the imputed value contains 2 (67 %)" in page
    assert "contains 1 of 2 (50 %), and 1 of the 1 that are within 2× of it (100 %)" in page
    assert (
        "More than ten percentage points below 90 %: operations of a network by 2 FLOP a parameter (50 % of 10)" in page
    )
    # e^0.1, e^-0.1 and e^0.2 of the row
    assert '×1.11</td><td class="n">×0.90</td><td class="n">×1.22' in page.replace("</td> <td", "</td><td")
