"""``sluicegate mcp``: what an agent may ask about skills, policies and the ledger, as tools that read and change nothing."""
