"""The logic of the stages: rules on tables, in functions that open no files."""
