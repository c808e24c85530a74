"""Whose move it is, in a sentence."""

from __future__ import annotations

from p2pball.engine.state import Phase
from p2pball.engine.view import View


def question(view: View) -> str:
    """What is asked of a seat whose choice is due."""
    who = "batter" if view.batting else "pitcher"
    return {
        Phase.ROLL: "Your roll, batter?",
        Phase.CHOOSE: "Your pitch?",
        Phase.KING: "Your King may send a runner.",
    }.get(view.state.phase, f"Your card, {who}?")


def waiting(phase: Phase) -> str:
    """What the other seat does meanwhile."""
    return {
        Phase.START: "Waiting for your rival to begin.",
        Phase.CHOOSE: "Your rival picks a pitch.",
        Phase.ROLL: "Your rival has the dice.",
        Phase.WINDOW: "Your rival may make a move before the pitch.",
        Phase.KING: "Your rival's King may send a runner.",
        Phase.PITCH: "Your card is locked. Your rival is still choosing.",
    }.get(phase, "Waiting for your rival.")
