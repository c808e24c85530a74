"""The session over links that fail, and partners that do."""
