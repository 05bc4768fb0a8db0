"""Git repositories: read and compared without letting them act."""
