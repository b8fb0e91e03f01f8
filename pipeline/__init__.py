"""The pipeline: records in, a ledger of training compute out."""
