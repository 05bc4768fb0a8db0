"""The commands for scripts of the script language."""
