"""Read one MLPerf Training log: when the run began and ended, the examples it saw, and the time spent on evaluations.

Lines have the format of MLCommons' logging package (github.com/mlcommons/logging): `:::MLLOG` and a JSON object with
`time_ms`, `key`, `value` and `metadata`.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

MARK = ":::MLLOG"
LEAST_SAMPLES = 100_000  # for BERT: a smaller number counts epochs or steps, which are logged under the same key
GPT3_SEQUENCE_LENGTH = 2048  # in tokens; the logs of GPT-3 count tokens
LEAST_READINGS = 10  # power readings per node during a run
NEAR = 1.01  # two counts of a run's samples agree if they differ by at most this factor


class LogError(Exception):
    """A log without a usable measurement. The message is a sentence."""


@dataclass(frozen=True)
class Run:
    """A run that reached its target.

    Times are in seconds, examples in the benchmark's unit (images, sequences). None means that the log has no value.
    """

    examples_seen: float | None
    batch: int | None
    division: str | None  # "closed" means the benchmark's own network and target
    start_ms: float  # milliseconds since 1970
    run_seconds: float
    evaluation_seconds: float | None

    @property
    def rate(self) -> float:
        """Return the examples per second outside evaluations, or the runs per second if the log does not count examples."""
        return (self.examples_seen or 1.0) / (self.run_seconds - (self.evaluation_seconds or 0.0))


@dataclass(frozen=True)
class _Event:
    time_ms: float
    key: str
    value: Any
    metadata: Mapping[str, Any]


def read(text: str, benchmark: str) -> Run:
    """Return the run in a log.

    Raises: LogError: the log is truncated, in another format, or describes several runs or a failed run.
    """
    events = sorted(_events(text), key=lambda event: event.time_ms)
    start, stop = _ends(events)
    batches = [event.value for event in events if event.key == "global_batch_size"]
    # The last lines of BERT and GPT-3 follow run_stop within a second. Stable Diffusion's evaluations follow hours
    # later.
    inside = [event for event in events if start.time_ms <= event.time_ms <= stop.time_ms + 1000]
    batch = int(batches[-1]) if batches else None
    examples = _examples(benchmark, events, inside, stop, batch)
    if examples is not None and not 0 < examples < math.inf:
        raise LogError("its number of samples is not a positive number")
    divisions = [event.value for event in events if event.key == "submission_division"]
    seconds = (stop.time_ms - start.time_ms) / 1000
    evaluation = _evaluation_seconds(inside)
    if evaluation is not None and evaluation >= seconds:
        raise LogError("its evaluations take longer than the run")
    division = str(divisions[-1]).lower() if divisions else None
    return Run(examples, batch, division, start.time_ms, seconds, evaluation)


def node_watts(texts: Iterable[str], run: Run) -> float | None:
    """Return the mean power of a node during the run, given one power log per node; None if a node has too few readings."""
    nodes = []
    for text in texts:
        readings = (event for event in _events(text) if event.key == "power_reading")
        watts_in_run = [
            float(line.value) for line in readings if 0 <= line.time_ms - run.start_ms <= 1000 * run.run_seconds
        ]
        if len(watts_in_run) < LEAST_READINGS:
            return None
        nodes.append(fmean(watts_in_run))
    return fmean(nodes) if nodes else None


def _events(text: str) -> Iterator[_Event]:
    """Yield the events of a log in MLPerf's format. Skip other lines, and events that are cut off or mixed with other output."""
    for line in text.splitlines():
        _, mark, event_text = line.partition(MARK)
        if not mark:
            continue
        try:
            event = json.loads(event_text)
            yield _Event(float(event["time_ms"]), event["key"], event.get("value"), event.get("metadata") or {})
        except (ValueError, KeyError, TypeError, AttributeError):
            continue  # several processes may write to the same line


def _ends(events: list[_Event]) -> tuple[_Event, _Event]:
    """Return the first start and the last stop of the run. Raise LogError if the log is not of a single, successful run.

    Several processes may log the start and the stop, but in a single run every stop follows every start.
    """
    if not events:
        raise LogError("it has no line in MLPerf's format")
    starts = [event for event in events if event.key == "run_start"]
    stops = [event for event in events if event.key == "run_stop"]
    if not starts or not stops:
        raise LogError("it is cut off: no run_start or no run_stop")
    if any(stop.time_ms <= start.time_ms for stop in stops for start in starts):
        raise LogError("it contains several runs, or its times go backwards")
    if stops[-1].metadata.get("status") != "success":
        raise LogError("the run did not reach its target")
    return starts[0], stops[-1]


def _examples(
    benchmark: str, events: list[_Event], inside: list[_Event], stop: _Event, batch: int | None
) -> float | None:
    """Return the number of examples that a run saw, or None if its log lacks it. Each benchmark logs it in its own place.

    Despite its name, `epoch_num` counts epochs only for images; it may count sequences for BERT, and counts tokens for GPT-3.
    """
    match benchmark:
        case "resnet" | "ssd" | "retinanet" | "maskrcnn" | "unet3d":
            epochs = _last(inside, "eval_accuracy", "epoch_num")
            images = [event.value for event in events if event.key == "train_samples"]
            return epochs * images[-1] if epochs and images else None
        case "bert":
            seen = _last(inside, "eval_accuracy", "epoch_num") or _last(inside, "eval_accuracy", "samples_count") or 0
            logged = [event.value for event in inside if event.key == "train_samples"]
            return seen if seen > LEAST_SAMPLES else float(logged[-1]) if logged else None
        case "gpt3":
            tokens = _last(inside, "eval_accuracy", "epoch_num")
            return tokens / GPT3_SEQUENCE_LENGTH if tokens else None
        case "stable_diffusion":
            return _diffusion_examples(events, stop, batch)
        case _:
            seen = stop.metadata.get("samples_count") or _last(inside, "eval_accuracy", "samples_count")
            return float(seen) if seen else None


def _diffusion_examples(events: list[_Event], stop: _Event, batch: int | None) -> float | None:
    """Return steps times batch; raise LogError if evaluations counted samples, but never this number."""
    steps = stop.metadata.get("step_num")
    if not steps or not batch:
        return None
    examples = float(steps) * batch
    counted = {event.metadata["samples_count"] for event in events if event.metadata.get("samples_count")}
    if counted and not any(1 / NEAR < examples / count < NEAR for count in counted):
        raise LogError("no count of samples in the log equals steps times batch")
    return examples


def _last(events: list[_Event], key: str, item: str) -> float | None:
    values = [event.metadata[item] for event in events if event.key == key and event.metadata.get(item)]
    return float(values[-1]) if values else None


def _evaluation_seconds(inside: list[_Event]) -> float | None:
    """Return the time spent on evaluations, counting overlaps once; None if the log has no evaluations."""
    start, spans = None, []
    for event in inside:
        if event.key == "eval_start" and start is None:
            start = event.time_ms
        elif event.key == "eval_stop" and start is not None:
            spans.append(event.time_ms - start)
            start = None
    return math.fsum(spans) / 1000 if spans else None


def spread(rates: list[float]) -> float | None:
    """Return the standard deviation of the logarithms of the rates of repeated runs, or None for fewer than two runs."""
    return stdev(map(math.log, rates)) if len(rates) > 1 else None
