"""Hand-written records: parsing their text into facts, checking them, and drafting new records."""
