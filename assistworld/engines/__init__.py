"""The worlds behind one protocol. Each sub-package has a module-level `make(...)` that returns an `assistcore.world.engine.Engine`."""
