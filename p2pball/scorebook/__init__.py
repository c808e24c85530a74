"""The scorebook: what happened told in words, added up in books and written in the formats of others."""
