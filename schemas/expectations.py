"""What the published set as a whole must keep, each with its reason: a great_expectations suite, on pandas alone."""

import os
import warnings
from typing import Any

os.environ.setdefault("GX_ANALYTICS_ENABLED", "False")  # read when the library is imported

import great_expectations as gx
import great_expectations.expectations as gxe

from schemas.vocabulary import HeadlineMethod


def suite() -> Any:
    """The expectations of `estimates`."""
    return gx.ExpectationSuite(
        name="estimates",
        expectations=[
            _expect(gxe.ExpectTableRowCountToBeBetween, "an empty release is a broken one", min_value=1),
            _expect(gxe.ExpectColumnValuesToBeUnique, "one row a model", column="model_id"),
            _expect(
                gxe.ExpectColumnValuesToNotBeNull,
                "a ledger where every tenth model has no estimate has lost an input",
                column="training_flop",
                mostly=0.9,
            ),
            _expect(
                gxe.ExpectColumnValuesToBeBetween,
                "Adaline took a few thousand FLOP; nothing has come near 1e28",
                column="training_flop",
                min_value=1e3,
                max_value=1e28,
            ),
            _expect(
                gxe.ExpectColumnPairValuesAToBeGreaterThanB,
                "an interval holds its middle",
                column_A="training_flop_high",
                column_B="training_flop",
                ignore_row_if="either_value_is_missing",
            ),
            _expect(
                gxe.ExpectColumnPairValuesAToBeGreaterThanB,
                "an interval holds its middle",
                column_A="training_flop",
                column_B="training_flop_low",
                ignore_row_if="either_value_is_missing",
            ),
            _expect(
                gxe.ExpectColumnMedianToBeBetween,
                "the two methods may differ model by model, not all in one direction: that would be a wrong constant",
                column="method_ratio",
                min_value=1 / 3,
                max_value=3,
            ),
            _expect(
                gxe.ExpectColumnValuesToBeInSet,
                "readers filter by these words",
                column="headline_method",
                value_set=[word.value for word in HeadlineMethod],
            ),
            _expect(
                gxe.ExpectColumnValueLengthsToBeBetween,
                "every number can be followed back",
                column="sources",
                min_value=8,
            ),
        ],
    )


def _expect(kind: Any, reason: str, **settings: Any) -> Any:
    return kind(notes=reason, **settings)


def broken(estimates: Any) -> list[str]:
    """One line for each expectation that the data frame of estimates does not keep."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        context = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = {"globally": False}
        source = context.data_sources.add_pandas("published")
        batch = (
            source.add_dataframe_asset("estimates")
            .add_batch_definition_whole_dataframe("all")
            .get_batch({"dataframe": estimates})
        )
        result = batch.validate(suite())
    return [_described(each) for each in result.results if not each.success]


def _described(result: Any) -> str:
    settings = result.expectation_config
    columns = [settings.kwargs[key] for key in ("column", "column_A", "column_B") if key in settings.kwargs]
    reason = settings.notes if isinstance(settings.notes, str) else " ".join(settings.notes or [])
    seen = result.result.get("observed_value", result.result.get("partial_unexpected_list"))
    return f"estimates: {' '.join(columns) or 'the table'} fails {settings.type}, found {seen}; {reason}"
