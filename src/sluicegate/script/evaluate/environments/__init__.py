"""Environments of scripts: values that say where commands run, and providers that are scripts themselves."""
