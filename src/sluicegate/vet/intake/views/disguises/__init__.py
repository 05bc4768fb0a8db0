"""Text that hides what it says, made plain: encodings, look-alikes, invisible and spaced letters."""
