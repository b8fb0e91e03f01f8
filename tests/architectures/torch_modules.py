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
class Boxes(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.heads = nn.Linear(16, 8), nn.ModuleDict({"last": nn.Linear(8, 4)})
    def forward(self, x):
        x = self.first(x)
        return self.heads["last"](x[x > 0].view(-1, 8))
class Auxiliary(Boxes):
    def forward(self, x):
        return self.first(x)
class Mixed(Boxes):
    def forward(self, x):
        return self.first(x) + torch.zeros(8, device="cpu")
def lstm():
    return nn.LSTM(16, 32, batch_first=True)
def gru():
    return nn.GRU(16, 32, batch_first=True)
def elsewhere():
    return nn.Linear(16, 32, device="cpu")
def trained():
    print("loading")
    torch.hub.load_state_dict_from_url("https://example.org/weights.pth", progress=True)
def sized(width):
    return nn.Linear(16, width)
def words():
    return "a network"
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
        ("Boxes", 10 * 2 * 16 * 8, ["what follows once it reads values", "36 parameters of heads"]),
        ("Auxiliary", 10 * 2 * 16 * 8, ["36 parameters of heads"]),
    ],
)
def test_an_operation_without_a_formula_is_named_and_makes_a_floor(tmp_path, name, forward_flop, lacking):
    (tmp_path / "watched.py").write_text(WATCHED)
    total, _, missing = count_module(f"torch:{tmp_path / 'watched.py'}:{name}", None, None, 1)
    assert total.forward_flop == forward_flop
    assert [words.split(",")[0].split(":")[0] for words in missing] == lacking


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("elsewhere", "tensors outside torch's device meta"),
        ("Mixed", "not on the expected device meta!; count torch:FILE.py:FUNCTION instead"),
        ("trained", "downloads something, and nothing is downloaded here; count torch:FILE.py:FUNCTION instead"),
        ("sized", r"sized\(\) is missing a required argument: 'width'; count torch:FILE.py:FUNCTION instead"),
        ("words", r"words\(\) returns a str, not a torch.nn.Module; count torch:FILE.py:FUNCTION instead"),
        ("lstn", r"has no function lstn; did you mean 'lstm'\? Otherwise count torch:FILE.py:FUNCTION instead"),
    ],
)
def test_a_module_that_is_refused_has_a_way_on_and_prints_nothing(tmp_path, capsys, name, message):
    (tmp_path / "watched.py").write_text(WATCHED)
    with pytest.raises(CountError, match=message):
        count_module(f"torch:{tmp_path / 'watched.py'}:{name}", None, None, 1)
    assert capsys.readouterr() == ("", "")


def test_a_module_that_is_not_installed_is_refused_with_its_name():
    with pytest.raises(CountError, match="No module named 'no_such_package'; install its package"):
        count_module("torch:no_such_package:network", None, None, 1)


def test_a_video_has_frames_and_other_inputs_are_refused_with_their_way_on(tmp_path):
    """Frames x height x width of 4 x 6 x 8, kernels of 1, from 3 to 2 channels."""
    (tmp_path / "own.py").write_text("import torch\ndef video():\n    return torch.nn.Conv3d(3, 2, 1)\n")
    what = f"torch:{tmp_path / 'own.py'}:video"
    assert count_module(what, "8x6x4", None, 1)[0].forward_flop == 2 * 4 * 6 * 8 * 3 * 2
    with pytest.raises(
        CountError,
        match="state --sequence-length for tokens, --image-size 112x112x16 for a video, or count torch:FILE.py:FUNCTION",
    ):
        count_module(what, 8, None, 1)


def test_segmentation_is_counted_without_the_weights_of_its_backbone():
    """33.0M parameters: torchvision's 35.3M, without the auxiliary head (1024 x 256 x 9, 512, 256 x 21 + 21)."""
    total, *_ = count_module("torch:torchvision.models.segmentation:fcn_resnet50", 64, None, 1)
    assert total.parameters == 35_322_218 - 1024 * 256 * 9 - 512 - 256 * 21 - 21
