"""Bytes between two players: links, ways through the network, the relay's client; ASYNCIO, knows no baseball."""
