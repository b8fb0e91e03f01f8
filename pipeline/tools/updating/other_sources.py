"""Check watched sources that are not tables: result repositories, one per round, and addresses that records cite."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from pipeline.base.download import DownloadError, Limits, status
from pipeline.catalogues.sheets import CatalogueError
from schemas.records import Records, WatchedSource

GIT_SECONDS = 60
AT_ONCE = 8
LIMITS = Limits(bytes=1, seconds=30.0, read_seconds=15.0, retries=1)


def rounds_moved(source: WatchedSource) -> Iterator[dict[str, str]]:
    """Yield each result repository that is new or has a newer commit than we read. Raise CatalogueError."""
    for number, commit in source.rounds.items():
        address = str(source.address).format(round=number)
        newest = _newest_commit(address)
        if newest and newest != commit:
            yield {"address": address, "status": f"commit {newest[:12]}, read was {commit[:12] if commit else 'none'}"}


def _newest_commit(address: str) -> str | None:
    """Return the newest commit of a repository, or None if it is empty or does not exist.

    Raise CatalogueError if git is missing or the server cannot be reached. Git gets no credentials and asks for none.
    """
    command = ["git", "-c", "credential.helper=", "ls-remote", address, "HEAD"]
    env = {"GIT_TERMINAL_PROMPT": "0", "PATH": "/usr/bin:/bin"}
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=GIT_SECONDS, env=env)
    except (OSError, subprocess.TimeoutExpired):
        raise CatalogueError(f"{address}: git did not answer in time, or is not installed") from None
    if process.returncode == 0:
        return process.stdout.split()[0] if process.stdout.split() else None
    if "not found" in process.stderr.lower() or "could not read Username" in process.stderr:
        return None  # for a repository that does not exist, GitHub asks for a login
    raise CatalogueError(f"{address} cannot be reached")


def addresses(records: Records) -> dict[str, list[str]]:
    """Return, for each address, the ids of the models that cite it."""
    models_by_address: dict[str, list[str]] = {}
    for name, model in sorted(records.models.items()):
        for source in model.sources.values():
            if source.url:
                models_by_address.setdefault(source.url, []).append(name)
    return models_by_address


def lost_addresses(named: dict[str, list[str]]) -> list[dict[str, str]]:
    """Return the addresses that have moved or no longer exist. Raise CatalogueError if no address can be reached."""

    def status_of(address: str) -> str:
        try:
            return status(address, LIMITS)
        except DownloadError as problem:
            return "gone: answered 404" if problem.status in (404, 410) else f"unknown: {problem}"

    with ThreadPoolExecutor(AT_ONCE) as workers:
        answers = dict(zip(named, workers.map(status_of, named), strict=True))
    if answers and all(words.startswith("unknown") for words in answers.values()):
        raise CatalogueError(f"none of {len(answers):,} addresses can be reached")
    return [
        {"address": address, "status": words, "models": ", ".join(named[address][:5])}
        for address, words in answers.items()
        if not words.startswith(("reached", "unknown"))
    ]
