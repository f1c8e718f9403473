"""How much memory and how many files this process has, from the operating system."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def resident_mb(pid: int | None = None) -> float:
    """Resident memory of a process in megabytes (2**20 bytes); its peak where the system tells no more; 0 where it tells nothing."""
    status = Path(f"/proc/{pid or os.getpid()}/statm")
    try:
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, IndexError):
        pass
    if pid is not None and pid != os.getpid():
        return 0.0
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def open_files(pid: int | None = None) -> int | None:
    """How many file descriptors a process has open, None where the system does not tell."""
    try:
        return len(os.listdir(f"/proc/{pid or os.getpid()}/fd"))
    except OSError:
        return None
