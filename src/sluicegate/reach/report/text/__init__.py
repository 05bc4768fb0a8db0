"""The report as plain text for a terminal."""
