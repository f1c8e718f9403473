"""Compiles the inner loops once, into their cache beside the sources, so that no first command waits: `python -m assistworld.studies.warm`.

A short scripted stay in the flat calls each of them: standing up, looking round, reading a label, grasping, walking, putting down, opening.
"""

from __future__ import annotations

import sys
import time

COMMANDS = (
    "[LookAt] <coffee_jar> (1)",
    "[Grab] <red_mug> (1)",
    "[Walk] <sofa> (1)",
    "[Put] <red_mug> (1) <dining_table> (1)",
    "[Open] <fridge> (1)",
)


def warm() -> float:
    """Plays the commands once; a refusal is no matter. Returns the processor time in seconds. Raises what `reset` raises."""
    from assistcore.world.engine import Scenario
    from assistcore.world.outcomes import Refusal
    from assistworld.engines.house import make

    began = time.process_time()
    engine = make()
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    engine.offer("human")
    for text in COMMANDS:
        parsed = engine.parse(text)
        if isinstance(parsed, Refusal) or engine.begin(parsed.command) is not None:
            continue
        while not engine.idle():
            engine.tick()
    engine.close()
    return time.process_time() - began


if __name__ == "__main__":
    sys.stderr.write(f"inner loops are ready after {warm():.0f} s of processor time\n")
