"""Programs and commands inside other files: recipes, hooks, interpreters' arguments, text that is run."""
