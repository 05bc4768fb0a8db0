"""Commands: written as templates, filled with values, and read into what they do by the tables of ``known.commands``."""
