"""What every report format says alike: advice, remedies, origins, notes."""
