"""TaskPacks: schema, loader, digest, static checker and the catalogue."""
