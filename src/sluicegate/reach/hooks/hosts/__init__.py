"""What each host tells its hooks, and the answers that it understands: one module a host.

Each has ``TOOLS``, ``read(event)`` (raises HookInputError), ``server(tool)`` for the MCP tool that a name stands for, and
``refused(reason)`` and ``withheld(reason)`` for the answers.
"""
