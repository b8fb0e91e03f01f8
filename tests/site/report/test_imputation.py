"""The page on imputation."""

from tests.site.report.builders import drawn, error_row, hidden_row, peak_row


def test_imputation_says_what_the_rows_say():
    hidden = [
        hidden_row("epochs_assumed", "one_pass", -0.2),
        hidden_row("derived", "two_a_parameter", 0.5, is_in_interval=False),
        hidden_row("peak_by_year", "year_default", 0.3),
        hidden_row("peak_by_year", "year_mean_of_ledger", 0.1),  # another way to impute the same fact
    ]
    errors = [error_row("derived", "two_a_parameter", share=0.5)]
    page = drawn(
        "imputation", imputation_backtests=hidden, imputation_errors=errors, year_peak_comparison=[peak_row("epoch")]
    )
    page = " ".join(page.split())
    assert "Of 3 such facts of 3 models, the 90 % interval of the imputed value contains 2 (67 %)" in page
    # e^0.1, e^-0.1 and e^0.2 of the row
    assert '×1.11</td><td class="n">×0.90</td><td class="n">×1.22' in page.replace("</td> <td", "</td><td")
