"""A training step as a script has it: random inputs, forward pass and loss, backward pass, optimizer."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from pipeline.measure.harness.build import Built, network
from pipeline.measure.harness.networks import Network

AUTOCAST = ("bf16", "fp16")


class UnsupportedError(RuntimeError):
    """A precision that this device does not have; the message is one line."""


@dataclass
class Step:
    """A network with its optimizer and one batch of random examples on the device.

    `forward` computes the loss, `backward` the gradients of the last loss, `update` changes the weights; `whole` is all
    three. `infer` is a forward pass without gradients.
    """

    module: Any
    host_input: Any
    input: Any
    optimizer: Any
    scaler: Any
    autocast: Callable[[], Any]
    loss: Any = None

    def forward(self) -> None:
        """Forward pass and loss, after dropping the gradients of the step before."""
        self.optimizer.zero_grad(set_to_none=True)
        with self.autocast():
            self.loss = loss_of(self.module(self.input))

    def backward(self) -> None:
        """Gradients of the last forward pass."""
        self.scaler.scale(self.loss).backward()

    def update(self) -> None:
        """The optimizer's step."""
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def whole(self) -> None:
        """One training step."""
        self.forward()
        self.backward()
        self.update()

    def infer(self) -> None:
        """One forward pass without gradients."""
        import torch

        with torch.inference_mode(), self.autocast():
            self.module(self.input)

    def fetch(self) -> None:
        """Copies the batch from the host, as each step of an epoch does."""
        self.input.copy_(self.host_input, non_blocking=True)


def loss_of(output: Any) -> Any:
    """The mean cross-entropy of scores against class 0: which class is the right one changes no operation."""
    from torch.nn import functional as F  # noqa: N812

    rows = output.reshape(-1, output.shape[-1])
    return F.cross_entropy(rows, rows.new_zeros(rows.shape[0]).long())


def examples(built: Built, batch: int, device: str) -> Any:
    """A random batch of a network's input: normal numbers, or token ids."""
    import torch

    random, shape = torch.Generator().manual_seed(0), (batch, *built.shape)
    if built.vocabulary:
        return torch.randint(built.vocabulary, shape, generator=random).to(device)
    return torch.randn(shape, generator=random).to(device)


def prepare(subject: Network, batch: int, precision: str, layout: str, mode: str, device: str) -> Step:
    """A training step of a network. Raises UnsupportedError for a precision that the device does not have."""
    import torch

    refuse_absent(precision, device)
    torch.manual_seed(0)
    with torch.device(device):
        built = network(subject.nodes())
    module = built.module.train()
    host = examples(built, batch, "cpu")
    if layout == "channels_last":
        module = module.to(memory_format=torch.channels_last)
        host = host.contiguous(memory_format=torch.channels_last)
    if device != "cpu":
        host = host.pin_memory()
    # The usual optimizers of image and of language training.
    trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
    is_image = subject.unit == "image"
    optimizer = torch.optim.SGD(trained, lr=1e-3, momentum=0.9) if is_image else torch.optim.AdamW(trained, lr=1e-4)
    kind = torch.device(device).type
    formats = {"bf16": torch.bfloat16, "fp16": torch.float16}

    def autocast() -> Any:
        return torch.autocast(kind, formats[precision]) if precision in formats else nullcontext()

    # All our networks share one forward function: compilations for networks before would count towards torch's limit,
    # above which it runs eagerly without notice.
    torch.compiler.reset()
    scaler = torch.amp.GradScaler(kind, enabled=precision == "fp16")
    run = torch.compile(module) if mode == "compiled" else module
    return Step(run, host, host.to(device), optimizer, scaler, autocast)


def refuse_absent(precision: str, device: str) -> None:
    """Raises UnsupportedError where the device would only emulate the precision."""
    import torch

    if device == "cpu":
        if precision == "tf32":
            raise UnsupportedError("a CPU has no TF32")
        return
    major, minor = torch.cuda.get_device_capability(device)
    # Matrix units: FP16 since Volta (7.0), BF16 and TF32 since Ampere (8.0). P100 (6.0) has fast FP16 without them.
    least = {"tf32": (8, 0), "bf16": (8, 0), "fp16": (6, 0)}.get(precision, (0, 0))
    if (major, minor) < least:
        raise UnsupportedError(f"the chip (capability {major}.{minor}) has no {precision.upper()}")


@contextmanager
def arithmetic(precision: str) -> Iterator[None]:
    """TF32 on for tf32 alone: torch's own default lets convolutions of float32 use it, and fp32 would then be no FP32."""
    import torch

    word = "tf32" if precision == "tf32" else "ieee"
    matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    places: Sequence[Any] = [matmul, getattr(cudnn, "conv", None), getattr(cudnn, "rnn", None)]
    if hasattr(matmul, "fp32_precision"):
        for place in places:
            if place is not None:
                place.fp32_precision = word
    else:  # torch before 2.9
        matmul.allow_tf32 = cudnn.allow_tf32 = precision == "tf32"
    was_searched, cudnn.benchmark = cudnn.benchmark, True
    try:
        yield
    finally:
        cudnn.benchmark = was_searched
