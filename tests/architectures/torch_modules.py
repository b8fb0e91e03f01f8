"""Modules counted by torch have our layers' counts: `make torch-test`."""

import pytest

from pipeline.architectures import counted
from pipeline.architectures.files import CountError
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
    total, by_kind, _ = count_module(f"torch:{tmp_path / 'own.py'}:{name}", size, length, 1)
    ours = counted({"family": "layers", "input": {"shape": shape}, "layers": layers})
    assert (total.parameters, total.forward_flop, total.backward_flop) == (
        ours.parameters,
        ours.forward_flop,
        ours.backward_flop,
    )
    assert sum(part.forward_flop for part in by_kind.values()) == total.forward_flop


WATCHED = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
@torch.library.custom_op("mine::product", mutates_args=())
def product(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return x @ w
@product.register_fake
def _(x, w):
    return x.new_empty(x.shape[0], w.shape[1])
class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(16, 32))
    def forward(self, x):
        return product(x[0], self.w)
class Fourier(nn.Module):
    def forward(self, x):
        return torch.fft.rfft(x).real
class Attention(nn.Module):
    def forward(self, x):
        return scaled_dot_product_attention(x, x, x, is_causal=True)
class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.table = nn.LayerNorm([5, 16]), nn.EmbeddingBag(10, 8)
    def forward(self, x):
        return self.norm(x), self.table(torch.zeros(2, 3, dtype=torch.long))
def lstm():
    return nn.LSTM(16, 32, batch_first=True)
def gru():
    return nn.GRU(16, 32, batch_first=True)
def elsewhere():
    return nn.Linear(16, 32, device="cpu")
def inputs():
    return (torch.zeros(2, 5, 16),)
"""


# 2 x 5 steps; a gate takes 2 x (16 + 32) x 32 FLOP. Attention: 2 products of 5 x 5 x 16, 2 examples, no mask.
@pytest.mark.parametrize(
    ("name", "forward_flop", "lacking"),
    [
        ("lstm", 10 * 4 * 2 * 48 * 32, []),
        ("gru", 10 * 3 * 2 * 48 * 32, []),
        ("Attention", 2 * 2 * 2 * 25 * 16, []),
        ("Normed", 0, []),
        ("Fourier", 0, ["aten._fft_r2c"]),
        ("Own", 0, ["mine.product", "the backward pass"]),
    ],
)
def test_an_operation_without_a_formula_is_named_and_makes_a_floor(tmp_path, name, forward_flop, lacking):
    (tmp_path / "watched.py").write_text(WATCHED)
    total, _, missing = count_module(f"torch:{tmp_path / 'watched.py'}:{name}", None, None, 1)
    assert total.forward_flop == forward_flop
    assert [words.split(",")[0].split(":")[0] for words in missing] == lacking


def test_a_module_outside_the_meta_device_is_refused(tmp_path):
    (tmp_path / "watched.py").write_text(WATCHED)
    with pytest.raises(CountError, match="tensors outside torch's device meta"):
        count_module(f"torch:{tmp_path / 'watched.py'}:elsewhere", None, None, 1)
