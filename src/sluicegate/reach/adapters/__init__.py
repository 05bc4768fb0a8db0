"""Frameworks for agents: one adapter each, on ``decide`` and ``settle`` of flow. What they share is ``tool_calls``.

An adapter imports its framework, and nothing else of ours imports an adapter.
"""
