"""Engines that run the rules elsewhere than on disk: in memory, for one model, on a caller's relations, on Spark."""
