"""Jigsaw, Zoom-In, Mental Rotation 2D, Colorization, Counting and Referring Dot-Pointing by rules of their own."""

from __future__ import annotations

import colorsys
import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from assistcore.world.errors import InputError
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.datasets.referring import Located, expressions
from assistworld.engines.puzzle.datasets.stills import MEDIA, still_ids, still_rgb, stills
from assistworld.engines.puzzle.games._hues import hsv_of, rgb_of
from assistworld.engines.puzzle.games._labelled import count_questions, counted, number_at, referred, still_references
from assistworld.engines.puzzle.games._ordering import reordered, sorting, swapped, swaps
from assistworld.engines.puzzle.games._photos import square
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve
from tests.engines.puzzle.walking import played


def cycles(order: tuple[int, ...]) -> int:
    left, count = set(range(len(order))), 0
    while left:
        place, count = left.pop(), count + 1
        while order[place] in left:
            place = order[place]
            left.remove(place)
    return count


@pytest.mark.parametrize("seed", range(10))
def test_orders_are_sorted_at_once_or_by_the_fewest_swaps(seed: int) -> None:
    """Fewest: the number of pieces less the number of cycles."""
    rng = np.random.default_rng(seed)
    order = tuple(rng.permutation(8).tolist())
    assert reordered(order, sorting(order)) == tuple(range(8))
    found = swaps(order, rng)
    assert len(found) == 8 - cycles(order)
    for a, b in found:
        order = swapped(order, a, b)
    assert order == tuple(range(8))


def test_a_jigsaw_shows_its_pieces_where_they_lie() -> None:
    puzzle = make("jigsaw")
    state = replace(Play(puzzle, seed=1).state, order=(2, 0, 1, 3))
    whole, now = square("", state.picture, 336), puzzle.draw(state)
    inner = np.s_[4:160, 4:160]
    for place, piece in enumerate(state.order):
        here, own = (np.array(divmod(n, 2)) * 168 for n in (place, piece))
        assert np.array_equal(
            now[here[0] : here[0] + 168, here[1] : here[1] + 168][inner], whole[own[0] : own[0] + 168, own[1] : own[1] + 168][inner]
        )
    assert puzzle.apply(state, Action("swap", ((0, 0), (1, 0)))).state.order == (1, 0, 2, 3)
    assert puzzle.apply(state, Action("reorder", (1, 2, 0, 3))).state.order == (0, 1, 2, 3)


def test_no_two_pieces_of_a_jigsaw_look_alike() -> None:
    for seed in range(12):
        puzzle = make("jigsaw", "hard")
        picture = square("", Play(puzzle, seed=seed).state.picture, 336).astype(int)
        pieces = [picture[r : r + 112, c : c + 112] for r in (0, 112, 224) for c in (0, 112, 224)]
        assert min(float(np.abs(a - b).mean()) for a, b in itertools.combinations(pieces, 2)) > 7.0


def test_views_are_nested_and_shrink_as_the_configuration_says() -> None:
    puzzle = make("zoom_in_puzzle", "hard")
    for seed in range(20):
        views = Play(puzzle, seed=seed).state.views
        for (top, left, side), (top2, left2, side2) in itertools.pairwise(views):
            assert top <= top2 and left <= left2 and top2 + side2 <= top + side and left2 + side2 <= left + side
            assert 0.62 <= side2 / side <= 0.82
    apart = make("zoom_in_puzzle", nested=False)
    assert any(
        after[0] < before[0] or after[1] < before[1]
        for seed in range(10)
        for before, after in itertools.pairwise(Play(apart, seed=seed).state.views)
    )


@pytest.mark.parametrize("wrong", [{"ratio": 0.95}, {"views": 2}, {"widest": 0.2}])
def test_zooms_that_could_not_be_told_apart_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        make("zoom_in_puzzle", "easy", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("preset", "limit"), [("easy", 10), ("hard", 5)])
def test_a_turn_is_judged_just_inside_and_just_outside(preset: str, limit: int) -> None:
    puzzle = make("mental_rotation_2d", preset)
    start = Play(puzzle, seed=3).state
    for off, good in ((limit, True), (-limit, True), (limit + 1, False), (-limit - 1, False)):
        assert puzzle.solved(replace(start, angle_deg=(start.target_deg + off) % 360)) is good


def test_a_turn_is_counter_clockwise() -> None:
    puzzle = make("mental_rotation_2d")
    start = replace(Play(puzzle, seed=3).state, angle_deg=0, target_deg=90)
    after = puzzle.apply(start, Action("rotate", 90)).state
    assert after.angle_deg == 90 and np.array_equal(puzzle.draw(after)[20:, :224], puzzle.draw(after)[20:, 224:])
    upright = puzzle.draw(start)[20:, :224].astype(int)
    turned = puzzle.draw(after)[20:, :224].astype(int)
    assert np.abs(np.rot90(upright) - turned).mean() < 1.0, "numpy turns counter-clockwise"


def test_hues_are_those_of_the_standard_library() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (300, 3)).astype(np.uint8)
    for (r, g, b), (hue, saturation, value) in zip(pixels.tolist(), hsv_of(pixels).tolist(), strict=True):
        h, s, v = colorsys.rgb_to_hsv(r / 255, g / 255, b / 255)
        assert (hue / 360, saturation / 255, value / 255) == pytest.approx((h, s, v), abs=1e-9)
    assert np.array_equal(rgb_of(hsv_of(pixels)), pixels)


@pytest.mark.parametrize(("preset", "limit"), [("easy", 16.0), ("hard", 11.0)])
def test_a_colour_is_judged_in_pixels_of_the_wheel_that_is_drawn(preset: str, limit: float) -> None:
    """The reference's hard is looser than its easy; a hue matters less the greyer the colour."""
    puzzle = make("colorization", preset)
    goal = puzzle.goal(Play(puzzle, seed=2).state)
    spot = goal.spot
    by_saturation = limit * 255 / 100
    by_hue = math.degrees(2 * math.asin(limit / 2 / (100 * spot.saturation / 255)))
    for share, good in ((0.95, True), (1.05, False)):
        assert puzzle.solved(replace(goal, saturation=spot.saturation + round(share * by_saturation))) is good
        assert puzzle.solved(replace(goal, hue_deg=round(spot.hue_deg + share * by_hue) % 360)) is good


def test_at_its_goal_a_picture_has_its_own_colours() -> None:
    puzzle = make("colorization")
    for seed in range(6):
        start = Play(puzzle, seed=seed).state
        own = square("", start.picture, 336)
        changed = np.any(puzzle.draw(puzzle.goal(start))[:, 228:] != own, axis=2)
        far = np.hypot(*(np.indices(changed.shape) - np.array([start.spot.row, start.spot.column])[:, None, None]))
        assert not changed[far < 11].any() and not changed[far > 17].any(), "only the ring is drawn"
        assert np.abs(puzzle.draw(start)[:, 228:].astype(int) - own)[far < 11].mean() > 12


def test_saturation_stops_at_its_ends() -> None:
    puzzle = make("colorization")
    start = replace(Play(puzzle, seed=1).state, saturation=250)
    full = puzzle.apply(start, Action("saturate", 40))
    assert full.done and full.state.saturation == 255 and "changed by 5" in full.message
    assert not puzzle.apply(full.state, Action("saturate", 1)).done
    assert puzzle.apply(start, Action("rotate", -360)).state == start


def test_only_the_last_guess_counts_and_dots_do_not() -> None:
    puzzle = make("counting")
    play = Play(puzzle, seed=4)
    right = len(counted("", "", play.state.picture, play.state.what).points)
    told = [
        play.act(answer).message
        for answer in ("('undo', 'undo')", "('mark', (0.5, 0.25))", f"('guess', {right})", f"('guess', {right + 1})", "('undo', 'undo')")
    ]
    assert "no dot" in told[0] and "Dot 1" in told[1] and not puzzle.solved(play.state) and play.state.marks == ()
    assert played(play, [f"('guess', {right})", "('stop', 'stop')"]).reward == 1


def test_marking_all_puts_one_dot_on_each_thing() -> None:
    puzzle = make("counting", "hard")
    for seed in range(12):
        play = Play(puzzle, seed=seed)
        found = counted("", "", play.state.picture, play.state.what)
        played(play, solve(puzzle, play.state, strategy="mark_all")[:-1])
        hit = [number_at(found.ids, mark) for mark in play.state.marks]
        assert sorted(hit) == list(range(1, len(found.points) + 1)) and play.state.guess == (len(hit),)


def test_numbers_to_count_are_spread_over_the_range() -> None:
    for preset, low, high in (("easy", 2, 18), ("hard", 5, 28)):
        puzzle = make("counting", preset)
        questions = {(s.picture, s.what): puzzle.goal(s).guess[0] for s in (Play(puzzle, seed=seed).state for seed in range(60))}
        assert min(questions.values()) >= low and max(questions.values()) <= high
        assert len(questions) > 30 and len(set(questions.values())) > 10
        assert Counter(questions.values()).most_common(1)[0][1] < 9, "no number is a good blind guess"


def test_stills_and_their_masks_agree() -> None:
    for name, still in stills().items():
        assert still_rgb(name).shape[:2] == ((336, 448) if still.things else (384, 384))
        if still.things:
            sizes = np.bincount(still_ids(name).ravel(), minlength=len(still.things) + 1)
            assert len(sizes) == len(still.things) + 1 and sizes[1:].min() >= 80, f"{name}: a thing can hardly be seen"
    files = [file for file in MEDIA.iterdir() if file.stem.split("_")[0] in ("flat", "annex", "spread", "stills")]
    assert sum(file.stat().st_size for file in files) < 3_000_000
    assert {file.stem for file in files if file.suffix == ".jpg"} == set(stills())


def test_questions_about_a_colour_are_asked_where_it_tells_something() -> None:
    for (name, what), count in count_questions("", "").items():
        things = stills()[name].things
        assert count == sum(what in (thing.plural, f"{thing.colour} {thing.plural}") for thing in things)
        same = [
            other for (there, other), n in count_questions("", "").items() if there == name and what.endswith(f" {other}") and n == count
        ]
        assert not same, f"{name}: {what} are all the {same}"


ROW = [Located("mug", "red", 50, 100), Located("mug", "blue", 150, 100), Located("mug", "blue", 260, 180), Located("duck", "", 170, 110)]


def test_expressions_fit_one_thing_alone() -> None:
    said = expressions(ROW, 400, 300)
    assert {text: number for number, text in said} == {
        "the red mug": 0, "the duck": 3, "the leftmost mug": 0, "the rightmost mug": 2, "the second mug from the left": 1,
        "the mug closest to the bottom edge of the picture": 2, "the mug closest to the duck": 1, "the leftmost blue mug": 1,
        "the rightmost blue mug": 2, "the blue mug closest to the top edge of the picture": 1, "the blue mug closest to the duck": 1,
        "the blue mug closest to the bottom edge of the picture": 2, "the blue mug closest to the red mug": 1,
    }  # fmt: skip


def test_nothing_is_said_where_it_would_be_unclear() -> None:
    near = [Located("mug", "red", 100, 100), Located("mug", "red", 110, 104), Located("duck", "", 105, 140)]
    assert expressions(near, 400, 300) == [(2, "the duck")]


def holds(text: str, number: int, things: list[Located]) -> bool:
    """What an expression says, read anew and checked against all things."""
    sides = {"leftmost": lambda t: t.x_px, "rightmost": lambda t: -t.x_px}
    words = text.removeprefix("the ").split(" closest to the ")
    label, at = words[0], words[1] if len(words) > 1 else ""
    key = next((key for side, key in sides.items() if label.startswith(side)), None)
    second = label.startswith("second ")
    label = label.removeprefix("leftmost ").removeprefix("rightmost ").removeprefix("second ").removesuffix(" from the left")
    fitting = [n for n, t in enumerate(things) if label in (t.noun, f"{t.colour} {t.noun}")]
    if at:
        edge = {"top edge of the picture": -1e9, "bottom edge of the picture": 1e9}.get(at)
        if edge is not None:
            return min(fitting, key=lambda n: abs(things[n].y_px - edge)) == number
        (there,) = [t for t in things if at in (t.noun, f"{t.colour} {t.noun}")]
        return min(fitting, key=lambda n: math.dist((things[n].x_px, things[n].y_px), (there.x_px, there.y_px))) == number
    if second:
        return sorted(fitting, key=lambda n: things[n].x_px)[1] == number
    return min(fitting, key=lambda n: key(things[n])) == number if key else fitting == [number]


def test_expressions_of_the_stills_mean_what_their_masks_show() -> None:
    references = still_references()
    assert len(references) > 200 and len({text for one in references for text in one.expressions}) > 100
    for picture, group in itertools.groupby(references, key=lambda one: one.picture):
        ids, things = still_ids(picture), stills()[picture].things
        middles = [np.argwhere(ids == n).mean(axis=0) for n in range(1, len(things) + 1)]
        located = [Located(t.noun, t.colour, middle[1], middle[0]) for t, middle in zip(things, middles, strict=True)]
        for one in group:
            for text in one.expressions:
                assert holds(text, one.number - 1, located), f"{picture}: {text}"


def test_a_dot_is_judged_by_the_mask() -> None:
    puzzle = make("referring_dot_pointing")
    state = Play(puzzle, seed=6).state
    mask = referred("", "", "val", state.picture, state.number).ids == 1
    rng = np.random.default_rng(0)
    for x, y in rng.random((300, 2)).tolist():
        assert puzzle.solved(replace(state, mark=((x, y),))) == mask[int(y * 336), int(x * 448)]
    assert not puzzle.solved(state)


def test_pointing_ends_in_the_middle_and_begins_inside_the_mask() -> None:
    puzzle = make("referring_dot_pointing")
    for seed in range(8):
        play = Play(puzzle, seed=seed)
        ids = referred("", "", "val", play.state.picture, play.state.number).ids
        answers = solve(puzzle, play.state, num_steps=6, seed=seed)
        played(play, answers[:1])
        assert puzzle.solved(play.state) and len(answers) == 7
        played(play, answers[1:6])
        rows, columns = np.nonzero(ids == 1)
        middle = ((columns.mean() + 0.5) / 448, (rows.mean() + 0.5) / 336)
        if ids[int(rows.mean()), int(columns.mean())] == 1:
            assert play.state.mark[0] == pytest.approx(middle, abs=0.004)
        assert puzzle.solved(play.state)


def test_hard_points_at_smaller_things_among_more_alike() -> None:
    for preset, share, alike in (("easy", 0.06, 0), ("hard", 0.012, 3)):
        puzzle = make("referring_dot_pointing", preset)
        for seed in range(20):
            state = Play(puzzle, seed=seed).state
            things = stills()[state.picture].things
            assert (still_ids(state.picture) == state.number).mean() <= share
            assert sum(thing.noun == things[state.number - 1].noun for thing in things) - 1 >= alike
