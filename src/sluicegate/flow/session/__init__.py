"""Sessions: what one agent has taken in so far, and the permits it was given."""
