"""A laboratory of networks on one machine: namespaces, NATs, a relay, a TURN server, a line that delays and loses."""
