"""A network as a published config.json states it: `config` is that file's content, copied into the record."""

from pipeline.architectures.configs import read
from pipeline.architectures.network import Lengths, Node, family


@family
class HuggingFace:
    """The network of a Hugging Face `config`; `image_size` where images are not of the config's size."""

    config: dict
    image_size: int | None = None

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The layers by the reader of the config's model_type."""
        return read(self.config, lengths, self.image_size).nodes
