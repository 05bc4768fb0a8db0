"""Shell: a reader that never fails, and what flows between its commands."""
