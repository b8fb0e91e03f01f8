"""Engines that run the rules without the stages' files: in memory, for one model, on a caller's relations, on Spark."""
