"""The text of a policy: read, held against the closed schema, and checked, with the line of every problem."""
