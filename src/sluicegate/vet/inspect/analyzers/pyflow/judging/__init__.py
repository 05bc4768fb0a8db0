"""From the interpreter's operations to matches: which rule each breaks, and how bad it is."""
