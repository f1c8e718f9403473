"""The puzzles, one module (or folder) each, with its class under the name PUZZLE. Modules with an underscore are shared parts."""
