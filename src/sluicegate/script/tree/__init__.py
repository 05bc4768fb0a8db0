"""What a script says, as frozen nodes with the places where they stand."""
