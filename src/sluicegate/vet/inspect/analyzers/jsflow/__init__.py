"""JavaScript and TypeScript: what flows from secrets and the network into effects."""
