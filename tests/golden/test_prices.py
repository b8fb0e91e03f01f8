"""Numbers in data/records/defaults/cost.yaml that are measured on the price records, recomputed with numpy."""

import math
from collections import defaultdict

import numpy as np
import pytest


@pytest.fixture(scope="module")
def logs(tables, records):
    """Return years and logarithms of each chip's prices by kind, at the terms that the rules use."""
    terms = {row.applies_to: row.value for row in records.defaults["price-terms"].values}
    prices = defaultdict(list)
    for row in tables["hardware_prices"]:
        price = math.log(row["price_usd"] * terms[row["price_terms"]])
        prices[row["price_kind"], row["hardware_id"]].append((row["price_date"].toordinal() / 365.25, price))
    kinds = {kind: [np.array(own) for (its, _), own in prices.items() if its == kind] for kind, _ in prices}
    return {kind: [own for own in chips if len(own) > 1] for kind, chips in kinds.items()}


@pytest.fixture(scope="module")
def cost(records):
    return {row.applies_to: row.value for row in records.defaults["cost"].values}


@pytest.mark.parametrize("kind", ["purchase", "rent"])
def test_decline_and_spread_are_those_of_prices_left_out(logs, cost, kind):
    years, prices = np.concatenate([own - own.mean(axis=0) for own in logs[kind]]).T
    assert -(years @ prices) / (years @ years) == pytest.approx(cost[f"{kind}_decline"], abs=0.005)
    errors = []
    for own in logs[kind]:
        for left_out, (year, price) in enumerate(own):
            others = np.delete(own, left_out, axis=0)
            since = year - others[:, 0]
            carried = others[:, 1] - cost[f"{kind}_decline"] * since
            errors.append(price - np.average(carried, weights=np.exp(-abs(since))))
    assert np.std(errors) == pytest.approx(cost[f"{kind}_log_sd"], abs=0.01)


def test_what_a_year_takes_off_differs_among_chips(logs, cost):
    slopes, variances = [], []
    for own in logs["purchase"]:
        years, prices = (own - own.mean(axis=0)).T
        if len(own) >= 3 and np.ptp(years) >= 1:
            slopes.append(years @ prices / (years @ years))
            rest = prices - slopes[-1] * years
            variances.append(rest @ rest / (len(own) - 2) / (years @ years))
    among = math.sqrt(np.var(slopes, ddof=1) - np.mean(variances))
    assert len(slopes) == 10
    assert among / cost["amortized_per_year"] == pytest.approx(cost["amortized_log_sd"], abs=0.01)
