"""One file a form of publication: bytes in, passages with their places out."""
