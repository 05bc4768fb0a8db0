"""The ledger from the command line: where it is, and what it is told of reviews, rulings of persons and flags."""
