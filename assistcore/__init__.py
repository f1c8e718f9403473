"""What everything stands on: contracts (`world`), pictures, the physical house without an engine, model clients."""
