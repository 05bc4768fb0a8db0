"""What an environment grants: how it is written, read, narrowed, and which is the default."""
