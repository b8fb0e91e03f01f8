"""Build the wheel, which contains the code and the ledger, and the files of a release."""
