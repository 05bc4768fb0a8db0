"""``python -m sluicegate`` is ``sluicegate``."""

from sluicegate.reach.cli.main import main

main()
