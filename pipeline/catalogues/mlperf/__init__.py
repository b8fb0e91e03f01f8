"""Convert the result logs of MLPerf Training into a table of measured runs (`python -m pipeline.catalogues.mlperf`)."""
