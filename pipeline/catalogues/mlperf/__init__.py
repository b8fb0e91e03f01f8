"""Convert the logs of MLPerf Training's results into a table of measured runs (`python -m pipeline.catalogues.mlperf`)."""
