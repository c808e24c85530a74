"""A model of one round, searched to its last state: crashes, cuts, lost and repeated messages, a hostile partner."""
