"""Front ends: one game, shown and asked about in four ways."""
