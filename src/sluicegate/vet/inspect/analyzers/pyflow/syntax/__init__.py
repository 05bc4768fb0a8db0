"""Python text to syntax trees, whatever its version and however broken."""
