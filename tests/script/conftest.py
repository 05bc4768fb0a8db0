"""That this is here lets tests in the rooms below import the samples beside it."""
