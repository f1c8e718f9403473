"""One module per primitive. Each defines `INFO: VerbInfo`, `plan(world, command)` and `verify(world, command)`; the registry finds it by
file."""
