"""The screens of the full-screen front end."""
