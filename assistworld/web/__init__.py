"""Pages made of bundles."""
