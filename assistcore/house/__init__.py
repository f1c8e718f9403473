"""The physical house without an engine: stage, collision world, constraints, attributes, relations, visibility and the Physics protocol."""
