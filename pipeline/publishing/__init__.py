"""Turn tables into published files: CSV, parquet, database, dictionary, pages."""
