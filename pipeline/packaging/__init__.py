"""What a wheel holds beside the code, and how it gets there; nothing here is imported when the package is used."""
