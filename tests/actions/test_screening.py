"""Screening looks at every frame in which limbs and carried things may have met."""

from __future__ import annotations

import numpy as np

from actions.frames import pose_rows
from actions.manipulation.segments import segment_of
from actions.screening import Violation, screen
from assistcore.house.clearance import Allowed
from tests.actions.manipulation.scenes import at, box, thing, world


def _towards_the_chest(*ahead_m: float) -> Violation | None:
    """The screening of someone who stands still while a small block comes to places ahead of the chest, metres from the middle."""
    w = world(thing("block_1", "block", at(3.0, 0.0, 0.0), (box("b", (0.02, 0.02, 0.02)),)))
    body, roots = w.state.body, np.tile(np.eye(4), (len(ahead_m), 1, 1))
    roots[:, 0, 3], roots[:, 2, 3] = ahead_m, 1.25
    still = np.tile(body.pose_rad, (len(ahead_m), 1)), np.tile(body.translation_m, (len(ahead_m), 1))
    return screen(w, segment_of(w, "carry", *still, allowed=Allowed(), carried={"block_1": pose_rows(roots)}))


def test_no_frame_is_skipped_in_which_what_is_carried_reaches_the_body() -> None:
    """What was just not near went into the chest within the distance that every other obstacle left free."""
    touches = next(x for x in np.arange(0.6, 0.0, -0.001).tolist() if _towards_the_chest(x) is not None)
    assert _towards_the_chest(touches + 0.032) is None
    found = _towards_the_chest(touches + 0.032, touches - 0.001)
    assert found is not None and found.frame == 1 and found.hit.owner == "block_1"
