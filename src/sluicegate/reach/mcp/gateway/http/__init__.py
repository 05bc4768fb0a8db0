"""The gateway over HTTP: clients that ask it, and servers that it asks."""
