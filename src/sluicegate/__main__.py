"""``python -m sluicegate`` is ``sluicegate``."""

from sluicegate.reach.cli.start import main

main()
