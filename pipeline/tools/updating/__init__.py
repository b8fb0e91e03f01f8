"""The update day: compare watched sources with our snapshots, and list what to do. No records are changed."""
