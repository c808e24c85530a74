"""A page that scrolls, with a bar of whole cells: the same in both sets of glyphs, and without colours."""

from __future__ import annotations

from typing import ClassVar

from textual.containers import VerticalScroll
from textual.scrollbar import ScrollBarRender


class _WholeCells(ScrollBarRender):
    VERTICAL_BARS: ClassVar[list[str]] = [" "]


class Scroll(VerticalScroll):
    """A vertical scroll whose bar is one cell wide."""

    DEFAULT_CSS = """
    Scroll { height: 1fr; scrollbar-size-vertical: 1; }
    """

    def on_mount(self) -> None:
        """The bar is drawn in whole cells."""
        self.vertical_scrollbar.renderer = _WholeCells  # type: ignore[misc]  # each bar may have its own
