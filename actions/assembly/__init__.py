"""Putting things together: connectors that are mated and parted, assemblies that are raised."""
