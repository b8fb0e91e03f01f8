"""A failing machine: at a block's n-th write, rename or opening for writing, the disk is full or the process is killed.

A kill is simulated in this process by an exception that nothing catches, after which nothing that the block does, as in
`finally`, changes the disk. Writes by DuckDB and Arrow are not counted; for them the size of files is limited
(`file_size_limit`).
"""

import builtins
import errno
import io
import itertools
import os
import resource
from contextlib import contextmanager, suppress
from unittest import mock

OPERATIONS = ("open", "write", "replace")
FULL = os.strerror(errno.ENOSPC)


class Killed(BaseException):
    """The simulated death of the process."""


class Machine:
    """Counts operations and fails at one of them. `is_hit` is whether the block reached it."""

    def __init__(self, operation, number, is_kill):
        self.operation, self.number, self.is_kill = operation, number, is_kill
        self.counts, self.is_dead, self.is_hit = dict.fromkeys(OPERATIONS, 0), False, False

    def has_come(self, operation):
        """Count one operation; return whether it is the one to fail."""
        if self.is_dead:
            raise Killed
        self.counts[operation] += 1
        is_now = (operation, self.counts[operation]) == (self.operation, self.number)
        self.is_hit = self.is_hit or is_now
        return is_now

    def fail(self, *name):
        if self.is_kill:
            self.is_dead = True
            raise Killed
        raise OSError(errno.ENOSPC, FULL, *name)


@contextmanager
def fault(operation, number, is_kill):
    """Fail or die at the `number`-th operation of this kind in the block. The caller gets OSErrors; death ends here."""
    machine = Machine(operation, number, is_kill)
    real_open, real_replace = io.open, os.replace

    def opened(file, mode="r", *more, **named):
        if not {*mode} & {*"wax+"}:
            return real_open(file, mode, *more, **named)
        is_now = machine.has_come("open")
        if is_now and not is_kill:
            machine.fail(file)
        made = real_open(file, mode, *more, **named)
        if is_now:
            made.close()  # it exists, but is empty
            machine.fail()
        real_write = made.write

        def write(content):
            if machine.has_come("write"):
                real_write(content[: len(content) // 2])
                made.flush()
                machine.fail()
            return real_write(content)

        made.write = write
        return made

    def replace(source, target, **named):
        if machine.has_come("replace"):
            machine.fail(source, None, target)
        real_replace(source, target, **named)

    def while_alive(real):
        def call(*words, **named):
            if machine.is_dead:
                raise Killed
            return real(*words, **named)

        return call

    others = {name: while_alive(getattr(os, name)) for name in ("unlink", "remove", "rmdir", "mkdir")}
    with (
        mock.patch.object(io, "open", opened),
        mock.patch.object(builtins, "open", opened),
        mock.patch.multiple(os, replace=replace, **others),
        suppress(Killed),
    ):
        yield machine


def everywhere(operation, is_kill, call):
    """Call `call` once for each such operation in it, which fails. Then yield the error, or None after a kill."""
    for number in itertools.count(1):
        error = None
        with fault(operation, number, is_kill) as machine:
            try:
                call()
            except Exception as problem:
                error = problem
        if not machine.is_hit:
            return
        yield error


@contextmanager
def file_size_limit(size):
    """Limit the size of all files written in the block to so many bytes; more is an error, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
