"""No frame that is empty, black for want of a picture, noise, or of an earlier state gets through (cases.md A)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from extension import stamp
from extension.cameras import Annotator
from extension.errors import CameraNotReady, StaleFrame
from extension.frames import FrameTaker, Patience, as_image, rgba_of
from tests.extension.fake_cameras import Array

WIDTH, HEIGHT = 64, 48
TALL = HEIGHT + 2 * stamp.BAND_PX
STAMPS = "/Pictures/rig/stamp_"


def marked(number: int, level: int = 90) -> dict[str, Any]:
    """A frame of one grey that shows a number in its instance ids."""
    rgba = np.full((TALL, WIDTH, 4), level, np.uint8)
    rgba[..., 3] = 255
    ids = np.zeros((TALL, WIDTH, 1), np.uint32)
    labels: dict[str, str] = {"0": "BACKGROUND"}
    for k, on in enumerate(stamp.shown(number)):
        if on:
            ids[: stamp.BAND_PX, stamp.columns(WIDTH)[k]] = k + 1
            labels[str(k + 1)] = f"{STAMPS}{k}"
    return {
        "rgba": rgba,
        "distance_to_image_plane": np.full((TALL, WIDTH, 1), 2.0, np.float32),
        "instance_id_segmentation": ids,
        "l": labels,
    }


class Script:
    """A camera that gives the frames of a list, the last one for ever."""

    def __init__(self, frames: list[Any]) -> None:
        self.frames, self.at, self.opened = frames, -1, 0

    def open(self, path: str, width: int, height: int) -> None:
        assert (width, height) == (WIDTH, TALL)
        self.opened += 1

    def render(self) -> None:
        self.at += 1

    def read(self, annotator: Annotator) -> tuple[Any, Mapping[str, Any]]:
        frame = self.frames[min(self.at, len(self.frames) - 1)]
        if not isinstance(frame, dict) or "l" not in frame:
            return frame, {}
        return Array(frame[annotator]), {"idToLabels": frame["l"]}

    def close(self) -> None: ...


def taker(frames: list[Any], settle: int = 0, warm_up: int = 8) -> tuple[FrameTaker, Script]:
    cameras = Script(frames)
    return FrameTaker(cameras, "/Pictures/rig/camera", STAMPS, lambda: Patience(warm_up, settle)), cameras


BLACK = {"rgba": np.zeros((TALL, WIDTH, 4), np.uint8)}
NOT_YET = [None, np.zeros((0,), np.uint8), {"data": np.zeros((0, 4))}, {**marked(7), **BLACK}]


def test_four_frames_that_are_none_are_discarded_and_the_fifth_is_cut_to_rgb() -> None:
    frame = taker([*NOT_YET, marked(7)])[0].take(WIDTH, HEIGHT, 7)
    assert frame.rgb.shape == (HEIGHT, WIDTH, 3) and frame.rgb.dtype == np.uint8 and (frame.rgb == 90).all()
    assert frame.discarded == 4
    assert frame.depth_m.shape == frame.ids.shape == (HEIGHT, WIDTH)


def test_black_for_ever_is_an_error_with_camera_and_count_within_the_budget() -> None:
    waiting, cameras = taker([{**marked(7), **BLACK}], settle=1)
    with pytest.raises(CameraNotReady, match=r"camera /Pictures/rig/camera not ready after 9 renders.*transparent everywhere"):
        waiting.take(WIDTH, HEIGHT, 7)
    assert cameras.at + 1 == 9 and cameras.opened == 2, "the sensor is replaced once on the way"


@pytest.mark.parametrize("level", [3, 0])
def test_a_dark_room_is_a_picture(level: int) -> None:
    frame = taker([marked(7, level)])[0].take(WIDTH, HEIGHT, 7)
    assert (frame.rgb == level).all() and frame.discarded == 0


def test_frames_of_an_earlier_state_are_thrown_away_and_for_ever_are_an_error() -> None:
    frame = taker([marked(6, 10), marked(6, 10), marked(7, 20)])[0].take(WIDTH, HEIGHT, 7)
    assert (frame.rgb == 20).all() and frame.discarded == 2
    with pytest.raises(StaleFrame, match="still shows state 6 after 8 renders, not 7"):
        taker([marked(6)])[0].take(WIDTH, HEIGHT, 7)


def test_the_first_frame_after_a_camera_has_moved_is_not_taken_even_where_its_marks_are_right() -> None:
    frame = taker([marked(7, 200), marked(7, 50), marked(7, 50)], settle=1)[0].take(WIDTH, HEIGHT, 7)
    assert (frame.rgb == 50).all() and frame.discarded == 1


def test_settling_starts_anew_when_an_older_state_comes_between() -> None:
    frame = taker([marked(7, 1), marked(6, 2), marked(7, 3), marked(7, 4)], settle=1)[0].take(WIDTH, HEIGHT, 7)
    assert (frame.rgb == 4).all()


def test_a_picture_without_the_marks_is_not_taken() -> None:
    bare = {**marked(7), "instance_id_segmentation": np.zeros((TALL, WIDTH, 1), np.uint32)}
    with pytest.raises(CameraNotReady, match="without the stage's own marks"):
        taker([bare])[0].take(WIDTH, HEIGHT, 7)


def test_a_buffer_of_another_size_is_not_ready_however_it_is_told() -> None:
    class Complains(Script):
        def read(self, annotator: Annotator) -> tuple[Any, Mapping[str, Any]]:
            if self.at == 0:
                raise RuntimeError("Annotator 'rgba' returned 4 elements")
            return super().read(annotator)

    cameras = Complains([marked(7)])
    assert FrameTaker(cameras, "/c", STAMPS, lambda: Patience(8, 0)).take(WIDTH, HEIGHT, 7).discarded == 1
    assert (
        as_image(np.zeros((WIDTH, HEIGHT, 3)), HEIGHT, WIDTH, 4) == f"a buffer of shape ({WIDTH}, {HEIGHT}, 3), not ({HEIGHT}, {WIDTH}, 4)"
    )
    assert isinstance(rgba_of(np.ones((HEIGHT, WIDTH, 4), np.uint8), HEIGHT, WIDTH), np.ndarray)


@pytest.mark.parametrize("width", [36, 64, 640, 1280])
def test_every_number_is_read_back_at_every_width(width: int) -> None:
    focal = width / 2
    for number in range(stamp.NUMBERS):
        ids, labels = np.zeros((TALL, width), np.int64), {}
        for k, on in enumerate(stamp.shown(number)):
            corners = stamp.square(k, width, HEIGHT, focal)
            x = width / 2 + focal * corners[:, 0] / -corners[:, 2]
            y = TALL / 2 - focal * corners[:, 1] / -corners[:, 2]
            assert 0 <= x.min() and x.max() <= width and 0 <= y.min() and y.max() <= stamp.BAND_PX, "squares stay in the band"
            if on:
                ids[round(y.min()) : round(y.max()), round(x.min()) : round(x.max())] = k + 1
                labels[str(k + 1)] = f"{STAMPS}{k}"
        assert stamp.number_of(ids, labels, STAMPS) == number
