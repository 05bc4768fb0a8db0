"""Scripts and MCP: servers whose tools a script calls, and modules that are served as tools."""
