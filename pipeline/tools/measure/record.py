"""Write the measurement record for a run, as in data/records/measurements, with the throughput of each median step."""

import re
from typing import Any

import pandas as pd
import yaml

from pipeline.base.paths import RECORDS
from pipeline.formulas.utilization import largest_utilization_fraction, utilization_fraction
from pipeline.tools.measure.networks import Network
from schemas import units
from schemas.spelling import Spellings, find


def chip_of(name: str) -> tuple[str | None, dict[str, float]]:
    """Return a chip's id and its peaks in FLOP/s by precision. The id is None if the ledger lacks the chip."""
    files = {file.stem: yaml.safe_load(file.read_text()) for file in sorted((RECORDS / "hardware").glob("*.yaml"))}
    names = {word: stem for stem, chip in files.items() for word in (stem, chip["name"], *chip.get("aliases", ()))}
    identifier = find(name, Spellings(names))
    peaks = files[identifier]["peaks"] if identifier else {}
    return identifier, {precision: units.amount(peak["value"], "flop_per_second") for precision, peak in peaks.items()}


def record(
    rows: pd.DataFrame, networks: dict[str, Network], machine: dict[str, str], chip: str | None, peaks: dict[str, float]
) -> tuple[str, str]:
    """Return the record's id and YAML, with only each network's largest batch, because smaller ones do not fill the chip.

    Mark a timing as rejected if its precision has no peak, or if it is faster than the chip can be.
    """
    accepted, rejected = [], []
    largest = rows.groupby("network").batch.transform("max")
    for row in rows[rows.batch == largest].to_dict("records"):
        network = networks[row["network"]]
        throughput = f"{row['batch'] / row['step_seconds']:.6g} {network.unit}_per_second"
        name = "-".join(map(str, (row["network"], row["precision"], row["layout"], row["mode"], "batch", row["batch"])))
        note = f"{row['layout']}, {row['mode']}; step {row['step_seconds']:.4g} s, interquartile range {row['step_iqr_seconds']:.2g} s."
        reason = _rejection(row, network, chip, peaks)
        if reason:
            rejected.append({"row": _id(name), "reason": reason, "note": f"{throughput}, {row['precision']}. {note}"})
            continue
        length = {"sequence_length": network.sequence_length} if network.sequence_length else {}
        accepted.append(
            {"row": _id(name), "architecture": _id(network.name), "network": network.kind, "chip": chip, "chips": 1,
             "precision": row["precision"], "batch": row["batch"], **length, "timed": "step", "note": note,
             "throughput": {"value": throughput, "source": "run", "via": f"timings.csv: {row['network']}, {row['precision']}, {row['layout']}, {row['mode']}, batch {row['batch']}"}}
        )  # fmt: skip
    used = {name: networks[name] for name in dict.fromkeys(rows.network)}
    content = {
        "name": f"FLOP Ledger measuring harness on {machine['device']}, {machine['date']}",
        "licence": "CC-BY-4.0",
        "run": "script",
        "sources": {
            "run": {
                "title": "; ".join(f"{key} {value}" for key, value in machine.items()),
                "year": int(machine["date"][:4]),
            }
        },
        "architectures": {_id(name): {"source": "run", **network.settings} for name, network in used.items()},
        "note": "Written by python -m pipeline.tools.measure; random inputs, median steps; SGD for images, AdamW for sequences.",
        "rows": accepted,
        "rejected": rejected,
    }
    name = f"measured-{_id(chip or machine['device'])}-{machine['date']}"
    return name, yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000)


def _rejection(row: dict[str, Any], network: Network, chip: str | None, peaks: dict[str, float]) -> str | None:
    """Return why a timing cannot be used, as a word of the vocabulary, or None: an unknown chip, an unknown peak, or a speed above what is possible."""
    if chip is None or row["precision"] not in peaks:
        return "unknown_precision" if chip else "unknown_chip"
    total = network.totals()
    rate = (total.forward_flop + total.backward_flop) * row["batch"] / row["step_seconds"]
    reached = utilization_fraction(rate, 1, peaks[row["precision"]])
    return "above_peak" if reached > largest_utilization_fraction(network.kind, row["precision"]) else None


def _id(name: str) -> str:
    return "-".join(re.findall("[a-z0-9]+", name.lower()))
