"""Processor seconds of what a user waits for: `make benchmarks` prints the minimum of three runs each."""

import os
import subprocess
import sys
import tempfile

from pipeline.base.paths import ROOT

RUNS = 3
OWN = ("--parameters", "7B", "--tokens", "2T", "--chips", "256", "--hardware", "H100", "--days", "20")
COMMANDS = {
    "dvc repro, nothing to do": ("dvc", "repro"),
    "stage estimate": ("pipeline", "estimate"),
    "validate": ("pipeline.cli", "validate", "data/records"),
    "show": ("pipeline.cli", "show", "gpt-3"),
    "explain": ("pipeline.cli", "explain", "gpt-3"),
    "a model of one's own": ("pipeline.cli", "estimate", *OWN),
    "a what-if": ("pipeline.cli", "estimate", "gpt-3", "--epochs", "2"),
}


def cpu_seconds(*words):
    """Return the user and system time of a module run with these arguments. A failure ends the benchmark."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, stdout=output, stderr=output)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            raise SystemExit(f"{' '.join(words)}: {output.read().decode()[-2000:]}")
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    for label, words in COMMANDS.items():
        print(f"{label:<28}{min(cpu_seconds(*words) for _ in range(RUNS)):6.2f} s", flush=True)
