"""What a match in prose means: an order, a warning, a quotation, words about reviewers."""
