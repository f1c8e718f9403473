"""The offline tool that makes assets and scenes: parametric furniture and things, labels, convex pieces, USD files."""
