"""The update day: read watched sources again, compare and judge them, and list what to do. Nothing is merged, and no record written."""
