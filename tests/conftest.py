"""Fixtures for several folders: the ledger's records and tables, and the miniature's release, made at most once.

The pipeline is imported inside the fixtures, because some tests run where none of its libraries is installed.
"""

import atexit
import contextlib
import functools
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Doctests are collected from every file, except one that runs where the wheel is installed; files that need torch are
# read only if it is.
collect_ignore_glob = ["*/packaging/calls.py"] + ([] if find_spec("torch") else ["*/torch_*.py", "*/in_torch/*.py"])
# Every run tries the same examples, without a time limit, because a machine may be busy.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")


class AtOnce:
    """Prints a failure as soon as it happens, because the last test may be half an hour away."""

    def __init__(self, config):
        self.writer = config.get_terminal_writer()

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.writer.line()
            self.writer.sep("_", report.nodeid)
            report.toterminal(self.writer)


@pytest.hookimpl(trylast=True)  # after the terminal exists
def pytest_configure(config):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(AtOnce(config))


if "PYTEST_XDIST_WORKER" in os.environ:  # At exit, DuckDB's bindings list what they did not free, before the summary.
    atexit.register(lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), 2))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory):
    """Return a folder of this pytest run, the same in all of its processes."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def records():
    """The ledger's own records."""
    from pipeline.records import loading
    from pipeline.stages import flow

    with contextlib.chdir(flow.ROOT):
        return loading.load([Path("data/records")])


@pytest.fixture(scope="session")
def params():
    """The ledger's own parameters."""
    from pipeline.records import params as choices

    return choices.load()


@pytest.fixture(scope="session")
def tables(shared_folder):
    """Return the ledger's tables: those in data/tables if they are current, otherwise made here."""
    from pipeline.base.paths import ROOT
    from pipeline.publishing import fingerprint
    from pipeline.stages import flow
    from tests.builders import Tables, made_once

    if fingerprint.is_present():
        return Tables(ROOT)

    def make(folder):
        for name in ("records", "snapshots"):
            shutil.copytree(ROOT / "data" / name, folder / "data" / name)
        shutil.copy(ROOT / "params.yaml", folder)
        for stage in ("ingest", "estimate", "check", "catalogue"):
            flow.run(stage, folder)

    return Tables(made_once(shared_folder / "tables", make))


@pytest.fixture(scope="session")
def miniature(shared_folder):
    """Return the miniature's tree after all stages have run. Tests that change something copy it first."""
    from tests.builders import copied, made_once, run_everything

    return made_once(shared_folder / "miniature", lambda folder: run_everything(copied(folder)))


@pytest.fixture(scope="session", autouse=True)
def inputs_read_once():
    """Digest and parse the ledger's own files once per process, because no test changes them in place."""
    from pipeline.base.paths import LEDGER, RECORDS
    from pipeline.publishing import citation, database, fingerprint
    from pipeline.records import loading

    with pytest.MonkeyPatch.context() as patch:

        def once(module, name, ours):
            real, remembered = getattr(module, name), functools.cache(getattr(module, name))
            patch.setattr(module, name, lambda given=ours: remembered(given) if given == ours else real(given))

        once(fingerprint, "input_digests", LEDGER)
        once(citation, "_commit", LEDGER)
        once(database, "is_vouched", LEDGER / "data/published/ledger.duckdb")
        shape = loading.shape
        shape_once = functools.cache(lambda place, path: shape(path))

        def shape_of(path):
            place = os.path.abspath(path)
            return shape_once(place, path) if place.startswith(f"{RECORDS}{os.sep}") else shape(path)

        patch.setattr(loading, "shape", shape_of)
        yield


@pytest.fixture(scope="session")
def published_database():
    """The published database, which `make repro` made."""
    from pipeline.publishing import database

    with database.reading():
        pass


@pytest.fixture
def server():
    """Start a local server that gives a test's `answers`, and has a `url`."""
    from tests.loopback import serving

    with serving() as local_server:
        yield local_server
