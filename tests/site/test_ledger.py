"""Pages' reading of the ledger."""

import pytest

from pipeline.base.paths import ROOT
from pipeline.site import ledger


@pytest.mark.usefixtures("published_database")
def test_chips_are_shown_by_name():
    with ledger.open_ledger(ROOT) as book:
        assert book.chips_named("nvidia-h100-sxm5 + google-tpu-v4") == "NVIDIA H100 SXM5 + Google TPU v4"
        assert book.chips_named(None) is None
        (gpt_3,) = [row for row in book.models if row["model_id"] == "gpt-3"]
        assert gpt_3["hardware"] == book.chips_named("nvidia-v100-sxm2")
