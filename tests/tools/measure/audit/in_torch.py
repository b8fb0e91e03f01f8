"""The networks of `make audit` in torch: how the counters see each case.

A counter may be right for nn.Linear and wrong for the same product as an einsum. Functions of torch are looked up at
each call, because some counters patch them.
"""

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

from pipeline.tools.measure.layers import MODULES, recurrent, torch_module, wired


def _weighted(run, *shape):
    """Return a layer whose product with its weight is written out: `run(x, weight)`."""
    return wired(lambda self, x: run(x, self.weight), weight=nn.Parameter(torch.randn(*shape)))


def _convolution(name):
    def made(shape, *, out_channels, kernel, has_bias, **sizes):
        return getattr(nn, name)(shape[0], out_channels, kernel, bias=has_bias, **sizes)

    return made


class _CrossAttention(nn.Module):
    def __init__(self, shape, *, heads, head_width, source_positions, source_width):
        super().__init__()
        sizes = {"kdim": source_width, "vdim": source_width}
        self.layer = nn.MultiheadAttention(shape[1], heads, bias=False, batch_first=True, **sizes)

    def forward(self, x, source):
        return self.layer(x, source, source, need_weights=False)[0]


def _by_products(queries, keys, values):
    return (queries @ keys.transpose(-2, -1) * queries.shape[-1] ** -0.5).softmax(-1) @ values


def _multihead(needs_weights, bias=False):
    layer = nn.MultiheadAttention(16, 4, bias=bias, batch_first=True)
    return wired(lambda self, x: self.layer(x, x, x, need_weights=needs_weights)[0], layer=layer)


def _in_inference(module):
    """Return a module that runs without gradients, where torch takes its own fast path."""
    return wired(torch.no_grad()(lambda self, x: self.module(x)), module=module)


def _unrolled(self, x):
    state, out = None, []
    for step in range(6):
        state = self.cell(x[:, step], state)
        out.append(state[0])
    return torch.stack(out, 1)


def _experts(shape, *, experts, experts_per_token, expert_width, shared_experts):
    """Return a loop over gated experts, each on the tokens that chose it."""

    def forward(self, x):
        tokens = x.flatten(0, 1)
        weights, chosen = self.router(tokens).softmax(-1).topk(experts_per_token)
        out = sum((expert(tokens) for expert in self.shared), torch.zeros_like(tokens))
        for index, expert in enumerate(self.experts):
            rows, places = torch.where(chosen == index)
            out = out.index_add(0, rows, expert(tokens[rows]) * weights[rows, places, None])
        return out.view_as(x)

    gated = {"width": expert_width, "is_gated": True}
    made = [torch_module("feed_forward", shape, gated) for _ in range(experts + shared_experts)]
    router = nn.Linear(shape[1], experts, bias=False)
    parts = {"experts": nn.ModuleList(made[:experts]), "shared": nn.ModuleList(made[experts:])}
    return wired(forward, router=router, **parts)


def _square():
    return nn.Linear(32, 32, bias=False)


def _tied():
    table, head = nn.Embedding(50, 16), nn.Linear(16, 50, bias=False)
    head.weight = table.weight
    return nn.Sequential(table, head)


# Layers that no timed network has.
MODULES |= {
    "conv1d": _convolution("Conv1d"),
    "conv3d": _convolution("Conv3d"),
    "conv_transpose2d": _convolution("ConvTranspose2d"),
    "rnn": recurrent("rnn"),
    "gru": recurrent("gru"),
    "cross_attention": _CrossAttention,
    "mixture_of_experts": _experts,
    "average_pool2d": lambda shape, kernel, stride, padding: nn.AvgPool2d(kernel, stride, padding),
    "group_norm": lambda shape, groups: nn.GroupNorm(groups, shape[0]),
    "upsample2d": lambda shape, factor: nn.Upsample(scale_factor=factor),
    "local_response_norm": lambda shape, size: nn.LocalResponseNorm(size),
}
# Cases of several layers, and layers written in another way than in `pipeline.tools.measure.layers`.
NAMED = {
    "linear: F.linear": lambda: _weighted(lambda x, weight: F.linear(x, weight), 48, 32),
    "linear: x @ weight": lambda: _weighted(lambda x, weight: x @ weight.T, 48, 32),
    "linear: einsum": lambda: _weighted(lambda x, weight: torch.einsum("bi,oi->bo", x, weight), 48, 32),
    "linear: the same module twice": lambda: wired(lambda self, x: self.layer(self.layer(x)), layer=_square()),
    "linear: low-rank adapter on a frozen layer": lambda: wired(
        lambda self, x: self.base(x) + self.out(self.down(x)),
        base=nn.Linear(32, 48, bias=False).requires_grad_(False),
        down=nn.Linear(32, 4, bias=False),
        out=nn.Linear(4, 48, bias=False),
    ),
    "linear: on a frozen layer": lambda: nn.Sequential(_square().requires_grad_(False), nn.Linear(32, 48, bias=False)),
    "conv2d: F.conv2d": lambda: _weighted(lambda x, weight: F.conv2d(x, weight), 6, 4, 3, 3),
    "lstm: two layers": lambda: wired(
        lambda self, x: self.layer(x)[0], layer=nn.LSTM(10, 12, num_layers=2, bias=False, batch_first=True)
    ),
    "lstm: nn.LSTMCell in a loop": lambda: wired(_unrolled, cell=nn.LSTMCell(10, 12, bias=False)),
    "self_attention: by two matrix products": lambda: torch_module(
        "self_attention", (10, 16), {"heads": 4, "head_width": 4}, attend=_by_products
    ),
    "self_attention: nn.MultiheadAttention": lambda: _multihead(True),
    "self_attention: nn.MultiheadAttention without weights": lambda: _multihead(False),
    "self_attention: nn.MultiheadAttention, inference": lambda: _in_inference(_multihead(False, bias=True)),
    "embedding: with its transpose as head": _tied,
    "encoder_layer: nn.TransformerEncoderLayer": lambda: nn.TransformerEncoderLayer(16, 4, 32, 0.0, batch_first=True),
    "encoder_layer: nn.TransformerEncoderLayer, inference": lambda: _in_inference(
        nn.TransformerEncoderLayer(16, 4, 32, 0.0, batch_first=True)
    ),
    "network: convolutions, norms, pooling, classifier, batch 2": lambda: nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1, bias=False),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(8, 8, 3, padding=1, groups=8, bias=False),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 10, bias=False),
    ),
}


def network(case):
    """Return the module of a case; raise UnbuildableError if its layer has none."""
    return NAMED[case.name]() if case.name in NAMED else torch_module(case.kind, case.shape, case.arguments)


def example(case, which="forward", device="cpu"):
    """Return the case's module and inputs of one batch; for the pass `backward`, the inputs need a gradient."""
    torch.manual_seed(0)
    module = network(case)
    module = module if case.kind == "cross_attention" else nn.Sequential(module)  # some counters see only submodules
    module = module.to(device).train(which != "forward")
    if case.kind == "embedding":
        return module, [torch.randint(50, (case.batch, *case.shape), device=device)]
    shapes = [case.shape, (7, 12)] if case.kind == "cross_attention" else [case.shape]
    inputs = [torch.randn(case.batch, *shape, device=device) for shape in shapes]
    return module, [tensor.requires_grad_(which == "backward") for tensor in inputs]
