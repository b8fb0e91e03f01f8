"""The logic of the stages: rules on tables, as pure functions that open no files."""
