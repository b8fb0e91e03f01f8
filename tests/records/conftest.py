"""A small valid ledger of one chip, an image model and a text model, in which tests break one place at a time."""

from pathlib import Path

import pytest

from pipeline.records import loading

CHIP = """\
name: GTX 580
manufacturer: NVIDIA
aliases: [GeForce GTX 580]
released: {value: 2010-11-09, source: page}
sources:
  page: {title: A page}
peaks:
  fp32: {value: 1.581 teraflop_per_second, source: page}
"""
IMAGES = """\
name: Images
organization: A university
organization_kind: academia
published: 2012-12-03
domain: vision
scope: single
sources: {paper: {kind: authors, title: A paper, year: 2012}}
quotes:
  size: {source: paper, text: "has 60 million parameters", found_at: page 1}
parameters: {value: 60e6, quote: size}
architecture:
  source: paper
  family: layers
  input: {shape: [3, 8, 8]}
  layers:
    - {kind: flatten}
    - {kind: linear, out_features: 310881}
training:
  - phase: pretraining
    example_unit: image
    examples: {value: 1.2e6, source: paper}
    epochs: {value: 90, source: paper}
    precision: {value: fp32, source: paper}
    hardware:
      - chip: {value: nvidia-gtx-580, source: paper}
        chips: {value: 2, source: paper}
        duration: {low: 5 day, high: 6 day, source: paper}
"""
TEXT = """\
name: Text
organization: A company
organization_kind: industry
published: 2020-05
domain: language
scope: single
sources: {paper: {kind: authors, title: Another paper}}
architecture:
  source: paper
  family: transformer_decoder
  layers: 2
  width: 64
  heads: 4
  vocabulary: 100
  feed_forward_width: 256
training:
  - phase: pretraining
    example_unit: token
    examples: {value: 3e9, source: paper}
    sequence_length: {value: 16, source: paper}
"""
RATES = """\
name: Rates
licence: unknown
run: script
sources: {table: {title: A table}}
architectures:
  small: {source: table, family: vgg, depth: 11, image_size: 32, classes: 10}
rows:
  - row: first
    architecture: small
    network: dense_convolution
    chip: GTX 580
    chips: 1
    precision: fp32
    timed: step
    throughput: {value: 50 image_per_second, source: table}
"""
SLIP = """\
sources:
  page: {title: A page}
model: images
figure: 1.2e6 x 90
published_value: {value: 1e9 FLOP, source: page}
factors: 1.2e6 * 90
corrected_value: {value: 1.08e8 FLOP, source: page}
explanation: A factor of ten was added.
"""
FILES = {
    "organizations/a-university.yaml": "name: A university\n",
    "organizations/a-company.yaml": "name: A company\naliases: [ACo]\n",
    "hardware/nvidia-gtx-580.yaml": CHIP,
    "models/images.yaml": IMAGES,
    "models/text.yaml": TEXT,
    "measurements/rates.yaml": RATES,
    "errata/slip.yaml": SLIP,
}


class World:
    """The small ledger in its own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, content in FILES.items():
            self.write(name, content)

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the ledger with this content."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def change(self, name: str, old: str, new: str) -> Path:
        """Replace the only `old` in a file."""
        content = (self.folder / name).read_text()
        assert content.count(old) == 1, f"{old!r} stands {content.count(old)} times in {name}"
        return self.write(name, content.replace(old, new))

    def mistakes(self) -> list[tuple[str, int, str, str]]:
        """Return file (relative to the ledger), line, field and message of every mistake."""
        try:
            loading.load([self.folder])
        except loading.RecordError as problem:
            return [(str(Path(found.file).relative_to(self.folder)), *found[1:]) for found in problem.mistakes]
        return []


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


# A group of gold runs; the second run trained one of the models.
GROUP = """\
name: Group
owner: Someone
licence: MIT
sources: {log: {title: A log}}
architectures:
  matrix: {source: log, family: layers, input: {shape: [1000]}, layers: [{kind: linear, out_features: 1000, has_bias: false}]}
runs:
  - run: first
    name: A run
    published: 2013
    architecture: matrix
    evidence: log
    hours_cover: whole_run
    training:
      phase: pretraining
      example_unit: image
      steps: {value: 1000, source: log}
      batch: {value: 100, source: log}
      hardware:
        - chip: {value: nvidia-gtx-580, source: log}
          chips: {value: 1, source: log}
          duration: {value: 1 second, source: log}
  - {run: second, model: images, phase: pretraining, evidence: table, hours_cover: not_said}
"""
