"""What waits for a person's decision, and the signed rulings of persons."""
