"""Scores: a pure function of a pack and the records of a run."""
