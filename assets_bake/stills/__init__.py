"""Stills of the scenes for the visual puzzles: rooms as they stand, and tables and floors spread with things to count and to point at."""
