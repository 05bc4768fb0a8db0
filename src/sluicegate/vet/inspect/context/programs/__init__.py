"""What a match in a program or in data means: a list that is looked for, an input of a test, something that runs."""
