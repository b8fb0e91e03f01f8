"""`flopledger verify`: check that no file has changed since it was published."""

from pipeline.commands import ledger, output
from pipeline.commands.problems import stop


def verify() -> None:
    """Check that no file has changed since it was published.

    Published files, database, tables and snapshots are compared with digests, which are in SHA256SUMS, ledger.sha256, datapackage.json, dvc.lock and the snapshot's sidecar. Each
    list of digests has one line. The exit code is 1 if anything differs.
    """
    from pipeline.publishing import verification

    verified = verification.verified()
    output.tell(verified.lists)
    if verified.mistakes:
        stop("\n".join(verified.mistakes))
    with ledger.opened():  # prints which inputs have changed since the ledger was built
        pass
