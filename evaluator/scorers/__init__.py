"""Scorers by the `kind` of a pack's score contract. Each module has `score(pack, trace) -> Score`; adding one is adding one file."""
