"""Networks of the audit with more than one layer, and layers written in another way than in `pipeline.tools.measure.layers`.

A counter may be right for nn.Linear and wrong for the same product as an einsum. Functions of torch are looked up at
each call, because some counters patch them.
"""

from collections.abc import Callable, Sequence
from typing import Any

from pipeline.tools.measure.layers import wired
from tests.tools.measure.modules import torch_module


def linear_of(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a linear layer whose product with the weight is written out: `run(x, weight)`, where the weight is outputs x inputs."""

    def made(shape: Sequence[int], *, out_features: int) -> Any:
        import torch

        weight = torch.nn.Parameter(torch.randn(out_features, shape[-1]))
        return wired(lambda self, x: run(x, self.weight), weight=weight)

    return made


def functional(x: Any, weight: Any) -> Any:
    """F.linear."""
    from torch.nn import functional as F  # noqa: N812

    return F.linear(x, weight)


def einsum(x: Any, weight: Any) -> Any:
    """torch.einsum."""
    import torch

    return torch.einsum("bi,oi->bo", x, weight)


def functional_convolution(shape: Sequence[int], *, out_channels: int, kernel: int) -> Any:
    """F.conv2d."""
    import torch

    weight = torch.nn.Parameter(torch.randn(out_channels, shape[0], kernel, kernel))
    return wired(lambda self, x: torch.nn.functional.conv2d(x, self.weight), weight=weight)


def stacked_lstm(shape: Sequence[int], *, width: int, layers: int) -> Any:
    """nn.LSTM of several layers."""
    from torch import nn

    layer = nn.LSTM(shape[1], width, num_layers=layers, bias=False, batch_first=True)
    return wired(lambda self, x: self.layer(x)[0], layer=layer)


def unrolled_lstm(shape: Sequence[int], *, width: int) -> Any:
    """nn.LSTMCell in a loop over steps."""
    import torch

    def forward(self: Any, x: Any) -> Any:
        state, out = None, []
        for step in range(shape[0]):
            state = self.cell(x[:, step], state)
            out.append(state[0])
        return torch.stack(out, 1)

    return wired(forward, cell=torch.nn.LSTMCell(shape[1], width, bias=False))


def _by_products(queries: Any, keys: Any, values: Any) -> Any:
    scores = queries @ keys.transpose(-2, -1) * queries.shape[-1] ** -0.5
    return scores.softmax(-1) @ values


def attention_by_products(shape: Sequence[int], **arguments: Any) -> Any:
    """Attention by two matrix products and a softmax."""
    return torch_module("self_attention", shape, arguments, attend=_by_products)


def _without_gradients(forward: Callable[..., Any]) -> Callable[..., Any]:
    def run(self: Any, x: Any) -> Any:
        import torch

        with torch.no_grad():
            return forward(self, x)

    return run


def multihead(needs_weights: bool, is_inference: bool = False) -> Callable[..., Any]:
    """Return nn.MultiheadAttention; in inference without gradients, torch takes its own fast path."""

    def made(shape: Sequence[int], *, heads: int, head_width: int, has_biases: bool = False) -> Any:
        from torch import nn

        def forward(self: Any, x: Any) -> Any:
            return self.layer(x, x, x, need_weights=needs_weights)[0]

        layer = nn.MultiheadAttention(shape[1], heads, bias=has_biases, batch_first=True)
        return wired(_without_gradients(forward) if is_inference else forward, layer=layer)

    return made


def latent_attention_without_norms(shape: Sequence[int], **arguments: Any) -> Any:
    """Return only the products of latent attention."""
    from torch import nn

    made = torch_module("latent_attention", shape, arguments)
    made.query_norm, made.key_value_norm = nn.Identity(), nn.Identity()
    if arguments.get("index_heads"):
        made.index_norm = nn.Identity()
    return made


def state_space_without_biases(shape: Sequence[int], **arguments: Any) -> Any:
    """A Mamba block without the biases of its convolution and its step sizes."""
    made = torch_module("state_space", shape, {**arguments, "has_convolution_bias": False})
    made.steps.bias = None
    return made


def looped_experts(
    shape: Sequence[int],
    *,
    experts: int,
    experts_per_token: int,
    expert_width: int,
    shared_experts: int = 0,
) -> Any:
    """A loop over gated experts, each on the tokens that chose it."""
    import torch
    from torch import nn

    def expert() -> Any:
        return torch_module("feed_forward", shape, {"width": expert_width, "is_gated": True})

    def forward(self: Any, x: Any) -> Any:
        tokens = x.flatten(0, 1)
        weights, chosen = self.router(tokens).softmax(-1).topk(experts_per_token)
        out = sum((each(tokens) for each in self.shared), torch.zeros_like(tokens))
        for index, each in enumerate(self.experts):
            rows, places = torch.where(chosen == index)
            out = out.index_add(0, rows, each(tokens[rows]) * weights[rows, places, None])
        return out.view_as(x)

    return wired(
        forward,
        router=nn.Linear(shape[1], experts, bias=False),
        experts=nn.ModuleList(expert() for _ in range(experts)),
        shared=nn.ModuleList(expert() for _ in range(shared_experts)),
    )


def grouped_experts(shape: Sequence[int], *, experts: int, experts_per_token: int, expert_width: int) -> Any:
    """Tokens sorted by expert, one grouped matrix product for all gated experts (F.grouped_mm, in bfloat16)."""
    import torch
    from torch.nn import functional as F  # noqa: N812

    def weight(inputs: int, outputs: int) -> Any:
        return torch.nn.Parameter(torch.randn(experts, inputs, outputs, dtype=torch.bfloat16))

    def forward(self: Any, x: Any) -> Any:
        tokens = x.flatten(0, 1)
        weights, chosen = self.router(tokens).softmax(-1).topk(experts_per_token)
        order = chosen.flatten().argsort()
        ends = (chosen.flatten()[:, None] == torch.arange(experts, device=x.device)).sum(0).cumsum(0).to(torch.int32)
        rows = tokens[order // experts_per_token].to(torch.bfloat16)
        hidden = F.silu(F.grouped_mm(rows, self.gate, offs=ends)) * F.grouped_mm(rows, self.into, offs=ends)
        out = F.grouped_mm(hidden, self.out, offs=ends).to(x.dtype) * weights.flatten()[order, None]
        return torch.zeros_like(tokens).index_add(0, order // experts_per_token, out).view_as(x)

    return wired(
        forward,
        router=torch.nn.Linear(shape[1], experts, bias=False),
        gate=weight(shape[1], expert_width),
        into=weight(shape[1], expert_width),
        out=weight(expert_width, shape[1]),
    )


def twice(shape: Sequence[int]) -> Any:
    """Return the same nn.Linear used twice."""
    from torch import nn

    return wired(lambda self, x: self.layer(self.layer(x)), layer=nn.Linear(shape[-1], shape[-1], bias=False))


def nested(shape: Sequence[int], *, out_features: int) -> Any:
    """A linear layer three containers deep."""
    from torch import nn

    return nn.Sequential(nn.Sequential(nn.Sequential(nn.Linear(shape[-1], out_features, bias=False))))


def adapted(shape: Sequence[int], *, out_features: int, rank: int) -> Any:
    """Return a frozen nn.Linear with a parallel low-rank adapter."""
    from torch import nn

    base = nn.Linear(shape[-1], out_features, bias=False).requires_grad_(False)
    adapter = torch_module("low_rank_adapter", shape, {"out_features": out_features, "rank": rank})
    return wired(lambda self, x: self.base(x) + self.adapter(x), base=base, adapter=adapter)


def frozen_below(shape: Sequence[int], *, out_features: int) -> Any:
    """Return a frozen nn.Linear below a trained one."""
    from torch import nn

    base = nn.Linear(shape[-1], shape[-1], bias=False).requires_grad_(False)
    return nn.Sequential(base, nn.Linear(shape[-1], out_features, bias=False))


def tied(shape: Sequence[int], *, vocabulary: int, width: int) -> Any:
    """An embedding and a head that is its transpose."""
    from torch import nn

    table, head = nn.Embedding(vocabulary, width), nn.Linear(width, vocabulary, bias=False)
    head.weight = table.weight
    return nn.Sequential(table, head)


def convolutional_network(shape: Sequence[int], *, channels: int, classes: int) -> Any:
    """Convolution, norm, activation, pooling; again with groups; a classifier."""
    from torch import nn

    return nn.Sequential(
        nn.Conv2d(shape[0], channels, 3, padding=1, bias=False),
        nn.BatchNorm2d(channels),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(channels, channels, 3, padding=1, groups=channels, bias=False),
        nn.BatchNorm2d(channels),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(channels, classes, bias=False),
    )


def encoder_layer(is_inference: bool) -> Callable[..., Any]:
    """Return nn.TransformerEncoderLayer; in inference without gradients, torch takes its own fast path."""

    def made(shape: Sequence[int], *, heads: int, head_width: int, width: int) -> Any:
        from torch import nn

        def forward(self: Any, x: Any) -> Any:
            return self.layer(x)

        layer = nn.TransformerEncoderLayer(shape[1], heads, width, 0.0, batch_first=True)
        return wired(_without_gradients(forward) if is_inference else forward, layer=layer)

    return made
