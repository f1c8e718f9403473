"""The measure of the grasp audit against shapes whose distances are known, and the number of its cases."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from assistworld.studies.grasp_audit import both_missing, digits_missing, figures, shortfalls, things
from assistworld.studies.hand_contact import Touch, signed_gaps
from assistworld.studies.parts import grasps

UP, DOWN, LEFT, RIGHT = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)
DIGITS = ("thumb", "index", "middle", "ring", "pinky", "palm")


def box_triangles(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The surface of a box as triangles (12, 3, 3)."""
    return np.asarray(trimesh.creation.box(bounds=[low, high]).triangles)


def hand(**touches: tuple[float, tuple[float, float, float]]) -> dict[str, Touch]:
    """Touches by part, gaps in millimetres; what is not named is far away."""
    return {d: Touch(1e-3 * touches[d][0], (touches[d][1],)) if d in touches else Touch(np.inf) for d in DIGITS}


def test_gaps_of_a_box_are_those_of_its_half_spaces() -> None:
    low, high = np.array([-0.02, -0.03, 0.0]), np.array([0.04, 0.03, 0.05])
    points = np.random.default_rng(3).uniform(low - 0.02, high + 0.02, (400, 3))
    out = np.maximum(np.maximum(low - points, points - high), 0.0)
    depth = np.minimum(points - low, high - points).min(axis=1)
    expected = np.where(depth > 0.0, -depth, np.linalg.norm(out, axis=1))
    gap, normal = signed_gaps(points, box_triangles(low, high))
    assert np.allclose(gap, expected, atol=1e-9)
    faces = depth > 0.0
    axis = np.abs(normal[faces]).argmax(axis=1)
    assert np.allclose(np.abs(normal[faces]).max(axis=1), 1.0)
    assert np.allclose(np.minimum(points - low, high - points)[faces][np.arange(faces.sum()), axis], depth[faces], atol=1e-9)


def test_what_is_far_away_touches_nothing() -> None:
    gap, _ = signed_gaps(np.array([[0.5, 0.0, 0.0]]), box_triangles(np.zeros(3), np.full(3, 0.1)))
    assert np.isinf(gap).all() and not Touch(float(gap[0])).contact


def test_a_pinch_needs_two_fingers_opposite_to_the_thumb() -> None:
    assert digits_missing("pinch", hand(thumb=(1, LEFT), index=(2, RIGHT), middle=(-3, RIGHT))) == []
    assert digits_missing("pinch", hand(thumb=(1, LEFT), index=(2, RIGHT), middle=(2, LEFT)))
    assert digits_missing("pinch", hand(thumb=(1, LEFT), index=(2, RIGHT), middle=(7, RIGHT)))
    assert digits_missing("pinch", hand(thumb=(7, LEFT), index=(2, RIGHT), middle=(2, RIGHT)))


def test_a_finger_that_goes_round_a_thing_meets_it_from_several_sides() -> None:
    thumb, bent = Touch(0.001, (LEFT,)), Touch(0.001, (UP, RIGHT))
    assert thumb.opposes(bent) and bent.opposes(thumb) and not thumb.opposes(Touch(0.001, (UP, LEFT)))


def test_a_wrap_needs_four_digits_from_both_sides() -> None:
    four = {"thumb": (1, LEFT), "index": (2, RIGHT), "middle": (-3, RIGHT), "ring": (5, RIGHT)}
    assert digits_missing("wrap", hand(**four)) == []
    assert digits_missing("wrap", hand(**{**four, "ring": (-5, RIGHT)}))
    one_side = dict.fromkeys(four, (1, LEFT))
    assert digits_missing("wrap", hand(**one_side))
    assert digits_missing("wrap", hand(**one_side, palm=(2, RIGHT))) == []


def test_both_hands_hold_from_opposite_sides_or_from_below() -> None:
    def palm(normal: tuple[float, float, float]) -> dict[str, Touch]:
        return hand(palm=(2, normal), index=(1, normal), middle=(1, normal))

    assert both_missing({"left": palm(LEFT), "right": palm(RIGHT)}) == []
    assert both_missing({"left": palm(DOWN), "right": palm(DOWN)}) == []
    assert both_missing({"left": palm(UP), "right": palm(UP)})
    assert both_missing({"left": palm(LEFT), "right": hand(index=(1, RIGHT), middle=(1, RIGHT))})
    assert both_missing({"left": palm(LEFT), "right": hand()})


def test_figures_and_shortfalls_count_by_class() -> None:
    row = {"class": "pinch", "status": "done", "contact_gap_mm": 2.0, "deepest_mm": 1.0}
    cases = [{**row, "ok": True}, {**row, "ok": False, "deepest_mm": 5.0}, {"class": "pinch", "status": "refused", "ok": False}]
    found = figures(cases)["pinch"]
    assert (found["attempted"], found["accepted"], found["deepest_mm_median"], found["deepest_mm_worst"]) == (3, 1, 3.0, 5.0)
    assert figures(cases)["wrap"]["deepest_mm_worst"] is None
    assert len(shortfalls(cases)) == 1 and "1 of 3" in shortfalls(cases)[0]
    assert shortfalls(cases[:1]) == []


def test_every_movable_thing_is_a_case() -> None:
    assert len(things()) == grasps.CASES > 150 and len(set(things())) == grasps.CASES
    with pytest.raises(AttributeError, match="NO_SUCH"):
        _ = grasps.NO_SUCH


@pytest.mark.parametrize("bad", [-0.0041, 0.0061])
def test_the_band_is_that_of_the_seed(bad: float) -> None:
    assert not Touch(bad).contact and Touch(0.0059).contact and Touch(-0.0039).contact
