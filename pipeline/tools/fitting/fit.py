"""Fit the three numbers for GPU time by maximum likelihood, and measure the loss from halving or doubling each of the six numbers."""

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
# Log density on one side of the median, at a distance in units of the half-width. Each side has half the probability.
KERNELS: dict[str, Callable[[Any], Any]] = {
    "lomax": lambda distance: -3 * np.log1p(distance),
    "logistic": lambda distance: -distance - 2 * np.log1p(np.exp(-distance)),
    "normal": lambda distance: -(distance**2 + np.log(2 * np.pi)) / 2,
}


def log_density(kernel: str, error_log: Any, up: Any, down: Any) -> Any:
    """Return the log density of errors, ln(truth / estimate), given their half-widths above and below the median."""
    half = np.where(error_log < 0, down, up)
    return KERNELS[kernel](np.abs(error_log) / half) - np.log(half)


def of_pairs(kernel: str, gap_log: Any, logs: Sequence[float]) -> Any:
    """Return the log density of the pairs' GPU times, taking their counts as exact.

    `logs` holds the logarithms of the numbers in OF_TIME; the last may be missing.
    """
    return log_density(kernel, -gap_log - logs[0], np.exp(logs[1]), np.exp(logs[-1]))


def best(kernel: str, gap_log: Any, start: Sequence[float]) -> Any:
    """Return the logarithms that maximize the likelihood. Use Nelder and Mead's method, because the density jumps at the median."""
    options = {"xatol": 1e-4, "fatol": 1e-6, "maxiter": 4000}
    return minimize(lambda logs: -of_pairs(kernel, gap_log, logs).sum(), start, method="Nelder-Mead", options=options).x


def fitted(pairs: pd.DataFrame, start: Sequence[float]) -> dict[str, list[float]]:
    """Return each number in OF_TIME with its 90 % range from bootstrapped groups. `start` holds the initial logarithms."""
    gaps = [fit["gap_log"].to_numpy() for _, fit in pairs.groupby("group")]
    draws = np.random.default_rng(SEED).integers(0, len(gaps), (DRAWS, len(gaps)))
    resampled = [best("logistic", np.concatenate([gaps[place] for place in draw]), start) for draw in draws]
    fit = best("logistic", pairs["gap_log"].to_numpy(), start)
    return dict(zip(OF_TIME, np.exp([fit, *np.quantile(resampled, (0.05, 0.95), axis=0)]).T.tolist(), strict=True))


def left_out(pairs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the mean log density per pair, in nats, for our model and for simpler ones, fitted without the pair's group.

    Each fit leaves out a fifth of the groups, in 20 random orders. The first model is ours. `gain` is its mean log density
    minus this model's, and `error` is the standard error of `gain`, with each group as one observation.
    """
    gaps, (group_of_pair, names) = pairs["gap_log"].to_numpy(), pd.factorize(pairs["group"], sort=True)
    generator = np.random.default_rng(SEED)
    # Each split gives every group, and thus all its pairs, the number of a fold.
    folds = [generator.permutation(len(names))[group_of_pair] % FOLDS for _ in range(SPLITS)]
    our_densities = None
    starts = {"logistic halves": (-0.3, -1.4, -0.8), "normal halves": (-0.3, -0.5, -0.5), "normal": (-0.4, -0.4)}
    for name, start in starts.items():
        kernel, densities = name.split()[0], np.zeros(len(gaps))
        for test in (fold == number for fold in folds for number in range(FOLDS)):
            densities[test] += of_pairs(kernel, gaps[test], best(kernel, gaps[~test], start)) / SPLITS
        # The first fit is our model, with which the others are compared.
        our_densities = densities if our_densities is None else our_densities
        # Pairs of a group depend on each other, so sum the differences of each group before squaring.
        error = np.sqrt((np.bincount(group_of_pair, our_densities - densities) ** 2).sum()) / len(gaps)
        yield {"name": name, "score": densities.mean(), "gain": (our_densities - densities).mean(), "error": error}


def of_counts(statements: pd.DataFrame) -> Any:
    """Return the log density of adjudicated statements about counted models with one part, except statements that use our chip time."""
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
    """Return the width that fits counts by others best, and the nats lost at half and at double that width and at the stored width.

    `lost_at_half` is negative if so many counts agree that the likelihood grows as the width approaches 0.
    """
    errors, weights = others["error_log"].to_numpy(), others["weight"].to_numpy()

    def likelihood(width: float) -> float:
        return float((weights * log_density("lomax", errors, width, width)).sum())

    bounds = (np.log(1e-4), np.log(10))
    width = float(np.exp(minimize_scalar(lambda log: -likelihood(np.exp(log)), bounds=bounds, method="bounded").x))
    near = {"lost_at_half": width / 2, "lost_at_double": width * 2, "lost_in_use": stored}
    return {"fitted": width} | {name: likelihood(width) - likelihood(value) for name, value in near.items()}


def lost(connection: duckdb.DuckDBPyConnection, pairs: pd.DataFrame, name: str) -> tuple[float, float]:
    """Return the nats lost by halving and by doubling one number (for `whole_run`, its logarithm), with the others as stored."""
    stored = evidence.numbers(connection)

    def likelihood(value: float) -> float:
        """Return the log-likelihood if the number has this value. Numbers of GPU time are judged by pairs, others by counts."""
        numbers = {**stored, name: value}
        evidence.make_headlines(connection, numbers)
        if name not in OF_TIME:
            return float(of_counts(evidence.statements(connection)).sum())
        logs = np.log([numbers[number] for number in OF_TIME])
        return float(of_pairs("logistic", pairs["gap_log"].to_numpy(), logs).sum())

    in_use = stored[name]
    # Half and double the logarithm of a number are its square root and its square.
    half, double = (in_use**0.5, in_use**2) if name == "whole_run" else (in_use / 2, in_use * 2)
    lost_by_half, lost_by_double = likelihood(half), likelihood(double)
    at_present = likelihood(in_use)  # last, so that the connection keeps the stored numbers
    return at_present - lost_by_half, at_present - lost_by_double
