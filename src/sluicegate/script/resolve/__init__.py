"""What the names of a script mean, and what can be said of it without running it."""
