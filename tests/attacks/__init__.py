"""A malicious peer as a library: everything a dishonest client could try, and what must come of it."""
