"""What shell text orders to run."""
