"""The root of every error a player may read; a subclass's message is what is shown."""


class P2PBallError(Exception):
    """Something went wrong that the player can be told about in a sentence."""
