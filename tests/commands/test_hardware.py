"""Chips with their peaks."""

import re

from tests.builders import records_of, typed


def test_a_chip_has_peaks_with_evidence_and_models(records):
    done = typed("hardware", "A100 80GB")
    assert "  bf16: 3.12e14 FLOP/s (quoted)" in done.stdout
    assert "memory bandwidth: 1555 GB/s" in done.stdout
    assert re.search(r"^models trained on it: .*bloom-176b", done.stdout, re.MULTILINE)
    names, *rows = records_of(typed("hardware"))
    assert len(rows) == len(records.hardware)
    assert names[0] == "hardware_id"
