"""What flows between the commands of shell text."""
