"""Archives unpacked in memory, member by member, within bounds."""
