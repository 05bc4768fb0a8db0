"""The structure rules, one module a family. Importing a module declares its rules."""
