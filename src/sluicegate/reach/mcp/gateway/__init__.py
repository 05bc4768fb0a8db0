"""``sluicegate gateway``: one endpoint before many MCP servers.

``core`` decides what happens next and does no I/O: events in, commands out (``happenings``). ``judge`` carries out those that
ask flow, ``pins`` and the scanner; ``relay`` moves bytes.
"""
