"""The update day: read watched sources again, compare and judge them, and list what to do. Merge nothing and write no record."""
