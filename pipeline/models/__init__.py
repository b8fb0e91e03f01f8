"""The rules: one SQL file per table, with its given and expected rows. `sql` runs them."""
