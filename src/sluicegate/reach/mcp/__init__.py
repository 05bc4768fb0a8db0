"""How agents reach sluicegate by the Model Context Protocol: a gateway before servers, and a server of its own."""
