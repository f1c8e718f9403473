"""`python -m assets_bake flat`: bake a scene into the content folder."""

from __future__ import annotations

import sys

from assets_bake.bake import bake

if __name__ == "__main__":
    for name in sys.argv[1:] or ["flat"]:
        sys.stdout.write(f"{bake(name)}\n")
