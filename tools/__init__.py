"""Programs that make what the package ships, and what it is measured with."""
