"""Video Unshuffle by rules of its own: the films of the package, which frames are taken, videos from a folder."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from assistcore.world.errors import InputError
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.datasets.films import MEDIA, film_frames, films
from assistworld.engines.puzzle.datasets.videos import MOST_FRAMES, video_frames, video_names
from assistworld.engines.puzzle.games.video_unshuffle import GAP_PX, HEAD_PX, SIDE_PX, VideoState, _most_different
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve


def difference(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    """Mean difference, 0 to 1, by areas of 8 x 8 pixels, worked out area by area."""
    means = [
        [frame[r : r + 8, c : c + 8].reshape(-1, 3).mean(0) / 255 for r in range(0, 224, 8) for c in range(0, 224, 8)] for frame in (a, b)
    ]
    return float(np.abs(np.array(means[0]) - np.array(means[1])).mean())


def test_films_of_the_package_are_whole_and_small() -> None:
    listed = films()
    files = sorted(MEDIA.glob("film_*.jpg"))
    assert [file.stem for file in files] == sorted(listed.names) and len(files) >= 20
    assert sum(file.stat().st_size for file in files) < 3_000_000
    for name in listed.names:
        frames = film_frames(name)
        assert frames.shape == (listed.frames, 224, 224, 3)
        assert min(float(frame.std()) for frame in frames) > 20, f"{name} shows something in every frame"


@pytest.mark.parametrize("preset", ["easy", "hard"])
@pytest.mark.parametrize("sampling", ["even", "salient"])
def test_frames_that_are_shown_can_be_told_apart(preset: str, sampling: str) -> None:
    puzzle = make("video_unshuffle", preset, sampling=sampling)
    for seed in range(3):
        state = Play(puzzle, seed=seed).state
        film = film_frames(state.film)
        for a, b in itertools.pairwise(state.frames):
            assert difference(film[a], film[b]) >= puzzle.config.min_frame_diff - 1e-6, f"seed {seed}"
        for a, b in itertools.combinations(state.frames, 2):
            assert difference(film[a], film[b]) > 0.02, f"seed {seed}"
        steps = set(np.diff(state.frames).tolist())
        assert min(steps) > 0 and (sampling == "salient" or len(steps) == 1)


def test_salient_frames_are_the_best_of_all() -> None:
    """Against every choice of four of nine."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        differ = rng.random((9, 9))
        differ = (differ + differ.T) / 2
        best = max(min(differ[a, b] for a, b in itertools.pairwise(chosen)) for chosen in itertools.combinations(range(9), 4))
        found = _most_different(differ, 4)
        assert list(found) == sorted(set(found)) and len(found) == 4
        assert min(differ[a, b] for a, b in itertools.pairwise(found)) == pytest.approx(best)


def test_places_show_the_frames_that_the_order_says() -> None:
    puzzle = make("video_unshuffle")
    film = films().names[0]
    state = VideoState(film, (0, 3, 6, 9), (2, 0, 3, 1))

    def shown(at: VideoState) -> list[int]:
        panels = [puzzle.draw(at)[HEAD_PX:, n * (SIDE_PX + GAP_PX) : n * (SIDE_PX + GAP_PX) + SIDE_PX] for n in range(4)]
        return [next(k for k in (0, 3, 6, 9) if np.array_equal(panel, film_frames(film)[k])) for panel in panels]

    assert shown(state) == [6, 0, 9, 3]
    assert shown(puzzle.apply(state, Action("swap", (1, 4))).state) == [3, 0, 9, 6]
    assert shown(puzzle.apply(state, Action("reorder", (2, 4, 1, 3))).state) == [0, 3, 6, 9]
    assert puzzle.solved(puzzle.apply(state, Action("reorder", (2, 4, 1, 3))).state)


def scene(number: int) -> NDArray[np.uint8]:
    """A white square that moves over a grey ground, 96 x 120."""
    frame = np.full((96, 120, 3), 90, np.uint8)
    frame[30:60, 8 + 8 * number : 40 + 8 * number] = 240
    return frame


def write_video(file: Path, count: int) -> None:
    """Something-Something v2 has VP9 in WebM."""
    cv2 = pytest.importorskip("cv2")
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter_fourcc(*"VP90"), 12, (120, 96))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no WebM")
    for number in range(count):
        writer.write(scene(number)[..., ::-1])
    writer.release()


def check_folder(folder: Path, film: str) -> None:
    puzzle = make("video_unshuffle", folder=str(folder), min_frame_diff=0.02)
    assert "forward" not in puzzle.task(), "it is not said of films that may show anything"
    play = Play(puzzle, seed=2)
    assert play.state.film == film and not puzzle.faults(play.state)
    for answer in solve(puzzle, play.state):
        play.act(answer)
    assert play.reward == 1
    bright = play.picture()[HEAD_PX:].mean(axis=(0, 2))
    middles = [float(np.average(np.arange(SIDE_PX), weights=np.clip(bright[n : n + SIDE_PX] - 100, 0, None))) for n in range(0, 690, 230)]
    assert middles == sorted(middles) and middles[0] < middles[-1] - 20, "the square moves to the right"
    assert Play.restore(json.loads(json.dumps(play.save()))).state == play.state


def test_videos_come_from_files(tmp_path: Path) -> None:
    write_video(tmp_path / "7.webm", 9)
    (tmp_path / "labels.json").write_text("{}")
    check_folder(tmp_path, "7.webm")
    assert len(video_frames(str(tmp_path), "7.webm", 224)) == 9


def test_videos_come_from_folders_of_pictures(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    for number in range(9):
        Image.fromarray(scene(number)).save(tmp_path / "one" / f"{number + 4}.png")
    check_folder(tmp_path, "one")


def test_names_are_in_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("10.webm", "9.webm", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    assert video_names(str(tmp_path)) == ("9.webm", "10.webm")


def test_long_videos_are_thinned_evenly(tmp_path: Path) -> None:
    (tmp_path / "long").mkdir()
    for number in range(2 * MOST_FRAMES):
        Image.new("RGB", (32, 32), (number, number, number)).save(tmp_path / "long" / f"{number}.png")
    levels = video_frames(str(tmp_path), "long", 8)[:, 0, 0, 0].tolist()
    assert len(levels) == MOST_FRAMES and levels[0] == 0 and levels[-1] == 2 * MOST_FRAMES - 1
    assert {b - a for a, b in itertools.pairwise(levels)} <= {2, 3}


def test_videos_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no video"):
        Play(make("video_unshuffle", folder=str(tmp_path)), seed=1)
    pytest.importorskip("cv2")
    (tmp_path / "5.webm").write_bytes(b"no film")
    video_names.cache_clear()
    with pytest.raises(InputError, match=r"5\.webm"):
        Play(make("video_unshuffle", folder=str(tmp_path)), seed=1)


def test_a_saved_film_must_be_one_of_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "videos"
    for folder in (inside / "one", tmp_path / "other"):
        folder.mkdir(parents=True)
        for number in range(9):
            Image.fromarray(scene(number)).save(folder / f"{number}.png")
    saved = Play(make("video_unshuffle", folder=str(inside), min_frame_diff=0.02), seed=1).save()
    with pytest.raises(InputError, match="no video in this folder"):
        Play.restore({**saved, "state": {**saved["state"], "film": "../other"}})
    own = Play(make("video_unshuffle"), seed=1).save()
    with pytest.raises(InputError, match="none of the package"):
        Play.restore({**own, "state": {**own["state"], "film": "../../../secret"}})


@pytest.mark.parametrize(("parameter", "value"), [("num_frames", 2), ("sampling", "odd"), ("min_frame_diff", 0.0), ("max_steps", 3)])
def test_parameters_out_of_range_are_refused_by_name(parameter: str, value: Any) -> None:
    with pytest.raises(InputError, match=parameter):
        make("video_unshuffle", **{parameter: value})
