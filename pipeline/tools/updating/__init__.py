"""The update day: read watched sources again, compare them with our snapshots, and list what to do. No records are changed."""
