"""Count how many totals stated by others fall within the published intervals."""

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import beta

# The ends of the column names for each published interval, by the percentage of values that it should contain.
INTERVALS = {95: ("p2_5", "p97_5"), 90: ("low", "high"), 80: ("p10", "p90"), 50: ("p25", "p75")}


def share(held: Any) -> dict[str, Any]:
    """Return how many values there are, how many are within their intervals, and the 90 % Jeffreys interval of the share."""
    count, number = int(np.sum(held)), len(held)
    low, high = beta.ppf((0.05, 0.95), count + 0.5, number - count + 0.5)
    return {"held": count, "number": number, "low": float(low), "high": float(high)}


def held(rows: pd.DataFrame, column: str, level: int) -> dict[str, Any]:
    """Return the share of statements within the interval of this percentage; `column` is `stated_flop` or `adjudicated_flop`."""
    rows = rows.dropna(subset=column)
    low, high = INTERVALS[level]
    return share(rows[column].between(rows[f"training_flop_{low}"], rows[f"training_flop_{high}"]))


def ranks(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Return how many statements fall between neighboring percentiles of the headline, and the number expected if the widths are right."""
    rows = rows.dropna(subset="adjudicated_flop")
    lows, highs = zip(*INTERVALS.values(), strict=True)
    # For each statement, the number of percentiles that it reaches or exceeds, which is the index of its gap.
    reached = sum((rows["adjudicated_flop"] >= rows[f"training_flop_{end}"]).to_numpy(int) for end in (*lows, *highs))
    percents = sorted([0.0, 100.0, *((100 + sign * level) / 2 for level in INTERVALS for sign in (-1, 1))])
    return [
        {"low": low, "high": high, "held": int(np.sum(reached == gap)), "expected": (high - low) / 100 * len(rows)}
        for gap, (low, high) in enumerate(zip(percents, percents[1:], strict=False))
    ]
