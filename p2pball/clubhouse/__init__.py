"""The clubhouse: everything on disk, game journals, identity, settings and the history of games played."""
