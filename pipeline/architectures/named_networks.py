"""Named networks (networks.yml), each as the settings of its family."""

from pathlib import Path
from typing import Any

import yaml

from pipeline.architectures.network import ArchitectureError
from schemas.spelling import find, nearest

Settings = dict[str, Any]
_FILE = Path(__file__).with_name("networks.yml")
_TABLE: dict[str, Settings] = yaml.load(_FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
# Other names that torchvision and timm use for the same networks.
ALIASES: dict[str, str] = {alias: name for name, row in _TABLE.items() for alias in row.pop("also", ())}
SUMS = {name: row for name, row in _TABLE.items() if "torch" in row}  # networks whose layers are not known
NAMED: dict[str, Settings] = {
    name: ({"family": "sums", "network": name} if name in SUMS else row)
    | {"image_size": row.get("image_size", 224), "classes": 1000}
    for name, row in _TABLE.items()
}


def network_settings(name: str) -> Settings:
    """Return the settings of a network by name or alias, in the form that `counted` takes.

    Raise ArchitectureError, with the nearest name, if the name is unknown.

    >>> network_settings("resnet50")
    {'family': 'resnet', 'depth': 50, 'image_size': 224, 'classes': 1000}
    """
    names = (*NAMED, *ALIASES)
    spelling = find(name, names)
    if spelling is None:
        hint = nearest(name, names, longest_list=0) or "; `flopledger count --list` names them all"
        if name.isidentifier():
            hint += f"{' Otherwise' if hint[-1] == '?' else ';'} count torch:torchvision.models:{name} or torch:timm.models:{name}"
        raise ArchitectureError(f"{name!r} is not a named network{hint}")
    settings = NAMED[ALIASES.get(spelling, spelling)]
    # In timm, a transformer's name ends in its image size, unless that is 224.
    return {**settings, "image_size": 384 if spelling.endswith("_384") else settings["image_size"]}
