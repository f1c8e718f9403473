"""Named random streams: every draw comes from (seed, purpose, number), so that adding one draw shifts no other."""

from __future__ import annotations

import hashlib

import numpy as np


def stream(seed: int, purpose: str, number: int = 0) -> np.random.Generator:
    """An independent generator (PCG64) for one purpose and command number."""
    entropy = hashlib.sha256(f"{seed}/{purpose}/{number}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(entropy, "big")))
