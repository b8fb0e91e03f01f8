"""The network that a user names: a file, a network that we count, or a model on the Hugging Face Hub."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.answers.problems import reported, stop
from pipeline.base.text.progress import status
from schemas.errors import InputError

ID = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")


def is_id(what: str) -> bool:
    """Return whether this is the id of a model on the Hub: neither a local file nor a network that we count.

    >>> is_id("meta-llama/Llama-3.1-8B"), is_id("config.json"), is_id("ViT-B/16")
    (True, False, False)
    """
    if not ID.fullmatch(what) or what.endswith(".json") or Path(what).exists():
        return False
    from pipeline.architectures.counting import is_name  # slow: imports every family of networks

    return not is_name(what)


@contextmanager
def local_network(what: str) -> Iterator[str]:
    """Yield a network's file or name; for the id of a model on the Hub, the path of its downloaded config.json.

    End the command if the config cannot be downloaded or, without naming its path, if the block cannot use it.
    """
    if not is_id(what):
        yield what
        return
    from pipeline.architectures.counting import CountError
    from pipeline.base.hub import HubError, config_of  # needs a package that a file does not need

    with reported(HubError), status(f"asking the Hub for {what}"), config_of(what) as path:
        try:
            yield str(path)
        except (InputError, CountError) as problem:
            message = problem.as_options() if isinstance(problem, InputError) else str(problem)
            stop(message.replace(str(path), f"{what}/config.json"))
