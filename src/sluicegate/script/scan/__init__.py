"""Text to tokens with positions, in both modes."""
