"""Convolutional networks of which only the sums over all layers are known (networks.yml)."""

from pipeline.architectures.named_networks import NAMED, SUMS
from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, family
from schemas.spelling import nearest


@family
class Sums:
    """A network by its name in networks.yml, for images of the size and the classes for which it was counted."""

    network: str
    image_size: int
    classes: int

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return one layer with the sums of the whole network."""
        if self.network not in SUMS:
            message = f"{self.network!r} is not a network with known sums{nearest(self.network, SUMS)}"
            raise ArchitectureError(message, "network")
        size, classes = NAMED[self.network]["image_size"], NAMED[self.network]["classes"]
        if (self.image_size, self.classes) != (size, classes):
            way_on = f"count torch:{SUMS[self.network]['torch']} --image-size {self.image_size}"
            message = f"only the sums for images of {size} and {classes:,} classes are known; {way_on}"
            raise ArchitectureError(message, "image_size")
        sums = {name: value for name, value in SUMS[self.network].items() if name not in ("torch", "image_size")}
        return [Input((3, size, size)), Layer("convolutional_network", {"classes": classes, **sums})]
