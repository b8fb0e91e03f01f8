"""Rows of chips: the precisions that a rule may choose for them."""

import yaml

from pipeline.records import loading
from pipeline.rules.ingestion.hardware import hardware
from tests.builders import miniature_defaults

# methods, section 3: the best 16-bit format; if two are equally fast, large runs since Ampere state bf16.
BEST = {
    "both": ({"fp32": 10, "fp16": 100, "bf16": 100}, "bf16"),
    "both-the-other-way-round": ({"fp32": 10, "bf16": 100, "fp16": 100}, "bf16"),
    "slow-bf16": ({"fp32": 10, "fp16": 100, "bf16": 50}, "fp16"),
    "slow-fp16": ({"fp32": 10, "fp16": 20, "bf16": 100}, "bf16"),
    "fast-fp32": ({"fp32": 90, "fp16": 100, "bf16": 100}, None),
    "nearly-fast": ({"fp32": 100, "fp16": 148.5}, None),  # 0.99 of the ratio of 1.5
    "just-fast": ({"fp32": 100, "fp16": 151.5}, "fp16"),
}


def test_where_fp16_is_no_faster_bf16_is_the_best(tmp_path, params):
    (tmp_path / "hardware").mkdir()
    for name, (peaks, _) in BEST.items():
        fact = {"source": "sheet", "note": "As here."}
        stated = {each: {"value": f"{peak} teraflop_per_second", **fact} for each, peak in peaks.items()}
        chip = {
            "name": name.title(),
            "manufacturer": "Maker",
            "released": {"value": "2020", "source": "sheet"},
            "peaks": stated,
        }
        content = yaml.safe_dump({**chip, "sources": {"sheet": {"title": "Data sheet"}}}, sort_keys=False)
        (tmp_path / f"hardware/{name}.yaml").write_text(content)
    rows = hardware(loading.load([tmp_path]), params.ingest.fast_16bit_ratio)
    assert {row["hardware_id"]: row["fast_16bit_precision"] for row in rows} == {
        name: best for name, (_, best) in BEST.items()
    }


def test_a_chip_of_one_format_leaves_no_choice(params):
    """The miniature's chips: 100 of 10 TFLOP/s in fp16, and one format each."""
    rows = hardware(miniature_defaults(), params.ingest.fast_16bit_ratio)
    names = ("only_precision", "fast_16bit_precision", "sixteen_bit_ratio")
    assert {row["hardware_id"]: tuple(row[name] for name in names) for row in rows} == {
        "tensor-chip": (None, "fp16", 10),
        "matrix-chip": ("bf16", "bf16", None),
        "small-chip": ("fp32", None, None),
    }
