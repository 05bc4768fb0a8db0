"""The ledger: every decision, one line each, chained, authenticated, and asked."""
