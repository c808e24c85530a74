"""The root of every error a player may read; a subclass's message is what is shown."""


class P2PBallError(Exception):
    """Something went wrong that the player can be told about in a sentence."""

    def __str__(self) -> str:
        """The message given, or else the docstring of the subclass as one line."""
        return super().__str__() or " ".join((type(self).__doc__ or "").split())
