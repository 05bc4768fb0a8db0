"""What names a finding: the same wherever it stands, another when anything on which it rests changes."""
