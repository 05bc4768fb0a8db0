"""What a module needs, and the profiles by which it degrades under what policy permits."""
