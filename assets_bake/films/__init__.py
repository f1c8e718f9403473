"""Short films for the visual puzzles: a camera goes forward through rooms of our own scenes."""
