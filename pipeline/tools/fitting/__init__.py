"""`make fit-uncertainty`: fit the error of GPU time, and show the evidence for the other widths.

The code reads tables that the pipeline made; the pipeline does not import it. Methods, section 4, describes the model.
"""
