"""Torch modules of our layer kinds, with the kind's own arguments: `builder(shape, held, **arguments)`.

`shape` is the layer's input without the batch, all of the kind's arguments are given, defaults filled in. Attention stands
in attention_layers.py. Where modules.py has the same layer, it is taken from there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from pipeline.measure.modules import MODULES, wired


class UnbuildableError(ValueError):
    """A layer that has no torch module here; the message names it and says why."""


@dataclass
class Held:
    """What layers of one network share: the embedding's table, the stream before, sides, and the last layer of each kind.

    `source` is set while the network runs: the output of the stream before, which cross-attention reads.
    """

    table: Any = None
    source: Any = None
    source_shape: tuple[float, ...] = ()
    is_read: bool = False
    has_sides: bool = False
    sides: list[Any] = field(default_factory=list)
    last: dict[str, Any] = field(default_factory=dict)

    def shared(self, kind: str, arguments: dict[str, Any]) -> Any:
        """The layer of that kind before, where the arguments say that its weights are used again; else None."""
        return self.last.get(kind) if arguments.get("is_shared") else None


Builder = Callable[..., Any]
BUILDERS: dict[str, Builder] = {}


def builder(function: Builder) -> Builder:
    """Makes a function the builder of the layer kind of its name."""
    if function.__name__ in BUILDERS:
        raise TypeError(f"two builders are called {function.__name__}")
    BUILDERS[function.__name__] = function
    return function


def functional(function: Callable[[Any], Any]) -> Any:
    """A module without weights."""
    return wired(lambda self, x: function(x))


def _as_pair(size: Any) -> Any:
    return tuple(size) if isinstance(size, list) else size


def _from_modules(kind: str) -> Builder:
    def made(shape: Sequence[int], held: Held, **arguments: Any) -> Any:
        return MODULES[kind](shape, **{name: _as_pair(value) for name, value in arguments.items()})

    return made


for _kind in (
    "conv1d", "conv2d", "conv3d", "depthwise_conv2d", "conv_transpose2d", "linear",
    "max_pool2d", "average_pool2d", "adaptive_average_pool2d", "group_norm", "relu", "dropout",
    "upsample2d", "layer_norm2d",
):  # fmt: skip
    BUILDERS[_kind] = _from_modules(_kind)


@builder
def global_average_pool2d(shape: Sequence[int], held: Held) -> Any:
    """nn.AdaptiveAvgPool2d to one element, flattened."""
    from torch import nn

    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())


@builder
def patches(shape: Sequence[int], held: Held, *, size: int, width: int, has_bias: bool) -> Any:
    """nn.Conv2d that steps over its own size, its places as positions."""
    layer = MODULES["patches"](shape, size=size, width=width, has_bias=has_bias)
    return wired(lambda self, x: self.layer(x).flatten(2).transpose(1, 2), layer=layer)


@builder
def patch_merging(shape: Sequence[int], held: Held) -> Any:
    """Each 2 x 2 places as one vector, nn.LayerNorm, nn.Linear; odd maps are padded."""
    from torch import nn

    return nn.Sequential(
        nn.ZeroPad2d((0, shape[2] % 2, 0, shape[1] % 2)), MODULES["patch_merging"](shape), _last_first()
    )


def _last_first() -> Any:
    return functional(lambda x: x.permute(0, 3, 1, 2))


@builder
def batch_norm(shape: Sequence[int], held: Held) -> Any:
    """nn.BatchNorm1d, 2d or 3d."""
    from torch import nn

    return (nn.BatchNorm1d, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)[len(shape) - 1](shape[0])


@builder
def local_response_norm(shape: Sequence[int], held: Held, *, size: int) -> Any:
    """nn.LocalResponseNorm."""
    from torch import nn

    return nn.LocalResponseNorm(size)


@builder
def layer_norm(shape: Sequence[int], held: Held, *, has_scale: bool, has_bias: bool, is_shared: bool) -> Any:
    """nn.LayerNorm."""
    from torch import nn

    if has_bias and not has_scale:
        raise UnbuildableError("layer_norm: torch has no bias without a scale")
    return nn.LayerNorm(shape[-1], elementwise_affine=has_scale, bias=has_bias)


@builder
def activation(shape: Sequence[int], held: Held, *, function: str) -> Any:
    """The activation of that name."""
    from torch import nn

    kinds = {
        "relu": nn.ReLU, "relu6": nn.ReLU6, "gelu": nn.GELU, "silu": nn.SiLU, "swish": nn.SiLU, "tanh": nn.Tanh,
        "sigmoid": nn.Sigmoid, "hard_swish": nn.Hardswish, "hard_sigmoid": nn.Hardsigmoid, "leaky_relu": nn.LeakyReLU,
        "elu": nn.ELU, "softmax": lambda: nn.Softmax(-1),
    }  # fmt: skip
    return kinds[function]()


@builder
def flatten(shape: Sequence[int], held: Held) -> Any:
    """nn.Flatten."""
    from torch import nn

    return nn.Flatten()


@builder
def select_position(shape: Sequence[int], held: Held) -> Any:
    """The first position."""
    return functional(lambda x: x[:, 0])


@builder
def average_positions(shape: Sequence[int], held: Held) -> Any:
    """The mean over positions."""
    return functional(lambda x: x.mean(1))


@builder
def transpose(shape: Sequence[int], held: Held) -> Any:
    """Positions and channels exchanged."""
    return functional(lambda x: x.transpose(1, 2))


@builder
def reshape(shape: Sequence[int], held: Held, *, to: Any) -> Any:
    """The same elements in another shape."""
    sizes = (to,) if isinstance(to, int) else tuple(to)
    return functional(lambda x: x.reshape(x.shape[0], *sizes))


@builder
def columns(shape: Sequence[int], held: Held) -> Any:
    """A map's columns as positions."""
    return functional(lambda x: x.flatten(1, 2).transpose(1, 2))


@builder
def crop2d(shape: Sequence[int], held: Held, *, size: int) -> Any:
    """The middle of a map."""
    top, left = (shape[1] - size) // 2, (shape[2] - size) // 2
    return functional(lambda x: x[:, :, top : top + size, left : left + size])


@builder
def class_token(shape: Sequence[int], held: Held) -> Any:
    """A learned position before the others."""
    import torch

    token = torch.nn.Parameter(torch.zeros(1, 1, shape[1]))
    return wired(lambda self, x: torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1), token=token)


@builder
def learned_parameters(shape: Sequence[int], held: Held, *, number: int) -> Any:
    """Added where there is one for each element or whole vectors of the last axis, else multiplied on channels or all.

    Where they fit nowhere (a table that is looked up), their mean is added: each of them gets a gradient.
    """
    import torch

    values = torch.nn.Parameter(torch.ones(number))
    if number == prod(shape):
        return wired(lambda self, x: x + self.values.view(shape), values=values)
    if len(shape) == 3 and number == shape[0]:
        return wired(lambda self, x: x * self.values.view(-1, 1, 1), values=values)
    if number % shape[-1] == 0 and number > 1:
        return wired(lambda self, x: x + self.values.view(-1, shape[-1]).mean(0), values=values)
    return wired(lambda self, x: x + self.values.mean(), values=values)


@builder
def position_embedding(shape: Sequence[int], held: Held, *, positions: int) -> Any:
    """A learned vector added to each position."""
    import torch

    table = torch.nn.Parameter(torch.randn(positions, shape[1]) / 50)
    return wired(lambda self, x: x + self.table[: shape[0]], table=table)


@builder
def embedding(shape: Sequence[int], held: Held, *, vocabulary: int, width: int, is_shared: bool) -> Any:
    """nn.Embedding; a tied head finds its table."""
    made = MODULES["embedding"](shape, vocabulary=vocabulary, width=width)
    held.table = made.weight
    return made


@builder
def unembedding(shape: Sequence[int], held: Held, *, vocabulary: int, is_tied: bool, has_bias: bool) -> Any:
    """nn.Linear to the vocabulary, with the embedding's own table where it is tied."""
    from torch import nn

    made = nn.Linear(shape[1], vocabulary, bias=has_bias)
    if is_tied:
        if held.table is None or tuple(held.table.shape) != (vocabulary, shape[1]):
            raise UnbuildableError("unembedding: there is no embedding of its size to be tied to")
        made.weight = held.table
    return made


@builder
def next_token_merge(shape: Sequence[int], held: Held) -> Any:
    """Two norms and a product of twice the width; the next token's embedding is stood in for by the trunk shifted."""
    import torch
    from torch import nn

    def run(self: Any, x: Any) -> Any:
        return self.out(torch.cat([self.first(x), self.second(x.roll(-1, 1))], -1))

    width = shape[1]
    norms = {name: nn.RMSNorm(width) for name in ("first", "second")}
    return wired(run, out=nn.Linear(2 * width, width, bias=False), **norms)


@builder
def squeeze_excitation(shape: Sequence[int], held: Held, *, width: int, has_bias: bool) -> Any:
    """The mean, two 1 x 1 convolutions, a sigmoid."""
    return MODULES["squeeze_excitation"](shape, width=width, has_bias=has_bias)


@builder
def feed_forward(
    shape: Sequence[int], held: Held, *, width: int, is_gated: bool, has_biases: bool, is_shared: bool
) -> Any:
    """nn.Linear, GELU, nn.Linear; or gated by SiLU."""
    return MODULES["feed_forward"](shape, width=width, is_gated=is_gated, has_biases=has_biases)


@builder
def low_rank_adapter(shape: Sequence[int], held: Held, *, out_features: int, rank: int) -> Any:
    """Two narrow nn.Linear."""
    from torch import nn

    return nn.Sequential(nn.Linear(shape[-1], rank, bias=False), nn.Linear(rank, out_features, bias=False))


@builder
def mixture_of_experts(
    shape: Sequence[int],
    held: Held,
    *,
    experts: int,
    experts_per_token: int,
    expert_width: int,
    shared_experts: int,
    shared_expert_width: int | None,
    has_shared_gate: bool,
    is_gated: bool,
) -> Any:
    """Every expert on as many tokens, by batched products: a balanced router, as its loss wants it.

    Which tokens an expert gets is decided by their place, not by the router's scores, so that shapes stay the same from
    step to step; where tokens x experts_per_token cannot be divided by the experts the last ones are padded.
    """
    import torch
    from torch import nn
    from torch.nn import functional as F  # noqa: N812

    width = shape[1]

    def weight(inputs: int, outputs: int) -> Any:
        return nn.Parameter(torch.randn(experts, inputs, outputs) / inputs**0.5)

    def run(self: Any, x: Any) -> Any:
        tokens = x.flatten(0, 1)
        scores = self.router(tokens).softmax(-1).topk(experts_per_token)[0]
        rows = tokens.repeat_interleave(experts_per_token, 0)
        pad = -rows.shape[0] % experts
        places = F.pad(rows, (0, 0, 0, pad)).unflatten(0, (-1, experts)).transpose(0, 1)
        hidden = places @ self.into
        hidden = F.silu(places @ self.gate) * hidden if is_gated else F.gelu(hidden)
        out = (hidden @ self.out).transpose(0, 1).flatten(0, 1)[: rows.shape[0]]
        out = (out.unflatten(0, (-1, experts_per_token)) * scores.unsqueeze(-1)).sum(1)
        for each in self.shared:
            more = each(tokens)
            out = out + (more * self.shared_gate(tokens).sigmoid() if has_shared_gate else more)
        return out.view_as(x)

    inner = shared_expert_width or expert_width
    shared = [MODULES["feed_forward"](shape, width=inner, is_gated=is_gated) for _ in range(shared_experts)]
    gates = {"gate": weight(width, expert_width)} if is_gated else {}
    gates |= {"shared_gate": nn.Linear(width, 1, bias=False)} if has_shared_gate else {}
    return wired(
        run,
        router=nn.Linear(width, experts, bias=False),
        into=weight(width, expert_width),
        out=weight(expert_width, width),
        shared=nn.ModuleList(shared),
        **gates,
    )


def _recurrent(kind: str) -> Builder:
    def made(shape: Sequence[int], held: Held, *, bias_vectors: int, **arguments: Any) -> Any:
        if bias_vectors == 1:
            raise UnbuildableError(f"{kind}: torch's has two bias vectors a gate or none; state bias_vectors: 2")
        return MODULES[kind](shape, bias_vectors=bias_vectors, **arguments)

    return made


BUILDERS.update({kind: _recurrent(kind) for kind in ("rnn", "gru", "lstm")})


@builder
def state_space(
    shape: Sequence[int], held: Held, *, has_bias: bool, has_convolution_bias: bool, **arguments: Any
) -> Any:
    """A Mamba block whose scan is a loop over steps: right, and slow."""
    from torch import nn

    made = MODULES["state_space"](shape, **arguments)
    inner, kernel, rank = (arguments[name] for name in ("inner_width", "kernel", "rank"))
    made.short = nn.Conv1d(inner, inner, kernel, groups=inner, bias=has_convolution_bias)
    made.steps = nn.Linear(rank, inner)
    if has_bias:
        made.into = nn.Linear(shape[1], 2 * inner)
        made.out = nn.Linear(inner, shape[1])
    return made


@builder
def join(shape: Sequence[int], held: Held, *, width: int) -> Any:
    """The stream before, averaged over its positions, joined to each position."""
    import torch

    if not held.source_shape or held.source_shape[-1] != width:
        raise UnbuildableError(f"join: no stream before it has a width of {width}")
    held.is_read = True

    def run(x: Any) -> Any:
        return torch.cat([x, held.source.mean(1, keepdim=True).expand(-1, x.shape[1], -1)], -1)

    return functional(run)
