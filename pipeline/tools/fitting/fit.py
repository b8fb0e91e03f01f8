"""Maximum likelihood of the three numbers of GPU time, and what half and double of each of the six would lose."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from scipy.optimize import minimize, minimize_scalar

from pipeline.tools.fitting import evidence

OF_COUNTS = ("confirmed", "stated", "weak")
OF_TIME = ("whole_run", "gpu_time_up", "gpu_time_down")
FOLDS, SPLITS, DRAWS, SEED = 5, 20, 200, 20261123
# Log density on one side of the middle, where half of the probability lies, by the distance in halves of the error.
KERNELS: dict[str, Callable[[Any], Any]] = {
    "lomax": lambda distance: -3 * np.log1p(distance),
    "logistic": lambda distance: -distance - 2 * np.log1p(np.exp(-distance)),
    "normal": lambda distance: -(distance**2 + np.log(2 * np.pi)) / 2,
}


def log_density(kernel: str, error_log: Any, up: Any, down: Any) -> Any:
    """Log density of errors, ln(truth / estimate), by the half of the error on their side."""
    half = np.where(error_log < 0, down, up)
    return KERNELS[kernel](np.abs(error_log) / half) - np.log(half)


def of_pairs(kernel: str, gap_log: Any, logs: Sequence[float]) -> Any:
    """The same of GPU times beside counts that are right.

    `logs` are of the numbers of OF_TIME, the last may be missing.
    """
    return log_density(kernel, -gap_log - logs[0], np.exp(logs[1]), np.exp(logs[-1]))


def best(kernel: str, gap_log: Any, start: Sequence[float]) -> Any:
    """The logarithms of largest likelihood. By Nelder and Mead, since the density jumps in the middle."""
    options = {"xatol": 1e-4, "fatol": 1e-6, "maxiter": 4000}
    return minimize(lambda logs: -of_pairs(kernel, gap_log, logs).sum(), start, method="Nelder-Mead", options=options).x


def fitted(pairs: pd.DataFrame, start: Sequence[float]) -> dict[str, list[float]]:
    """Each number of OF_TIME, and its 90 % range where groups are drawn with replacement. `start` has logarithms."""
    gaps = [fit["gap_log"].to_numpy() for _, fit in pairs.groupby("group")]
    draws = np.random.default_rng(SEED).integers(0, len(gaps), (DRAWS, len(gaps)))
    drawn = [best("logistic", np.concatenate([gaps[place] for place in draw]), start) for draw in draws]
    fit = best("logistic", pairs["gap_log"].to_numpy(), start)
    return dict(zip(OF_TIME, np.exp([fit, *np.quantile(drawn, (0.05, 0.95), axis=0)]).T.tolist(), strict=True))


def left_out(pairs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Mean log density of a pair, in nats, by fits without its group: of the model, and of simpler ones beside it.

    A fifth of the groups is left out at a time, in 20 orders. `gain` is the model's over this one, `error` its standard
    error over groups.
    """
    gaps, (place, names) = pairs["gap_log"].to_numpy(), pd.factorize(pairs["group"], sort=True)
    chance = np.random.default_rng(SEED)
    folds = [chance.permutation(len(names))[place] % FOLDS for _ in range(SPLITS)]
    ours = None
    starts = {"logistic halves": (-0.3, -1.4, -0.8), "normal halves": (-0.3, -0.5, -0.5), "normal": (-0.4, -0.4)}
    for name, start in starts.items():
        kernel, densities = name.split()[0], np.zeros(len(gaps))
        for test in (fold == number for fold in folds for number in range(FOLDS)):
            densities[test] += of_pairs(kernel, gaps[test], best(kernel, gaps[~test], start)) / SPLITS
        ours = densities if ours is None else ours
        error = np.sqrt((np.bincount(place, ours - densities) ** 2).sum()) / len(gaps)
        yield {"name": name, "score": densities.mean(), "gain": (ours - densities).mean(), "error": error}


def of_counts(statements: pd.DataFrame) -> Any:
    """Log density of adjudicated statements about counts of one part, without those of the ledger's own chip time."""
    adjudicated = statements.dropna(subset="adjudicated_flop").query(
        "is_one_part and shape == 'operation_count' and inputs != 'same_time'"
    )
    return log_density(
        "lomax",
        np.log(adjudicated["adjudicated_flop"] / adjudicated["training_flop"]) - adjudicated["lean_log"],
        adjudicated["up_log"],
        adjudicated["down_log"],
    )


def of_other_counts(others: pd.DataFrame, stored: float) -> dict[str, float]:
    """The width of counts that others' counts alone make likeliest, and the nats that half, double and the number in use lose.

    Half of it loses less than nothing where so many counts are the same that the likelihood grows towards 0.
    """
    errors, weights = others["error_log"].to_numpy(), others["weight"].to_numpy()

    def likelihood(width: float) -> float:
        return float((weights * log_density("lomax", errors, width, width)).sum())

    bounds = (np.log(1e-4), np.log(10))
    width = float(np.exp(minimize_scalar(lambda log: -likelihood(np.exp(log)), bounds=bounds, method="bounded").x))
    near = {"lost_at_half": width / 2, "lost_at_double": width * 2, "lost_in_use": stored}
    return {"fitted": width} | {name: likelihood(width) - likelihood(value) for name, value in near.items()}


def lost(connection: duckdb.DuckDBPyConnection, pairs: pd.DataFrame, name: str) -> tuple[float, float]:
    """Nats that half and double of a number lose, the others as in use; of whole_run, those of its logarithm."""
    stored, sums = evidence.numbers(connection), []
    near = [stored[name] ** 0.5, stored[name] ** 2] if name == "whole_run" else [stored[name] / 2, stored[name] * 2]
    for value in (*near, stored[name]):
        numbers = {**stored, name: value}
        evidence.make_headlines(connection, numbers)
        gaps, logs = pairs["gap_log"].to_numpy(), np.log([numbers[number] for number in OF_TIME])
        is_of_time = name in OF_TIME
        sums.append(of_pairs("logistic", gaps, logs) if is_of_time else of_counts(evidence.statements(connection)))
    half, double, in_use = (float(densities.sum()) for densities in sums)
    return in_use - half, in_use - double
