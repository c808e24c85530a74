from tests.ui.playing import home

__all__ = ["home"]
