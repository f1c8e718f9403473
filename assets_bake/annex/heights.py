"""Heights of the tables on which several modules put things, metres."""

from __future__ import annotations

CONSOLE, SORTING, FOLDING = 0.80, 0.82, 0.84
