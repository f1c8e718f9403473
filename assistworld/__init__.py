"""What users of the gym touch: the command line, episodes, agents, engines and studies. Importing this loads none of them."""

from __future__ import annotations

__version__ = "0.1.0"
