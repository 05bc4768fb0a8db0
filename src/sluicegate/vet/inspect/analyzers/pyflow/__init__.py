"""The parts of the Python analyzer: parsing that survives broken text, an abstract interpreter, its rules."""
