"""What a PDF says: its objects, found by scanning, and the text of its pages."""
