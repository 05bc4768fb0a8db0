"""Which files a command of these words runs."""
