"""Modules counted by torch have our layers' counts: `make torch-test`."""

import pytest

from pipeline.architectures import counted
from pipeline.architectures.torch_module import count_module

NETWORK = """
import torch
def groups():
    return torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.Conv2d(8, 16, 3, groups=4))
def words():
    return torch.nn.Sequential(torch.nn.Embedding(50, 8), torch.nn.Linear(8, 50))
"""
CONVOLUTIONS = [
    {"kind": "conv2d", "out_channels": 8, "kernel": 3},
    {"kind": "conv2d", "out_channels": 16, "kernel": 3, "groups": 4},
]
WORDS = [{"kind": "embedding", "vocabulary": 50, "width": 8}, {"kind": "linear", "out_features": 50}]


@pytest.mark.parametrize(
    ("name", "size", "length", "shape", "layers"),
    [("groups", 10, None, [3, 10, 10], CONVOLUTIONS), ("words", None, 5, [5], WORDS)],
)
def test_torch_counts_what_our_layers_count(tmp_path, name, size, length, shape, layers):
    (tmp_path / "own.py").write_text(NETWORK)
    total, by_kind = count_module(f"torch:{tmp_path / 'own.py'}:{name}", size, length, 1)
    ours = counted({"family": "layers", "input": {"shape": shape}, "layers": layers})
    assert (total.parameters, total.forward_flop, total.backward_flop) == (
        ours.parameters,
        ours.forward_flop,
        ours.backward_flop,
    )
    assert sum(part.forward_flop for part in by_kind.values()) == total.forward_flop
