"""What reviewing models are told, and in what form they answer: pinned to this release, and verified before each use."""
