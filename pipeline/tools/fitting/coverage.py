"""How many statements of others lie in the published intervals."""

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import beta

INTERVALS = {95: ("p2_5", "p97_5"), 90: ("low", "high"), 80: ("p10", "p90"), 50: ("p25", "p75")}  # by their percent


def share(held: Any) -> dict[str, Any]:
    """How many are held, of how many, and the 90 % Jeffreys interval of the share."""
    found, number = int(np.sum(held)), len(held)
    low, high = beta.ppf((0.05, 0.95), found + 0.5, number - found + 0.5)
    return {"held": found, "number": number, "low": float(low), "high": float(high)}


def held(own: pd.DataFrame, column: str, level: int) -> dict[str, Any]:
    """How many statements the interval of this percent holds; `column` is `stated_flop` or `adjudicated_flop`."""
    own = own.dropna(subset=column)
    low, high = INTERVALS[level]
    return share(own[column].between(own[f"training_flop_{low}"], own[f"training_flop_{high}"]))


def ranks(own: pd.DataFrame) -> list[dict[str, Any]]:
    """Between which percents of the headline adjudicated statements lie, and how many would if widths were right."""
    own = own.dropna(subset="adjudicated_flop")
    lows, highs = zip(*INTERVALS.values(), strict=True)
    above = sum((own["adjudicated_flop"] >= own[f"training_flop_{end}"]).to_numpy(int) for end in (*lows, *highs))
    percents = sorted([0.0, 100.0, *((100 + sign * level) / 2 for level in INTERVALS for sign in (-1, 1))])
    return [
        {"low": low, "high": high, "held": int(np.sum(above == place)), "expected": (high - low) / 100 * len(own)}
        for place, (low, high) in enumerate(zip(percents, percents[1:], strict=False))
    ]
