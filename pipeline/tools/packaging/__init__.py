"""Build the wheel, which holds code and ledger, and the files of a release."""
