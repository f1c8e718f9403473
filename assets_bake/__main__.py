"""`python -m assets_bake flat`: bake scenes into the content folder; each stage of the work is told on stderr."""

from __future__ import annotations

import sys

from assets_bake.bake import bake


def main(names: list[str]) -> int:
    """Bake the scenes of these names."""
    for name in names:
        file = bake(name, progress=lambda text: sys.stderr.write(f"{text}\n"))
        sys.stdout.write(f"{file}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or ["flat"]))
