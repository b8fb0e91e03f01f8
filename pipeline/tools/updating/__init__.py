"""The update day: watched sources read again, compared, judged, and what is to do listed. Nothing is merged and no record is written."""
