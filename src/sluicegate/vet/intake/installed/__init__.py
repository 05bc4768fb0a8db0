"""What is installed for the agents of this machine, and where."""
