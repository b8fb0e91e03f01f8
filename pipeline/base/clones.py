"""Read files from a git clone of a public repository, at its newest commit."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

MOST_BYTES = 50_000_000  # size of the largest file that we read; the largest log is 30 MB


class CloneError(Exception):
    """A folder that cannot be read as a clone. The message is a sentence with the reason."""


class Repository:
    """A clone, with or without a work tree: its name on GitHub (`mlcommons/training_results_v5.0`), commit and paths."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.commit = self._git("rev-parse", "HEAD").strip()
        listed = self._git("-c", "core.quotepath=off", "ls-tree", "-r", "-z", "HEAD").split("\0")
        self._blobs = {path: entry.split()[2] for entry, _, path in (line.partition("\t") for line in listed) if path}
        self.paths = sorted(self._blobs)
        first_path = {self._blobs[path]: path for path in reversed(self.paths)}
        # One path for each content.
        self.distinct_paths = [path for path in self.paths if first_path[self._blobs[path]] == path]

    def place(self, path: str) -> str:
        """Return the address that records use to cite a file in this clone."""
        return f"github:{self.name}@{self.commit}:{path}"

    def texts(self, paths: Sequence[str]) -> dict[str, str]:
        """Return the text of each file by path, leaving out files that are too large or not in the clone."""
        paths = [path for path in paths if path in self._blobs]
        requested_blobs = "".join(f"{self._blobs[path]}\n" for path in paths).encode()
        command = ["git", "-C", str(self.folder), "cat-file", "--batch"]
        answer = subprocess.run(command, input=requested_blobs, capture_output=True, check=True).stdout
        # Per file, git answers with a line that ends in the size or "missing", then the content and a line break.
        texts, at = {}, 0
        for path in paths:
            end = answer.index(b"\n", at)
            header, at = answer[at:end].split(), end + 1
            if header[-1] == b"missing":
                continue
            size = int(header[2])
            if size <= MOST_BYTES:
                texts[path] = answer[at : at + size].decode("utf-8", "replace")
            at += size + 1
        return texts

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.folder), *arguments]
        answer = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")
        if answer.returncode:
            raise CloneError(f"{self.folder} is not a clone of {self.name}: {answer.stderr.strip()}")
        return answer.stdout
