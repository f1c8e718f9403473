"""Collision-aware walking (seed B.2.1): occupancy grid, search, smooth tracks, validation in 3-D and repair."""
