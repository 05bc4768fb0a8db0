"""Questions about policies: why a decision is what it is, and tables of what a policy is meant to say."""
