"""Fixtures for the tests of commands."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def answers_without_remarks(published_database):
    """Most commands read the published database, and would print a remark if it were made again during one."""
