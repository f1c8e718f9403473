"""Human executors: one module each, with `make(pack, seed)`."""

from __future__ import annotations
