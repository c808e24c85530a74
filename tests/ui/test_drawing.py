"""What is drawn and when: animations hold nobody up, and only what has changed is drawn anew (fact 6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pball.engine.terms import Rules
from p2pball.ui.tui import motion
from p2pball.ui.tui.field import Field
from tests.ui.playing import asked, options, ready, solo, until
from tests.ui.situations import CARDS, over
from tests.ui.stagecraft import STILL, frame, reached

pytestmark = pytest.mark.usefixtures("home")


async def test_an_animation_never_delays_a_key() -> None:
    app = solo(options(Rules.DICE), replace(STILL, animation=True))
    async with app.run_test(size=(80, 24)) as pilot:
        game = await ready(app, pilot)
        await pilot.press("1")
        await until(pilot, lambda: bool(game._frames) and asked(app))
        assert game.stage.ballgame
        lines = len(game.stage.ballgame.game.exchange.lines)
        before = "\n".join(frame(app))
        assert "Your pitch?" in before
        await pilot.press("2")
        await until(pilot, lambda: len(game.stage.ballgame.game.exchange.lines) > lines)  # type: ignore[union-attr]
        chosen = [e.text for e in game.stage.log if "You throw" in e.text]
        assert len(chosen) == 2
        await until(pilot, lambda: not game._frames)
        await pilot.pause()
        assert any("Rolls:" in line for line in frame(app)), "at rest the log says it all"


def test_a_motion_is_short_and_ends_where_the_play_did() -> None:
    game = reached(CARDS, "0", over)
    for moments in game.rounds():
        frames = motion.frames(moments)
        assert len(frames) * motion.SECONDS <= 1.2
        if frames and frames[-1].running:
            ends = {a.slot: 3 * a.end for m in moments if hasattr(m.event, "advances") for a in m.event.advances}
            assert {slot: ends[slot] for slot in frames[-1].running} == dict(frames[-1].running)


async def test_only_what_changed_is_drawn() -> None:
    """Fact 6: a tick of the clock draws the prompt line, a heartbeat the status line, and no other row."""
    app = solo(options(Rules.CARDS, clock=60))
    async with app.run_test(size=(80, 24)) as pilot:
        game = await ready(app, pilot)
        await pilot.pause(0.3)
        field, prompt, status = game.query_one(Field), 22, 0
        before = field.drawn.copy()
        shown = frame(app)[prompt]
        await until(pilot, lambda: field.drawn[prompt] > before[prompt], 5)
        after = field.drawn.copy()
        assert set(after - before) == {prompt}
        assert frame(app)[prompt] != shown
        game.stage.link("direct", 0.042, 0.0)
        await pilot.pause(0.1)
        assert set(field.drawn - after) - {prompt} == {status}
