"""Recurrent layers of one and three gates, and layers with a state that a loop over steps writes."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.recurrent import recurrent
from pipeline.tools.measure.layers.registry import module, register, wired

for _kind in ("rnn", "gru"):
    register(_kind, recurrent(_kind))


@module
def state_space(
    shape: Sequence[int],
    *,
    inner_width: int,
    state_width: int,
    rank: int,
    kernel: int,
    has_bias: bool,
    has_convolution_bias: bool,
) -> Any:
    """Return a Mamba block whose scan is a slow loop over steps."""
    import torch
    from torch import nn
    from torch.nn import functional as F  # noqa: N812

    def forward(self: Any, x: Any) -> Any:
        stream, gate = self.into(x).chunk(2, -1)
        stream = F.silu(self.short(F.pad(stream.transpose(1, 2), (kernel - 1, 0))).transpose(1, 2))
        steps, entry, read = self.select(stream).split([rank, state_width, state_width], -1)
        steps = F.softplus(self.steps(steps))
        state, out = torch.zeros(x.shape[0], inner_width, state_width, device=x.device), []
        for at in range(shape[0]):
            step = steps[:, at, :, None]
            state = torch.exp(step * self.decay) * state + step * entry[:, at, None] * stream[:, at, :, None]
            out.append((state * read[:, at, None]).sum(-1))
        return self.out((torch.stack(out, 1) + stream * self.skip) * F.silu(gate))

    return wired(
        forward,
        into=nn.Linear(shape[1], 2 * inner_width, bias=has_bias),
        short=nn.Conv1d(inner_width, inner_width, kernel, groups=inner_width, bias=has_convolution_bias),
        select=nn.Linear(inner_width, rank + 2 * state_width, bias=False),
        steps=nn.Linear(rank, inner_width),
        out=nn.Linear(inner_width, shape[1], bias=has_bias),
        decay=nn.Parameter(-torch.rand(inner_width, state_width)),
        skip=nn.Parameter(torch.ones(inner_width)),
    )


@module
def linear_attention(
    shape: Sequence[int],
    *,
    heads: int,
    key_width: int,
    value_width: int,
    key_heads: int | None,
    kernel: int | None,
    scalars_per_head: int,
    has_gate: bool,
    has_delta_rule: bool,
    other_parameters: int,
) -> Any:
    """Return a state per head that a loop over steps writes and reads; the first scalar per head, if there is one, is its decay."""
    import torch
    from torch import nn
    from torch.nn import functional as F  # noqa: N812

    groups, inner = key_heads or heads, heads * value_width
    keys, channels = groups * key_width, 2 * groups * key_width + inner
    parts = [channels, inner if has_gate else 0, scalars_per_head * heads]

    def forward(self: Any, x: Any) -> Any:
        mixed, gate, scalars = self.into(x).split(parts, -1)
        if kernel:
            mixed = self.short(F.pad(mixed.transpose(1, 2), (kernel - 1, 0))).transpose(1, 2)
        queries, key_rows, values = mixed.split([keys, keys, inner], -1)
        rows = [each.unflatten(-1, (groups, 1, key_width)) for each in (queries, key_rows)]
        queries, key_rows = (each.repeat_interleave(heads // groups, 2) for each in rows)
        values = values.unflatten(-1, (heads, 1, value_width))
        decay = torch.sigmoid(scalars[..., :heads]) if scalars_per_head else torch.ones_like(x[..., :1])
        state, out = torch.zeros(x.shape[0], heads, key_width, value_width, device=x.device), []
        for at in range(shape[0]):
            state = state * decay[:, at, :, None, None]
            value = values[:, at] - key_rows[:, at] @ state if has_delta_rule else values[:, at]
            state = state + key_rows[:, at].transpose(-1, -2) @ value
            out.append((queries[:, at] @ state).flatten(1))
        joined = torch.stack(out, 1)
        return self.out(joined * F.silu(gate) if has_gate else joined)

    made = {"short": nn.Conv1d(channels, channels, kernel, groups=channels, bias=False)} if kernel else {}
    if other_parameters:
        made["others"] = nn.Parameter(torch.ones(other_parameters))
    return wired(
        forward,
        into=nn.Linear(shape[1], sum(parts), bias=False),
        out=nn.Linear(inner, shape[1], bias=False),
        **made,
    )
