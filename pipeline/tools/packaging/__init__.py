"""Build the wheel, which contains code and ledger, and the files of a release."""
