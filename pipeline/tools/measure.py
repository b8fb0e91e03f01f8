"""`python -m pipeline.tools.measure`: time networks on this machine, count their FLOP, and write a measurement record.

Rows are appended to timings.csv, and the same command continues an interrupted run. A failed timing has a row with its
`problem`. The exit code is 1 if nothing could be timed, and 2 for wrong usage.
"""

import argparse
import csv
import itertools
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from pipeline.architectures import counted
from pipeline.architectures.named_networks import network_settings
from pipeline.architectures.network import Lengths
from pipeline.base.paths import RECORDS
from pipeline.formulas.totals import Totals
from pipeline.formulas.utilization import largest_utilization_fraction
from schemas import units
from schemas.spelling import Spellings, find

Row = dict[str, Any]
COLUMNS = (
    "network precision batch step_seconds step_iqr_seconds forward_seconds peak_memory_bytes forward_flop backward_flop"
    " counter_forward_flop counter_backward_flop utilization problem"
).split()
LEAST_STEPS = 5
LSTM = {"family": "lstm_language_model", "layers": 2, "width": 1500, "vocabulary": 10_000, "bias_vectors": 2}
GPT_2 = {
    "family": "transformer_decoder", "layers": 12, "width": 768, "heads": 12, "feed_forward_width": 3072,
    "vocabulary": 50_257, "learned_positions": 1024,
}  # fmt: skip


class Network(NamedTuple):
    """A network to time: settings as in records, the ledger's word for its kind, sequence length (None for images)."""

    settings: Row
    kind: str
    length: int | None = None
    batches: tuple[int, ...] = (1, 64)

    def totals(self) -> Totals:
        """Return our count for one example."""
        return counted(self.settings, Lengths(self.length))


DENSE = "resnet18 resnet34 resnet50 resnet101 resnet152 vgg11 vgg13 vgg16 vgg19 wide_resnet50_2 alexnet".split()
NETWORKS = {
    **{name: Network(network_settings(name), "dense_convolution") for name in DENSE},
    **{name: Network(network_settings(name), "depthwise_convolution") for name in ("mobilenet_v2", "efficientnet_b0")},
    "vit_b_16": Network(network_settings("vit_b_16"), "other_transformer"),
    "lstm_large": Network(LSTM, "recurrent", 35),
    "gpt2": Network(GPT_2, "language_transformer", 1024, (1, 8)),
}
QUICK = {
    "resnet18": Network({**network_settings("resnet18"), "image_size": 64}, "dense_convolution", batches=(2,)),
    "lstm_large": Network({**LSTM, "layers": 1, "width": 32, "vocabulary": 100}, "recurrent", 8, (2,)),
    "gpt2": Network(
        {**GPT_2, "layers": 2, "width": 32, "heads": 2, "feed_forward_width": 64, "vocabulary": 100},
        "language_transformer", 8, (2,),
    ),
}  # fmt: skip


def module(name: str, settings: Row) -> Any:
    """Return the torch module of a network: torchvision's, or one for words, with as many parameters as we count."""
    import torch
    from torch import nn

    if settings["family"] not in ("lstm_language_model", "transformer_decoder"):
        import torchvision

        return torchvision.models.get_model(name)
    words, width, layers = settings["vocabulary"], settings["width"], settings["layers"]

    class Words(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding, self.head = nn.Embedding(words, width), nn.Linear(width, words, bias=name != "gpt2")
            if name == "gpt2":
                sizes = (width, settings["heads"], settings["feed_forward_width"])
                layer = nn.TransformerEncoderLayer(*sizes, activation="gelu", batch_first=True, norm_first=True)
                self.places = nn.Parameter(torch.zeros(settings["learned_positions"], width))
                self.body = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
                self.head.weight = self.embedding.weight
            else:
                self.body = nn.LSTM(width, width, layers, batch_first=True)

        def forward(self, ids: Any) -> Any:
            inside = self.embedding(ids)
            if name != "gpt2":
                return self.head(self.body(inside)[0])
            mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1], device=ids.device, dtype=inside.dtype)
            return self.head(self.body(inside + self.places[: ids.shape[1]], mask=mask, is_causal=True))

    return Words()


def repetitions(runs: Sequence[Callable[[], object]], budget: float, device: str) -> list[float]:
    """Return the time in seconds of each repetition of these parts within a budget, after a warm-up."""
    import torch

    wait = torch.cuda.synchronize if device.startswith("cuda") else lambda: None
    times: list[float] = []
    end = time.perf_counter() + budget
    while len(times) < LEAST_STEPS + 1 or time.perf_counter() < end:
        wait()
        start = time.perf_counter()
        for run in runs:
            run()
        wait()
        times.append(time.perf_counter() - start)
    return times[1:]


def equal_flop(sizes: Sequence[int], budget: float, device: str) -> list[Row]:
    """Return the times of N x N products that take the same 2 N^2 - N operations in FP32, one row per size and way.

    A matrix times a vector is compared with the outer product of two vectors and the sums of its columns or rows
    ("Are All FLOPs Created Equal?"). `time_ratio` is the time divided by that of the matrix and the vector.
    """
    import torch

    rows: list[Row] = []
    for size in sizes:
        matrix, column, line = (torch.rand(shape, device=device) for shape in ((size, size), (size, 1), (1, size)))
        products = {
            "matrix_vector": partial(torch.matmul, matrix, column),
            "outer_column_sum": partial(_summed_outer, column, line, 0),
            "outer_row_sum": partial(_summed_outer, column, line, 1),
        }
        quartiles = {
            way: statistics.quantiles(repetitions([run], budget, device), n=4) for way, run in products.items()
        }
        base = quartiles["matrix_vector"][1]
        rows += [
            {"library": "torch", "size": size, "way": way, "flop": 2 * size**2 - size, "seconds": middle,
             "time_ratio": middle / base, "time_ratio_low_quartile": low / base,
             "time_ratio_high_quartile": high / base}
            for way, (low, middle, high) in quartiles.items()
        ]  # fmt: skip
    return rows


def _summed_outer(column: Any, line: Any, dimension: int) -> Any:
    return (column @ line).sum(dimension)


class Step:
    """One training step on random examples, with its three parts."""

    def __init__(self, name: str, network: Network, batch: int, precision: str, device: str) -> None:
        import torch

        self.torch, self.device = torch, torch.device(device)
        if precision == "tf32" and device == "cpu":
            raise RuntimeError("a CPU has no TF32")
        torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
        torch.backends.cudnn.allow_tf32 = precision == "tf32"
        self.format = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision)
        with self.device:
            self.network = module(name, network.settings).train()
            size = network.settings.get("image_size", 0)
            words = network.settings.get("vocabulary", 1)
            self.input = (
                torch.randint(words, (batch, network.length)) if network.length else torch.randn(batch, 3, size, size)
            )
        parameters = sum(weights.numel() for weights in self.network.parameters())
        if parameters != network.totals().parameters:
            raise RuntimeError(f"torch has {parameters:,} parameters, we count {network.totals().parameters:,}")
        optimizer = torch.optim.AdamW if network.length else torch.optim.SGD
        self.optimizer = optimizer(self.network.parameters(), lr=1e-4)
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=precision == "fp16")

    def forward(self) -> None:
        """Drop the previous gradients and compute the loss against class 0."""
        self.optimizer.zero_grad(set_to_none=True)
        with self.torch.autocast(self.device.type, self.format) if self.format else nullcontext():
            output = self.network(self.input)
            rows = output.reshape(-1, output.shape[-1])
            self.loss = self.torch.nn.functional.cross_entropy(rows, rows.new_zeros(rows.shape[0]).long())

    def backward(self) -> None:
        """Compute the gradients of the last loss."""
        self.scaler.scale(self.loss).backward()

    def update(self) -> None:
        """Update the weights."""
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def counted_flop(self) -> tuple[int, int]:
        """Return forward and backward FLOP of the batch according to torch's FlopCounterMode."""
        from torch.utils.flop_counter import FlopCounterMode

        with FlopCounterMode(display=False) as forward:
            self.forward()
        with FlopCounterMode(display=False) as backward:
            self.backward()
        return forward.get_total_flops(), backward.get_total_flops()


def timing_row(name: str, network: Network, batch: int, precision: str, device: str, seconds: float) -> Row:
    """Return the row of one timing."""
    step = Step(name, network, batch, precision, device)
    forward, whole = ([step.forward], [step.forward, step.backward, step.update])
    times, ours = repetitions(whole, seconds, device), network.totals()
    low, median, high = statistics.quantiles(times, n=4)
    counter = step.counted_flop()
    return {
        "step_seconds": median, "step_iqr_seconds": high - low,
        "forward_seconds": statistics.median(repetitions(forward, seconds / 3, device)),
        "peak_memory_bytes": step.torch.cuda.max_memory_allocated() if step.device.type == "cuda" else "",
        "forward_flop": ours.forward_flop, "backward_flop": ours.backward_flop,
        "counter_forward_flop": counter[0] / batch, "counter_backward_flop": counter[1] / batch,
    }  # fmt: skip


def chip_of(name: str) -> tuple[str | None, dict[str, float]]:
    """Return a chip's id and its peaks in FLOP/s by precision. The id is None if the ledger lacks the chip."""
    files = {file.stem: yaml.safe_load(file.read_text()) for file in sorted((RECORDS / "hardware").glob("*.yaml"))}
    names = {word: stem for stem, chip in files.items() for word in (stem, chip["name"], *chip.get("aliases", ()))}
    identifier = find(name, Spellings(names))
    peaks = files[identifier]["peaks"] if identifier else {}
    return identifier, {precision: units.amount(peak["value"], "flop_per_second") for precision, peak in peaks.items()}


def record(rows: list[Row], networks: dict[str, Network], machine: dict[str, str], chip: str | None) -> tuple[str, Row]:
    """Return the record's id and content, with each network's largest batch, because only that fills the chip."""
    used = [row for row in rows if not row["problem"]]
    largest = {
        name: max(int(row["batch"]) for row in used if row["network"] == name)
        for name in {row["network"] for row in used}
    }
    accepted, rejected = [], []
    for row in (row for row in used if int(row["batch"]) == largest[row["network"]]):
        network, batch, seconds = networks[row["network"]], int(row["batch"]), float(row["step_seconds"])
        throughput = f"{batch / seconds:.6g} {'sequence' if network.length else 'image'}_per_second"
        name = _id(f"{row['network']} {row['precision']} batch {batch}")
        note = f"step {seconds:.4g} s, interquartile range {float(row['step_iqr_seconds']):.2g} s."
        share = float(row["utilization"] or 0)
        reason = (
            "unknown_precision"
            if not share
            else "above_peak"
            if share > largest_utilization_fraction(network.kind, row["precision"])
            else None
        )
        if chip is None or reason:
            rejected.append(
                {
                    "row": name,
                    "reason": reason if chip else "unknown_chip",
                    "note": f"{throughput}, {row['precision']}. {note}",
                }
            )
            continue
        accepted.append(
            {"row": name, "architecture": _id(row["network"]), "network": network.kind, "chip": chip, "chips": 1,
             "precision": row["precision"], "batch": batch,
             **({"sequence_length": network.length} if network.length else {}), "timed": "step", "note": note,
             "throughput": {"value": throughput, "source": "run",
                            "via": f"timings.csv: {row['network']}, {row['precision']}, batch {batch}"}}
        )  # fmt: skip
    title = "; ".join(f"{key} {value}" for key, value in machine.items())
    return f"measured-{_id(chip or machine['device'])}-{machine['date']}", {
        "name": f"FLOP Ledger measuring harness on {machine['device']}, {machine['date']}", "licence": "CC-BY-4.0",
        "run": "script",
        "sources": {"run": {"title": title, "year": int(machine["date"][:4])}},
        "architectures": {_id(name): {"source": "run", **networks[name].settings} for name in largest},
        "note": "Written by python -m pipeline.tools.measure; random inputs, median steps; SGD for images, AdamW for"
            " sequences.",
        "rows": accepted, "rejected": rejected,
    }  # fmt: skip


def _id(name: str) -> str:
    return "-".join(re.findall("[a-z0-9]+", name.lower()))


def main(words: Sequence[str] | None = None) -> int:
    """Measure with these arguments, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.tools.measure", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="small networks and short timings: a smoke test, also on a CPU"
    )
    parser.add_argument("--only", nargs="+", metavar="NETWORK", choices=NETWORKS, help="time only these networks")
    parser.add_argument("--batch", nargs="+", type=int, metavar="N", help="batch sizes instead of each network's own")
    parser.add_argument("--precision", nargs="+", choices=("fp32", "tf32", "bf16", "fp16"), default=["fp32", "bf16"])
    parser.add_argument("--device", help="cuda, cuda:1 or cpu; default: the GPU if there is one")
    parser.add_argument("--chip", metavar="ID", help="the device's id, name or alias in the ledger")
    parser.add_argument("--seconds", type=float, default=10.0, help="seconds per timing")
    parser.add_argument("--equal-flop", nargs="+", type=int, metavar="N", help="only time N x N products of equal FLOP")
    parser.add_argument("--out", type=Path, default=Path("measured"), metavar="FOLDER")
    args = parser.parse_args(words)
    import torch

    device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    known = QUICK if args.quick else NETWORKS
    networks = {name: known[name] for name in args.only or known if name in known}
    label = torch.cuda.get_device_name(device) if device != "cpu" else "CPU"
    machine = {"device": label, "torch": torch.__version__, "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    chip, peaks = chip_of(args.chip or label)
    if args.chip and chip is None:
        print(f"{args.chip!r} is not a chip in the ledger", file=sys.stderr)
        return 2
    args.out.mkdir(parents=True, exist_ok=True)
    if args.equal_flop:
        products = equal_flop(args.equal_flop, 0.1 if args.quick else args.seconds, device)
        _write(args.out / "equal_flop.csv", [row | machine for row in products], [*products[0], *machine])
        print(args.out / "equal_flop.csv")
        return 0
    file = args.out / "timings.csv"
    rows: list[Row] = list(csv.DictReader(file.open(newline=""))) if file.exists() else []
    done = {(row["network"], row["precision"], int(row["batch"])) for row in rows}
    for (name, network), precision in itertools.product(networks.items(), args.precision):
        for batch in args.batch or network.batches:
            if (name, precision, batch) in done:
                continue
            try:
                row = timing_row(name, network, batch, precision, device, 0.3 if args.quick else args.seconds)
                rate = (row["forward_flop"] + row["backward_flop"]) * batch / row["step_seconds"]
                row["utilization"] = rate / peaks[precision] if precision in peaks else ""
            except Exception as problem:  # the chip lacks the precision or the memory, or a library is not installed
                row = {"problem": " ".join(f"{type(problem).__name__}: {problem}".split())[:200]}
            rows.append(dict.fromkeys(COLUMNS, "") | {"network": name, "precision": precision, "batch": batch} | row)
            _write(file, rows, COLUMNS)
            print(name, precision, batch, rows[-1]["problem"] or f"{rows[-1]['step_seconds']:.4g} s", flush=True)
    if all(row["problem"] for row in rows):
        print("nothing could be measured", file=sys.stderr)
        return 1
    name, content = record(rows, networks, machine, chip)
    place = args.out / "measurements" / f"{name}.yaml"
    place.parent.mkdir(exist_ok=True)
    place.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000))
    print(f"{place}; {file}")
    return 0


def _write(file: Path, rows: list[Row], columns: Sequence[str]) -> None:
    with file.open("w", newline="") as out:
        csv.DictWriter(out, columns).writeheader()
        csv.DictWriter(out, columns).writerows(rows)


if __name__ == "__main__":
    raise SystemExit(main())
