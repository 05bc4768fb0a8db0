"""Hooks of coding agents: a host tells of an event, flow decides, and the host is answered in its own words.

``hosts`` reads what each host tells (``told``), ``tool_operations`` says which operations a call of a tool is, and ``run`` asks the
daemon and answers. Nothing here decides. All of it starts before each call of a tool, so it imports next to nothing.
"""
