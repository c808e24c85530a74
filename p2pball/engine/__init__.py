"""Pure baseball: both games of docs/rules.md as functions of state, choices and dice."""
