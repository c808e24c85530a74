"""The computer opponent: a choice from a seat's own view and a stream of its own randomness."""

from p2pball.computer.levels import Level
from p2pball.computer.player import advice, choose
from p2pball.computer.stream import Stream

__all__ = ["Level", "Stream", "advice", "choose"]
