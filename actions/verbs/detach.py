"""Take an attached part off."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="detach",
    surface=("Detach", "Disassemble", "Remove"),
    args=("child", "parent"),
    hands="free",
    english=("take {child} off {parent}", "detach {child} from {parent}"),
    meaning="Take an attached part off.",
    implemented=False,
    group="assembly",
)
