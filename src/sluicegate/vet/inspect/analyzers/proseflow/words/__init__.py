"""Classes of words, one module for each kind. Each class is one pattern that is tried on a sentence or a paragraph, never on a whole text."""
