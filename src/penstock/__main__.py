"""``python -m penstock`` is ``penstock``."""

from penstock.reach.cli.main import main

main()
