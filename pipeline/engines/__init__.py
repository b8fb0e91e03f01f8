"""The rules run elsewhere than on disk: in memory, on one model's rows, on a caller's relations, on Spark."""
