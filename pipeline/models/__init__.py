"""The rules: one SQL file per table, and a YAML file with given and expected rows as tests. `sql` runs the rules."""
