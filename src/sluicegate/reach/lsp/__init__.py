"""The language server of scripts, for editors."""
