"""The MLPerf page: submissions' utilization by benchmark, chip and precision, and why other submissions have none."""

from pipeline.site.ledger import Ledger
from pipeline.site.page import Site

TASKS = {
    "bert": "BERT Large",
    "gpt3": "GPT-3 175B",
    "llama2_70b_lora": "Llama 2 70B, LoRA",
    "llama31_405b": "Llama 3.1 405B",
    "llama31_8b": "Llama 3.1 8B",
    "resnet": "ResNet-50",
    "stable_diffusion": "Stable Diffusion 2",
}


def write(site: Site, ledger: Ledger) -> None:
    """Write benchmarks.html."""
    (counts,) = ledger.rows("benchmark_counts")
    site.page(
        "benchmarks.html",
        "benchmarks.html",
        counts=counts,
        cells=[{**row, "log": _address(row["best_run"]["place"])} for row in ledger.rows("benchmark_cells")],
        tasks=TASKS,
    )


def _address(place: str) -> str:
    """Return the address of a file's page on GitHub, at the commit that we read."""
    repository, _, path = place.removeprefix("github:").partition(":")
    name, _, commit = repository.partition("@")
    return f"https://github.com/{name}/blob/{commit}/{path.replace(' ', '%20')}"
