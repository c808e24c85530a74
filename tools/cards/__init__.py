"""The workshop of the cards game's computer: a field of parallel games, a solver, training and sparring partners."""
