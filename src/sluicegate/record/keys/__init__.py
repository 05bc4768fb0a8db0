"""Keys: this user's own, where they lie, and which public key speaks for whom."""
