"""The command line."""

import gc

# What a command imports stays: the collector of cycles would walk it again and again, and find nothing. It runs once
# there is more than that; a scan of many skills hands it what each of them left (see ``vet.skill``).
gc.set_threshold(100_000)
