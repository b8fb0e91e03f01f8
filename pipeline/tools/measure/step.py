"""One training step: random inputs, a forward pass with loss, a backward pass, and the optimizer."""

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from pipeline.tools.measure import torch_on_use as torch
from pipeline.tools.measure.build import Built, network
from pipeline.tools.measure.networks import Network


class UnsupportedError(RuntimeError):
    """A precision that the device lacks. The message is one line."""


@dataclass
class Step:
    """A network with its optimizer and one batch of random examples, on the host and on the device."""

    module: Any
    host_input: Any
    input: Any
    optimizer: Any
    scaler: Any
    formats: Any  # torch.dtype of autocast, or None
    loss: Any = None

    def forward(self) -> None:
        """Drop the previous gradients and compute the loss."""
        self.optimizer.zero_grad(set_to_none=True)
        kind = self.input.device.type
        with torch.autocast(kind, self.formats) if self.formats else nullcontext():
            self.loss = loss_of(self.module(self.input))

    def backward(self) -> None:
        """Compute the gradients of the last loss."""
        self.scaler.scale(self.loss).backward()

    def update(self) -> None:
        """Update the weights."""
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def fetch(self) -> None:
        """Copy the batch from the host, as each step of an epoch does."""
        self.input.copy_(self.host_input, non_blocking=True)


def loss_of(output: Any) -> Any:
    """Return the mean cross-entropy against class 0. Any other class would take the same operations."""
    rows = output.reshape(-1, output.shape[-1])
    return torch.nn.functional.cross_entropy(rows, rows.new_zeros(rows.shape[0]).long())


def examples(built: Built, batch: int) -> Any:
    """Return a random batch of normal numbers or token ids, on torch's default device."""
    shape = (batch, *built.shape)
    return torch.randint(built.vocabulary, shape) if built.vocabulary else torch.randn(shape)


def prepare(subject: Network, batch: int, precision: str, layout: str, mode: str, device: str) -> Step:
    """Build a training step. Raise UnsupportedError if the device lacks the precision."""
    set_arithmetic(precision, device)
    torch.manual_seed(0)
    with torch.device(device):
        built = network(subject.nodes())
    module, host = built.module.train(), examples(built, batch)
    if layout == "channels_last" and host.dim() == 4:
        module, host = module.to(memory_format=torch.channels_last), host.contiguous(memory_format=torch.channels_last)
    if device != "cpu":
        host = host.pin_memory()
    trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
    # The usual optimizers for images and for language.
    is_image = subject.unit == "image"
    optimizer = torch.optim.SGD(trained, lr=1e-3, momentum=0.9) if is_image else torch.optim.AdamW(trained, lr=1e-4)
    torch.compiler.reset()  # otherwise, compilations of earlier networks count towards torch's limit
    scaler = torch.amp.GradScaler(torch.device(device).type, enabled=precision == "fp16")
    compiled = torch.compile(module) if mode == "compiled" else module
    return Step(compiled, host, host.to(device), optimizer, scaler, half_format(precision))


def half_format(precision: str) -> Any:
    """Return the torch.dtype of a 16-bit precision, or None for other precisions, which store float32."""
    return {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision)


def set_arithmetic(precision: str, device: str) -> None:
    """Allow TF32 only for precision tf32, unlike torch's default. Raise UnsupportedError if the device lacks the precision."""
    if device == "cpu" and precision == "tf32":
        raise UnsupportedError("a CPU has no TF32")
    # Matrix units: FP16 since Volta (7.0), BF16 and TF32 since Ampere (8.0). P100 (6.0) has fast FP16 without them.
    least = {"tf32": (8, 0), "bf16": (8, 0), "fp16": (6, 0)}.get(precision, (0, 0))
    if device != "cpu" and torch.cuda.get_device_capability(device) < least:
        raise UnsupportedError(f"this chip has no {precision.upper()}")
    for place in (torch.backends.cuda.matmul, torch.backends.cudnn.conv, torch.backends.cudnn.rnn):
        place.fp32_precision = "tf32" if precision == "tf32" else "ieee"
    torch.backends.cudnn.benchmark = True
