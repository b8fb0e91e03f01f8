"""The update day: read watched sources again, compare, judge and list what is to do. Nothing is merged and no record is written."""
