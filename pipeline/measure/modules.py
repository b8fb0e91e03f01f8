"""The audited layers as people write them in torch: a function a layer kind, with the kind's own arguments.

Weights keep torch's own starting values: only shapes are counted. torch is imported inside functions, so that the rest of
the room can be read and tested without it; its functions are looked up at each call, since some counters patch them.
"""

from collections.abc import Callable, Sequence
from typing import Any

MODULES: dict[str, Callable[..., Any]] = {}


def module(function: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a function the torch module of the layer kind of its name."""
    MODULES[function.__name__] = function
    return function


def wired(run: Callable[..., Any], inputs: int = 1, **parts: Any) -> Any:
    """A module of these parts whose forward pass is `run(module, x)`, or `run(module, x, source)` with two inputs."""
    from torch import nn

    class One(nn.Module):
        def forward(self, x):
            return run(self, x)

    class Two(nn.Module):
        def forward(self, x, source):
            return run(self, x, source)

    made = One() if inputs == 1 else Two()
    for name, part in parts.items():
        setattr(made, name, part)
    return made


def _as_module(function: Callable[..., Any]) -> Any:
    return wired(lambda self, x: function(x))


@module
def linear(shape: Sequence[int], *, out_features: int, has_bias: bool = False) -> Any:
    """nn.Linear."""
    from torch import nn

    return nn.Linear(shape[-1], out_features, bias=has_bias)


def linear_of(run: Callable[..., Any]) -> Callable[..., Any]:
    """A linear layer whose product with the weight is written out: `run(x, weight)`, the weight outputs x inputs."""

    def made(shape: Sequence[int], *, out_features: int, **_: Any) -> Any:
        import torch

        return wired(
            lambda self, x: run(x, self.weight), weight=torch.nn.Parameter(torch.randn(out_features, shape[-1]))
        )

    return made


def functional(x: Any, weight: Any) -> Any:
    """F.linear."""
    from torch.nn import functional as F  # noqa: N812

    return F.linear(x, weight)


def einsum(x: Any, weight: Any) -> Any:
    """torch.einsum."""
    import torch

    return torch.einsum("bi,oi->bo", x, weight)


def _convolution(axes: int) -> Callable[..., Any]:
    def made(shape: Sequence[int], *, out_channels: int, kernel: Any, has_bias: bool = False, **arguments: Any) -> Any:
        from torch import nn

        kind = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[axes - 1]
        sizes = {name: tuple(size) if isinstance(size, list) else size for name, size in arguments.items()}
        return kind(
            shape[0], out_channels, tuple(kernel) if isinstance(kernel, list) else kernel, bias=has_bias, **sizes
        )

    return made


MODULES.update({f"conv{axes}d": _convolution(axes) for axes in (1, 2, 3)})


def functional_convolution(shape: Sequence[int], **arguments: Any) -> Any:
    """F.conv2d."""
    from torch import nn

    weight = MODULES["conv2d"](shape, **arguments).weight
    return wired(lambda self, x: nn.functional.conv2d(x, self.weight), weight=nn.Parameter(weight.detach()))


@module
def depthwise_conv2d(shape: Sequence[int], *, multiplier: int = 1, **arguments: Any) -> Any:
    """nn.Conv2d with as many groups as channels."""
    return MODULES["conv2d"](shape, out_channels=shape[0] * multiplier, groups=shape[0], **arguments)


@module
def conv_transpose2d(
    shape: Sequence[int], *, out_channels: int, kernel: int, has_bias: bool = False, **arguments: Any
) -> Any:
    """nn.ConvTranspose2d."""
    from torch import nn

    return nn.ConvTranspose2d(shape[0], out_channels, kernel, bias=has_bias, **arguments)


@module
def max_pool2d(shape: Sequence[int], *, kernel: int, stride: int, padding: int = 0, rounds_up: bool = False) -> Any:
    """nn.MaxPool2d."""
    from torch import nn

    return nn.MaxPool2d(kernel, stride, padding, ceil_mode=rounds_up)


@module
def average_pool2d(shape: Sequence[int], *, kernel: int, stride: int, padding: int = 0, rounds_up: bool = False) -> Any:
    """nn.AvgPool2d."""
    from torch import nn

    return nn.AvgPool2d(kernel, stride, padding, ceil_mode=rounds_up)


@module
def global_average_pool2d(shape: Sequence[int]) -> Any:
    """nn.AdaptiveAvgPool2d to one element."""
    from torch import nn

    return nn.AdaptiveAvgPool2d(1)


@module
def batch_norm(shape: Sequence[int]) -> Any:
    """nn.BatchNorm2d."""
    from torch import nn

    return nn.BatchNorm2d(shape[0])


@module
def layer_norm(shape: Sequence[int]) -> Any:
    """nn.LayerNorm."""
    from torch import nn

    return nn.LayerNorm(shape[-1])


@module
def group_norm(shape: Sequence[int], *, groups: int) -> Any:
    """nn.GroupNorm."""
    from torch import nn

    return nn.GroupNorm(groups, shape[0])


@module
def relu(shape: Sequence[int]) -> Any:
    """nn.ReLU."""
    from torch import nn

    return nn.ReLU()


@module
def activation(shape: Sequence[int], *, function: str) -> Any:
    """nn.GELU and its like."""
    from torch import nn

    return {"gelu": nn.GELU, "silu": nn.SiLU, "softmax": lambda: nn.Softmax(-1)}[function]()


@module
def dropout(shape: Sequence[int]) -> Any:
    """nn.Dropout."""
    from torch import nn

    return nn.Dropout()


@module
def upsample2d(shape: Sequence[int], *, factor: int) -> Any:
    """nn.Upsample by repeating."""
    from torch import nn

    return nn.Upsample(scale_factor=factor)


@module
def embedding(shape: Sequence[int], *, vocabulary: int, width: int) -> Any:
    """nn.Embedding."""
    from torch import nn

    return nn.Embedding(vocabulary, width)


@module
def unembedding(shape: Sequence[int], *, vocabulary: int) -> Any:
    """nn.Linear to the vocabulary."""
    return linear(shape, out_features=vocabulary)


def _recurrent(name: str) -> Callable[..., Any]:
    def made(
        shape: Sequence[int],
        *,
        width: int,
        projection: int | None = None,
        is_bidirectional: bool = False,
        bias_vectors: int = 0,
    ) -> Any:
        from torch import nn

        sizes = {"proj_size": projection} if projection else {}
        layer = getattr(nn, name)(
            shape[1], width, bias=bias_vectors > 0, batch_first=True, bidirectional=is_bidirectional, **sizes
        )
        return wired(lambda self, x: self.layer(x)[0], layer=layer)

    return made


MODULES.update({name.lower(): _recurrent(name) for name in ("RNN", "GRU", "LSTM")})


def stacked_lstm(shape: Sequence[int], *, width: int, layers: int) -> Any:
    """nn.LSTM of several layers."""
    from torch import nn

    layer = nn.LSTM(shape[1], width, num_layers=layers, bias=False, batch_first=True)
    return wired(lambda self, x: self.layer(x)[0], layer=layer)


def unrolled_lstm(shape: Sequence[int], *, width: int) -> Any:
    """nn.LSTMCell in a loop over steps."""
    import torch

    def run(self: Any, x: Any) -> Any:
        state, out = None, []
        for step in range(shape[0]):
            state = self.cell(x[:, step], state)
            out.append(state[0])
        return torch.stack(out, 1)

    return wired(run, cell=torch.nn.LSTMCell(shape[1], width, bias=False))


def _heads(x: Any, heads: int) -> Any:
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def _joined(x: Any) -> Any:
    return x.transpose(1, 2).flatten(2)


def _fused(queries: Any, keys: Any, values: Any, **settings: Any) -> Any:
    from torch.nn import functional as F  # noqa: N812

    return F.scaled_dot_product_attention(queries, keys, values, **settings)


def by_hand(queries: Any, keys: Any, values: Any) -> Any:
    """Attention by two matrix products and a softmax."""
    scores = queries @ keys.transpose(-2, -1) * queries.shape[-1] ** -0.5
    return scores.softmax(-1) @ values


def attention(run: Callable[..., Any]) -> Callable[..., Any]:
    """Self-attention whose scores are made by `run(queries, keys, values, …)`."""

    def made(
        shape: Sequence[int],
        *,
        heads: int,
        head_width: int,
        key_value_heads: int | None = None,
        is_causal: bool = False,
        window: int | None = None,
        has_biases: bool = False,
    ) -> Any:
        import torch
        from torch import nn

        groups, width = key_value_heads or heads, shape[1]
        settings: dict[str, Any] = {"is_causal": True} if is_causal else {}
        if groups != heads:
            settings["enable_gqa"] = True
        if window:
            seen = [[0 <= query - key < window for key in range(shape[0])] for query in range(shape[0])]
            settings = {"attn_mask": torch.tensor(seen)}

        def forward(self: Any, x: Any) -> Any:
            rows = _heads(self.queries(x), heads), _heads(self.keys(x), groups), _heads(self.values(x), groups)
            moved = {name: value.to(x.device) if name == "attn_mask" else value for name, value in settings.items()}
            return self.out(_joined(run(*rows, **moved)))

        return wired(
            forward,
            queries=nn.Linear(width, heads * head_width, bias=has_biases),
            keys=nn.Linear(width, groups * head_width, bias=has_biases),
            values=nn.Linear(width, groups * head_width, bias=has_biases),
            out=nn.Linear(heads * head_width, width, bias=has_biases),
        )

    return made


MODULES["self_attention"] = attention(_fused)


def multihead(needs_weights: bool, is_inference: bool = False) -> Callable[..., Any]:
    """nn.MultiheadAttention; in inference without gradients torch takes its own fast path."""

    def made(shape: Sequence[int], *, heads: int, head_width: int, has_biases: bool = False) -> Any:
        import torch

        def forward(self: Any, x: Any) -> Any:
            if is_inference:
                with torch.no_grad():
                    return self.layer(x, x, x, need_weights=needs_weights)[0]
            return self.layer(x, x, x, need_weights=needs_weights)[0]

        return wired(
            forward,
            layer=torch.nn.MultiheadAttention(shape[1], heads, bias=has_biases or is_inference, batch_first=True),
        )

    return made


@module
def window_attention(
    shape: Sequence[int], *, heads: int, head_width: int, window: int, has_biases: bool = False
) -> Any:
    """Windows as a batch, as Swin does."""
    width, height, across = shape
    inner = MODULES["self_attention"]((window * window, width), heads=heads, head_width=head_width)

    def forward(self: Any, x: Any) -> Any:
        cut = x.unflatten(2, (height // window, window)).unflatten(4, (across // window, window))
        return self.inner(cut.permute(0, 2, 4, 3, 5, 1).reshape(-1, window * window, width))

    return wired(forward, inner=inner)


@module
def cross_attention(
    shape: Sequence[int], *, source_positions: int, source_width: int, heads: int, head_width: int
) -> Any:
    """Queries of one input, keys and values of another."""
    from torch import nn

    inner = heads * head_width

    def forward(self: Any, x: Any, source: Any) -> Any:
        rows = _heads(self.queries(x), heads), _heads(self.keys(source), heads), _heads(self.values(source), heads)
        return self.out(_joined(_fused(*rows)))

    return wired(
        forward,
        2,
        queries=nn.Linear(shape[1], inner, bias=False),
        keys=nn.Linear(source_width, inner, bias=False),
        values=nn.Linear(source_width, inner, bias=False),
        out=nn.Linear(inner, shape[1], bias=False),
    )


@module
def latent_attention(
    shape: Sequence[int],
    *,
    heads: int,
    query_rank: int,
    key_value_rank: int,
    head_width: int,
    rotary_width: int,
    value_width: int,
) -> Any:
    """Low ranks for queries, keys and values, one rotary key for all heads (without the rotation and the norms)."""
    import torch
    from torch import nn

    def forward(self: Any, x: Any) -> Any:
        queries = _heads(self.query_up(self.query_down(x)), heads)
        low = self.value_down(x)
        rotary = self.rotary(x).unsqueeze(1).expand(-1, heads, -1, -1)
        keys = torch.cat([_heads(self.key_up(low), heads), rotary], -1)
        return self.out(_joined(_fused(queries, keys, _heads(self.value_up(low), heads), is_causal=True)))

    sizes = {
        "query_down": (shape[1], query_rank),
        "query_up": (query_rank, heads * (head_width + rotary_width)),
        "value_down": (shape[1], key_value_rank),
        "rotary": (shape[1], rotary_width),
        "key_up": (key_value_rank, heads * head_width),
        "value_up": (key_value_rank, heads * value_width),
        "out": (heads * value_width, shape[1]),
    }
    return wired(forward, **{name: nn.Linear(*each, bias=False) for name, each in sizes.items()})


@module
def feed_forward(shape: Sequence[int], *, width: int, is_gated: bool = False, has_biases: bool = False) -> Any:
    """nn.Linear, GELU, nn.Linear; or gated by SiLU."""
    from torch import nn

    out = nn.Linear(width, shape[1], bias=has_biases)
    into = nn.Linear(shape[1], width, bias=has_biases)
    if not is_gated:
        return nn.Sequential(into, nn.GELU(), out)
    gate = nn.Linear(shape[1], width, bias=has_biases)
    return wired(
        lambda self, x: self.out(self.act(self.gate(x)) * self.into(x)), into=into, gate=gate, out=out, act=nn.SiLU()
    )


@module
def mixture_of_experts(
    shape: Sequence[int],
    *,
    experts: int,
    experts_per_token: int,
    expert_width: int,
    shared_experts: int = 0,
    is_gated: bool = True,
) -> Any:
    """A loop over experts, each on the tokens that chose it."""
    import torch
    from torch import nn

    def expert() -> Any:
        return feed_forward(shape, width=expert_width, is_gated=is_gated)

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


def grouped_experts(
    shape: Sequence[int], *, experts: int, experts_per_token: int, expert_width: int, is_gated: bool = True
) -> Any:
    """Tokens sorted by expert, one grouped matrix product for all experts (F.grouped_mm, in bfloat16)."""
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


@module
def squeeze_excitation(shape: Sequence[int], *, width: int, has_bias: bool = False) -> Any:
    """The mean, two 1 x 1 convolutions, a sigmoid."""
    from torch import nn

    return wired(
        lambda self, x: x * self.up(self.act(self.down(self.pool(x)))).sigmoid(),
        pool=nn.AdaptiveAvgPool2d(1),
        down=nn.Conv2d(shape[0], width, 1, bias=has_bias),
        act=nn.ReLU(),
        up=nn.Conv2d(width, shape[0], 1, bias=has_bias),
    )


@module
def state_space(shape: Sequence[int], *, inner_width: int, state_width: int, rank: int, kernel: int) -> Any:
    """A Mamba block with its scan as a loop over steps."""
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
        into=nn.Linear(shape[1], 2 * inner_width, bias=False),
        short=nn.Conv1d(inner_width, inner_width, kernel, groups=inner_width, bias=False),
        select=nn.Linear(inner_width, rank + 2 * state_width, bias=False),
        steps=nn.Linear(rank, inner_width, bias=False),
        out=nn.Linear(inner_width, shape[1], bias=False),
        decay=nn.Parameter(-torch.rand(inner_width, state_width)),
        skip=nn.Parameter(torch.ones(inner_width)),
    )


@module
def patches(shape: Sequence[int], *, size: int, width: int, has_bias: bool = False) -> Any:
    """nn.Conv2d that steps over its own size."""
    return MODULES["conv2d"](shape, out_channels=width, kernel=size, stride=size, has_bias=has_bias)


@module
def layer_norm2d(shape: Sequence[int]) -> Any:
    """nn.LayerNorm over the channels."""
    from torch import nn

    norm = nn.LayerNorm(shape[0])
    return wired(lambda self, x: self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2), norm=norm)


@module
def adaptive_average_pool2d(shape: Sequence[int], *, size: int) -> Any:
    """nn.AdaptiveAvgPool2d."""
    from torch import nn

    return nn.AdaptiveAvgPool2d(size)


@module
def patch_merging(shape: Sequence[int]) -> Any:
    """Each 2 x 2 places as one vector, nn.LayerNorm, nn.Linear."""
    from torch import nn

    def forward(self: Any, x: Any) -> Any:
        cut = x.unflatten(3, (-1, 2)).unflatten(2, (-1, 2)).permute(0, 2, 4, 3, 5, 1).flatten(3)
        return self.reduce(self.norm(cut))

    channels = shape[0]
    return wired(forward, norm=nn.LayerNorm(4 * channels), reduce=nn.Linear(4 * channels, 2 * channels, bias=False))


@module
def attention_pool2d(shape: Sequence[int], *, heads: int, out_features: int) -> Any:
    """CLIP's pooling, with scaled_dot_product_attention."""
    import torch
    from torch import nn

    width = shape[0]

    def forward(self: Any, x: Any) -> Any:
        places = x.flatten(2).transpose(1, 2)
        places = torch.cat([places.mean(1, keepdim=True), places], 1) + self.positions
        rows = self.query(places[:, :1]), self.keys(places), self.values(places)
        return self.out(_joined(_fused(*(_heads(each, heads) for each in rows)))).flatten(1)

    positions = nn.Parameter(torch.randn(shape[1] * shape[2] + 1, width))
    parts = {name: nn.Linear(width, width) for name in ("query", "keys", "values")}
    return wired(forward, positions=positions, out=nn.Linear(width, out_features), **parts)


@module
def axial_attention(shape: Sequence[int], *, heads: int, head_width: int, is_over_columns: bool = False) -> Any:
    """Rows, or columns, as a batch; a gate before the projection back."""
    from torch import nn

    width, inner = shape[2], heads * head_width

    def forward(self: Any, x: Any) -> Any:
        turned = x.transpose(1, 2) if is_over_columns else x
        lines = turned.flatten(0, 1)
        rows = (_heads(each(lines), heads) for each in (self.queries, self.keys, self.values))
        out = self.out(_joined(_fused(*rows)) * self.gate(lines).sigmoid()).view_as(turned)
        return out.transpose(1, 2) if is_over_columns else out

    parts = {name: nn.Linear(width, inner, bias=False) for name in ("queries", "keys", "values")}
    return wired(forward, gate=nn.Linear(width, inner), out=nn.Linear(inner, width), **parts)


@module
def triangle_multiplication(shape: Sequence[int], *, width: int) -> Any:
    """Two gated projections, an einsum over the third corner, a gated projection back."""
    import torch
    from torch import nn

    def forward(self: Any, x: Any) -> Any:
        left, right = self.left(x) * self.left_gate(x).sigmoid(), self.right(x) * self.right_gate(x).sigmoid()
        return self.out(self.norm(torch.einsum("bikc,bjkc->bijc", left, right))) * self.gate(x).sigmoid()

    inner = shape[2]
    parts = {name: nn.Linear(inner, width) for name in ("left", "left_gate", "right", "right_gate")}
    return wired(forward, norm=nn.LayerNorm(width), out=nn.Linear(width, inner), gate=nn.Linear(inner, inner), **parts)


@module
def outer_product_mean(shape: Sequence[int], *, width: int, out_features: int) -> Any:
    """Two projections, an einsum over rows, a projection."""
    import torch
    from torch import nn

    def forward(self: Any, x: Any) -> Any:
        return self.out(torch.einsum("bsic,bsjd->bijcd", self.left(x), self.right(x)).flatten(3) / shape[0])

    left, right = nn.Linear(shape[2], width), nn.Linear(shape[2], width)
    return wired(forward, left=left, right=right, out=nn.Linear(width * width, out_features))


def twice(shape: Sequence[int]) -> Any:
    """The same nn.Linear used twice."""
    from torch import nn

    return wired(lambda self, x: self.layer(self.layer(x)), layer=nn.Linear(shape[-1], shape[-1], bias=False))


def nested(shape: Sequence[int], *, out_features: int) -> Any:
    """A linear layer three containers deep."""
    from torch import nn

    return nn.Sequential(nn.Sequential(nn.Sequential(nn.Linear(shape[-1], out_features, bias=False))))


def adapted(shape: Sequence[int], *, out_features: int, rank: int) -> Any:
    """A frozen nn.Linear with a low-rank adapter beside it."""
    from torch import nn

    base = nn.Linear(shape[-1], out_features, bias=False).requires_grad_(False)
    down, up = nn.Linear(shape[-1], rank, bias=False), nn.Linear(rank, out_features, bias=False)
    return wired(lambda self, x: self.base(x) + self.up(self.down(x)), base=base, down=down, up=up)


def frozen_below(shape: Sequence[int], *, out_features: int) -> Any:
    """A frozen nn.Linear below one that is trained."""
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
    """nn.TransformerEncoderLayer; in inference without gradients torch takes its own fast path."""

    def made(shape: Sequence[int], *, heads: int, head_width: int, width: int) -> Any:
        import torch

        def forward(self: Any, x: Any) -> Any:
            if is_inference:
                with torch.no_grad():
                    return self.layer(x)
            return self.layer(x)

        layer = torch.nn.TransformerEncoderLayer(shape[1], heads, width, 0.0, batch_first=True)
        return wired(forward, layer=layer)

    return made
