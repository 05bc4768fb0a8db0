"""The report as JSON: its shape, its schema, and the way there and back."""
