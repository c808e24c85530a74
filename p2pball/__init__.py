"""p2pball: two-player baseball in the terminal, peer to peer, provably fair."""

__version__ = "1.0.0"
