"""What functions outside the bundle do, as tables of models."""
