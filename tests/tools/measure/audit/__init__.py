"""The audit: public FLOP counters compared with a count by hand. `make audit`; its tests are the `test_*` files."""
