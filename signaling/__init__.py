"""The relay: two players find each other in a room, swap a few sealed messages, and it forgets them."""
