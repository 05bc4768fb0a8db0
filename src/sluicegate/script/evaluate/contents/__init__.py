"""What contents are, and what operators, methods and functions of the language make of them."""
