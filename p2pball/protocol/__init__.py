"""Pure fair play: docs/fair-play.md as functions of bytes, with no transport, clock or randomness."""
