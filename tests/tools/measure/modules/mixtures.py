"""Mixtures of experts."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.dense import feed_forward
from pipeline.tools.measure.layers.registry import module, wired


@module
def mixture_of_experts(
    shape: Sequence[int],
    *,
    experts: int,
    experts_per_token: int,
    expert_width: int,
    shared_experts: int,
    shared_expert_width: int | None,
    has_shared_gate: bool,
    is_gated: bool,
) -> Any:
    """Return every expert on equally many tokens, by batched products: the balanced router that its loss aims at.

    A token's place, instead of the router's scores, decides its experts, so that shapes are the same in every step. If
    tokens x experts_per_token is not a multiple of the experts, the last ones are padded.
    """
    import torch
    from torch import nn
    from torch.nn import functional as F  # noqa: N812

    width = shape[1]

    def weight(inputs: int, outputs: int) -> Any:
        return nn.Parameter(torch.randn(experts, inputs, outputs) / inputs**0.5)

    def forward(self: Any, x: Any) -> Any:
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
    shared = [feed_forward(shape, width=inner, is_gated=is_gated, has_biases=False) for _ in range(shared_experts)]
    gates = {"gate": weight(width, expert_width)} if is_gated else {}
    gates |= {"shared_gate": nn.Linear(width, 1, bias=False)} if has_shared_gate else {}
    return wired(
        forward,
        router=nn.Linear(width, experts, bias=False),
        into=weight(width, expert_width),
        out=weight(expert_width, width),
        shared=nn.ModuleList(shared),
        **gates,
    )
