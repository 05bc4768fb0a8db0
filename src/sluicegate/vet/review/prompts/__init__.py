"""What reviewing models are told, and in what form they answer: signed for this release, and verified before each use."""
