"""File labels: with which labels a file was written, known again when it is read."""
