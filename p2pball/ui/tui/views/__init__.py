"""Views: functions of a scene to lines of text; none of them knows Textual."""
