"""What models say of a skill: what they are shown, what they are told, who is asked."""
