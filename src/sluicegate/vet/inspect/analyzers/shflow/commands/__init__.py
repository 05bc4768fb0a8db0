"""What each command of a shell text does with the values it is given, and what it gives back."""
