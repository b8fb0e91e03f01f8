"""Engines that run rules without the stages' files: in memory, for one model, on a caller's relations or on Spark."""
