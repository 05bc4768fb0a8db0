"""What a command changed in the folders that it may write."""
