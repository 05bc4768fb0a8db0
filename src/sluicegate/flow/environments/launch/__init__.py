"""The code that is carried into the child process, and what it is given there."""
