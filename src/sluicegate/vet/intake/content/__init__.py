"""What a file really is: by its bytes first, its name last."""
