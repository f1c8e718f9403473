"""An exhaustive sampler of placements that shares no search, ranking or budget with the planner: see `search`."""
