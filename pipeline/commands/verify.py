"""`flopledger verify`: check that no file has changed since it was published."""

from pipeline.commands import ledger, output
from pipeline.commands.problems import stop


def verify() -> None:
    """Compare published files, database, tables and snapshot with the digests kept outside them.

    The digests are in SHA256SUMS, ledger.sha256, datapackage.json, dvc.lock and the snapshot's sidecar. Each file has
    one line. The exit code is 1 if anything differs.
    """
    from pipeline.publishing import verification

    verified = verification.verified()
    output.tell(verified.lists)
    if verified.mistakes:
        stop("\n".join(verified.mistakes))
    with ledger.opened():  # prints which inputs have changed since then
        pass
