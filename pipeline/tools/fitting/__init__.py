"""Fits the error of GPU time and shows what identifies the other widths, outside the pipeline: `make fit-uncertainty`.

Reads the tables that the pipeline made; nothing that the pipeline runs reads this folder.
The model is methods, section 4.
"""
