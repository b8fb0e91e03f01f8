"""A network as described by a published config.json; `config` is the content of that file, copied into the record."""

from typing import Literal

from pipeline.architectures.configs import read
from pipeline.architectures.network import Lengths, Node, family


@family
class HuggingFace:
    """The network of a Hugging Face `config`. `image_size` is stated if it differs from the config's.

    `prediction_depth` is the number of modules that predict further tokens, if it differs from the config's.
    """

    config: dict
    image_size: int | str | None = None
    prediction_depth: int | Literal[0] | None = None

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the layers, read from the config according to its model_type."""
        return read(self.config, lengths, self.image_size, prediction_depth=self.prediction_depth).nodes
