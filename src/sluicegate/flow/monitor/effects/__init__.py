"""The effects that the monitor performs, one module for each kind of operation."""
