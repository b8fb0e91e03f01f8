"""What is measured: the options, and the list of tasks that follows from them, the most informative first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pipeline.measure.harness.networks import Network

PRECISIONS = ("fp32", "tf32", "bf16", "fp16")
LAYOUTS = ("channels_first", "channels_last")
MODES = ("eager", "compiled")
LARGEST = 0  # the largest batch that fits
PARTS = ("ceilings", "flop", "time", "layers", "products", "hardware")
PRODUCT_SIZES = tuple(range(1000, 20_001, 500))
CPU_PRODUCT_SIZES = (1000, 1500, 2000, 4000, 8000)  # of those above: all would take a CPU half an hour


@dataclass(frozen=True)
class Options:
    """How much is measured.

    `batches` None means each network's own, `threads` None torch's own number. The seconds are upper bounds, of each loop of
    repeats and of each epoch.
    """

    device: str
    is_quick: bool = False
    batches: tuple[int, ...] | None = None
    precisions: tuple[str, ...] = PRECISIONS
    layouts: tuple[str, ...] = LAYOUTS
    modes: tuple[str, ...] = MODES
    parts: tuple[str, ...] = PARTS
    warm_ups: int = 5
    repeats: int = 20
    loop_seconds: float = 10.0
    epoch_examples: int = 10_000
    epoch_seconds: float = 60.0
    product_sizes: tuple[int, ...] = PRODUCT_SIZES
    ceiling_sizes: tuple[int, ...] = (1024, 2048, 4096, 8192)
    copy_bytes: int = 2**30
    threads: int | None = None


QUICK = {
    "is_quick": True, "warm_ups": 1, "repeats": 3, "loop_seconds": 1.0, "epoch_examples": 32, "epoch_seconds": 1.0,
    "product_sizes": (1000, 1500), "ceiling_sizes": (256, 512), "copy_bytes": 2**24,
    "threads": 1,  # several would wait for one another for minutes on a busy machine
    "modes": ("eager",), "precisions": ("fp32", "bf16"),
}  # fmt: skip


@dataclass(frozen=True)
class Task:
    """One thing to measure; its `name` is its key in the results, by which a second run finds what is done."""

    part: str
    network: str = ""
    batch: int | None = None
    precision: str = ""
    layout: str = ""
    mode: str = ""
    size: int | None = None
    library: str = ""

    @property
    def name(self) -> str:
        """The part, then what distinguishes this task from others of the part.

        >>> Task("time", "resnet18", LARGEST, "fp32", "channels_first", "eager").name
        'time/resnet18/fp32/channels_first/eager/batch-largest'
        """
        batch = () if self.batch is None else (f"batch-{self.batch or 'largest'}",)
        size = () if self.size is None else (f"{self.size}",)
        words = (self.part, self.network, self.precision, self.layout, self.mode, *batch, self.library, *size)
        return "/".join(word for word in words if word)


def plan(networks: Iterable[Network], options: Options, libraries: Iterable[str] = ("torch",)) -> list[Task]:
    """All tasks of these options: ceilings and counts, plain timings, layers, products; then layouts, compiled, Nsight.

    So a run that is cut short has the most informative results. The largest batch is measured on GPUs alone: on a CPU it
    would measure the machine's swap. No task occurs twice.
    """
    tasks = [task for task in _all(list(networks), options, tuple(libraries)) if task.part in options.parts]
    return list(dict.fromkeys(tasks))


def _all(networks: list[Network], options: Options, libraries: tuple[str, ...]) -> Iterator[Task]:
    is_gpu = options.device != "cpu"
    precisions = [precision for precision in options.precisions if is_gpu or precision != "tf32"]
    yield from (Task("ceilings", precision=precision) for precision in precisions)
    yield Task("ceilings", library="copy")
    yield from (Task("flop", network.name) for network in networks)
    ways = [(layout, mode) for mode in options.modes for layout in options.layouts]
    for place, (layout, mode) in enumerate(ways):
        for network in networks:
            if layout == "channels_last" and not has_image_layout(network):
                continue
            if mode == "compiled" and network.kind == "recurrent":
                continue  # torch compiles no LSTM: this would be the eager run under another name
            for precision in precisions:
                for batch in _batches(network, options, is_gpu):
                    yield Task("time", network.name, batch, precision, layout, mode)
        if place == 0:
            yield from (Task("layers", network.name, batch) for network in networks for batch in _two(network, options))
            for library in libraries:
                on_cpu = library == "torch_cpu" or not is_gpu
                sizes = [size for size in options.product_sizes if size in CPU_PRODUCT_SIZES or not on_cpu]
                yield from (Task("products", size=size, library=library) for size in sizes)
    if is_gpu:
        for network in networks:
            yield from (Task("hardware", network.name, max(_two(network, options)), each) for each in precisions)


def has_image_layout(network: Network) -> bool:
    """Whether channels-last matters to the network: it is convolutional, not a transformer that only cuts patches so."""
    return network.kind.endswith("convolution")


def _batches(network: Network, options: Options, is_gpu: bool) -> tuple[int, ...]:
    if options.batches:
        return options.batches
    return (*network.batches, LARGEST) if is_gpu and not options.is_quick else network.batches


def _two(network: Network, options: Options) -> tuple[int, ...]:
    # One example, and the first batch of several.
    batches = sorted(options.batches or network.batches)
    return tuple(dict.fromkeys((1, next((batch for batch in batches if batch > 1), 1))))


def as_dict(options: Options) -> dict[str, Any]:
    """The options as they are kept in the results."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(options).items()}
