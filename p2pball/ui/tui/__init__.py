"""The full screen: Textual, imported only once it is known that this front end starts."""
