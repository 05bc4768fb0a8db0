"""The rules of one policy, compiled: patterns over commands, files, hosts, labels, sources and arguments."""
