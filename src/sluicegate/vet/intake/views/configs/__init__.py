"""Configuration documents (JSON, TOML, INI, YAML, property lists) read to one shape."""
