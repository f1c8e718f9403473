"""Readers of data sets on tiny files of their formats: LLaVA image folders, LVIS, RefCOCO."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from assistcore.world.errors import InputError
from assistworld.engines.puzzle.datasets.images import image_files, load_image
from assistworld.engines.puzzle.datasets.lvis import lvis_images
from assistworld.engines.puzzle.datasets.masks import mask_of, unpacked
from assistworld.engines.puzzle.datasets.refcoco import references
from assistworld.engines.puzzle.games._labelled import HEIGHT_PX, WIDTH_PX, counted, fitted, number_at, referred
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve
from tests.engines.puzzle.walking import played

WIDTH, HEIGHT = 160, 120
BOXES = [(10 + 30 * n, 20, 28 + 30 * n, 50) for n in range(5)]
"""Left, top, right, bottom of five things."""


def noisy(file: Path, seed: int, width: int = WIDTH, height: int = HEIGHT) -> None:
    """A picture of coarse coloured noise: no two parts of it are alike."""
    coarse = np.random.default_rng(seed).integers(0, 256, (12, 16, 3)).astype(np.uint8)
    file.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC).save(file)


def corners(box: tuple[int, int, int, int]) -> list[float]:
    left, top, right, bottom = box
    return [float(n) for n in (left, top, right, top, right, bottom, left, bottom)]


def packed(mask: np.ndarray) -> str:
    """Run lengths as COCO packs them, written from their description: an independent way to the text."""
    flat = mask.T.ravel().astype(int)
    runs, value, length = [], 0, 0
    for pixel in [*flat.tolist(), -1]:
        if pixel == value:
            length += 1
        else:
            runs.append(length)
            value, length = 1 - value, 1
    text = ""
    for n, run in enumerate(runs):
        number = run - (runs[n - 2] if n > 2 else 0)
        while True:
            group = number & 31
            number >>= 5
            done = number == (-1 if group & 16 else 0)
            text += chr(48 + (group if done else group | 32))
            if done:
                break
    return text


@pytest.fixture
def lvis(tmp_path: Path) -> tuple[str, str]:
    """An annotation file and its folder: five traffic lights and a cup, partly annotated plates, one picture missing."""
    noisy(tmp_path / "train2017" / "000000000007.jpg", 1)
    url = "http://images.cocodataset.org/train2017/{:012}.jpg"
    data = {
        "images": [
            {"id": n, "width": WIDTH, "height": HEIGHT, "coco_url": url.format(n), "not_exhaustive_category_ids": [3]} for n in (7, 8)
        ],
        "categories": [{"id": 1, "name": "traffic_light"}, {"id": 2, "name": "cup_(drinking)"}, {"id": 3, "name": "plate"}],
        "annotations": [{"image_id": 7, "category_id": 1, "segmentation": [corners(box)]} for box in BOXES]
        + [{"image_id": 7, "category_id": n, "segmentation": [corners((40, 70, 90, 110))]} for n in (2, 3)]
        + [{"image_id": 8, "category_id": 1, "segmentation": [corners(BOXES[0])]}],
    }
    (tmp_path / "lvis.json").write_text(json.dumps(data))
    return str(tmp_path / "lvis.json"), str(tmp_path)


@pytest.fixture
def refcoco(tmp_path: Path) -> tuple[str, str]:
    """A data set folder and its pictures: two people, one as polygons, one as packed run lengths."""
    noisy(tmp_path / "train2014" / "COCO_train2014_000000000009.jpg", 2)
    mask = np.zeros((HEIGHT, WIDTH), np.bool_)
    mask[30:60, 100:130] = True
    instances = {
        "images": [{"id": 9, "width": WIDTH, "height": HEIGHT, "file_name": "COCO_train2014_000000000009.jpg"}],
        "annotations": [
            {"id": 21, "image_id": 9, "category_id": 1, "segmentation": [corners((10, 20, 40, 50))]},
            {"id": 22, "image_id": 9, "category_id": 1, "segmentation": {"size": [HEIGHT, WIDTH], "counts": packed(mask)}},
        ],
    }
    refs = [
        {"ref_id": 1, "ann_id": 21, "image_id": 9, "category_id": 1, "split": "val", "file_name": "COCO_train2014_000000000009_1.jpg",
         "sentences": [{"sent": "man in red", "tokens": ["man"], "raw": "Man in red", "sent_id": 0}, {"sent": "left guy", "sent_id": 1}]},
        {"ref_id": 2, "ann_id": 22, "image_id": 9, "category_id": 1, "split": "testA", "sentences": [{"sent": "woman", "sent_id": 2}]},
    ]  # fmt: skip
    folder = tmp_path / "refcoco+"
    folder.mkdir()
    (folder / "instances.json").write_text(json.dumps(instances))
    (folder / "refs(unc).p").write_bytes(pickle.dumps(refs, protocol=2))
    return str(folder), str(tmp_path / "train2014")


def test_masks_of_polygons_and_run_lengths_are_the_same_pixels() -> None:
    mask = np.zeros((5, 4), np.bool_)
    mask[1:4, 1:3] = True
    assert np.array_equal(mask_of([[1, 1, 2, 1, 2, 3, 1, 3]], 5, 4), mask)
    assert np.array_equal(mask_of({"size": [5, 4], "counts": [6, 3, 2, 3, 6]}, 5, 4), mask)
    assert np.array_equal(mask_of({"size": [5, 4], "counts": packed(mask)}, 5, 4), mask)
    two = mask_of([[0, 0, 1, 0, 1, 1], [2, 3, 3, 3, 3, 4]], 5, 4)
    assert two[0, 0] and two[4, 3] and not two[2, 2]


def test_packed_run_lengths_hold_any_mask() -> None:
    rng = np.random.default_rng(3)
    for size in ((1, 1), (7, 9), (120, 160)):
        mask = np.repeat(np.repeat(rng.random(size) < 0.4, 3, 0), 3, 1)
        again = mask_of({"size": list(mask.shape), "counts": packed(mask)}, *mask.shape)
        assert np.array_equal(again, mask)
    assert unpacked("63204") == [6, 3, 2, 3, 6] and unpacked(b"T3") == [100] and unpacked("0:5I") == [0, 10, 5, 3]


@pytest.mark.parametrize(
    ("segmentation", "words"),
    [([], "neither"), ("x", "neither"), ([[1, 2, 3, 4]], "4 numbers"), ({"size": [5, 5], "counts": [25]}, "size"),
     ({"size": [5, 4], "counts": [3]}, "3 pixels"), ({"size": [5, 4], "counts": "~"}, "character 0"),
     ({"size": [5, 4], "counts": "P"}, "character 1")],
)  # fmt: skip
def test_broken_masks_say_what_is_wrong(segmentation: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        mask_of(segmentation, 5, 4)


def test_a_folder_of_pictures_is_listed_and_read(tmp_path: Path) -> None:
    noisy(tmp_path / "00012" / "b.jpg", 1)
    noisy(tmp_path / "00003" / "a.PNG", 2)
    (tmp_path / "notes.txt").write_text("no picture")
    turned = Image.new("RGB", (200, 100))
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save(tmp_path / "turned.jpg", exif=exif)
    assert image_files(str(tmp_path)) == ("00003/a.PNG", "00012/b.jpg", "turned.jpg")
    assert load_image(str(tmp_path), "00012/b.jpg").shape == (HEIGHT, WIDTH, 3)
    assert load_image(str(tmp_path), "turned.jpg").shape == (200, 100, 3), "as its EXIF says"


def test_a_wrong_folder_or_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        image_files(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="holds no picture"):
        image_files(str(tmp_path))
    noisy(tmp_path / "small.png", 1, 40, 30)
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8 no picture")
    for name, words in (
        ("small.png", "40 x 30"),
        ("broken.jpg", "cannot be read"),
        ("../x.png", "no file in this folder"),
        ("gone.png", "no file"),
    ):
        with pytest.raises(InputError, match=words):
            load_image(str(tmp_path), name)


@pytest.mark.parametrize("name", ["jigsaw", "mental_rotation_2d", "zoom_in_puzzle", "colorization"])
def test_puzzles_are_made_of_pictures_of_a_folder(tmp_path: Path, name: str) -> None:
    """Files that cannot be read are passed over; a saved episode whose file is gone says so."""
    for seed in range(4):
        noisy(tmp_path / f"{seed:05}" / "picture.jpg", seed, 320, 240)
    if name == "colorization":  # noise has no disc of one colour
        Image.new("RGB", (320, 240), (60, 120, 180)).save(tmp_path / "00000" / "picture.jpg")
    (tmp_path / "broken.jpg").write_bytes(b"")
    puzzle = make(name, folder=str(tmp_path))
    play = Play(puzzle, seed=2)
    saved = json.loads(json.dumps(play.save()))
    assert play.state.picture.endswith("picture.jpg")
    assert played(play, solve(puzzle, play.state)).reward == 1
    again = Play.restore(saved)
    assert np.array_equal(again.picture(), Play(puzzle, seed=2).picture())
    from assistworld.engines.puzzle.games import _photos

    os.remove(tmp_path / play.state.picture)
    _photos.square.cache_clear()
    with pytest.raises(InputError, match="no file in this folder"):
        Play.restore(saved)


def test_lvis_is_counted_where_all_instances_are_annotated(lvis: tuple[str, str]) -> None:
    annotations, folder = lvis
    images = lvis_images(annotations, folder)
    assert set(images) == {"7"}, "picture 8 is not in the folder"
    assert {name: len(parts) for name, parts in images["7"].instances.items()} == {"traffic light": 5, "cup (drinking)": 1}
    found = counted(folder, annotations, "7", "traffic light")
    assert [number_at(found.ids, point) for point in found.points] == [1, 2, 3, 4, 5]
    for (x, _), box in zip(found.points, BOXES, strict=True):
        assert x * WIDTH_PX / (HEIGHT_PX / HEIGHT) == pytest.approx((box[0] + box[2]) / 2, abs=1.0)
    puzzle = make("counting", annotations=annotations, folder=folder)
    play = Play(puzzle, seed=1)
    assert (play.state.picture, play.state.what) == ("7", "traffic light"), "a single cup is below two"
    assert played(play, solve(puzzle, play.state)).reward == 1


def test_refcoco_is_pointed_at_by_its_masks(refcoco: tuple[str, str]) -> None:
    folder, images = refcoco
    one = references(folder, images, "val")["1"]
    assert one.sentences == ("man in red", "left guy") and one.alike == 1
    assert one.mask()[20:51, 10:41].all() and one.mask().sum() == 31 * 31
    assert references(folder, images, "testA")["2"].mask()[30:60, 100:130].all()
    assert referred(folder, images, "testA", "2", 0).points[0] == pytest.approx((115 / WIDTH, 45 / HEIGHT), abs=0.01)
    puzzle = make("referring_dot_pointing", "standard", folder=folder, images=images)
    play = Play(puzzle, seed=1)
    assert play.state.expression in one.sentences
    assert Play.restore(json.loads(json.dumps(play.save()))).state == play.state
    assert played(play, solve(puzzle, play.state)).reward == 1


def spoil_json(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))


def test_wrong_lvis_files_are_named(lvis: tuple[str, str], tmp_path: Path) -> None:
    annotations, folder = lvis
    for wrong, words in ((str(tmp_path / "no.json"), "no.json.*cannot be read"), (str(tmp_path / "train2017"), "cannot be read")):
        with pytest.raises(InputError, match=words):
            lvis_images(wrong, folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds none of the 2 pictures"):
        lvis_images(annotations, str(tmp_path / "empty"))
    (tmp_path / "text.json").write_text("not json")
    with pytest.raises(InputError, match="is no JSON"):
        lvis_images(str(tmp_path / "text.json"), folder)
    spoil_json(Path(annotations), lambda data: data["annotations"][0].pop("category_id"))
    lvis_images.cache_clear()
    with pytest.raises(InputError, match="category_id"):
        lvis_images(annotations, folder)
    with pytest.raises(InputError, match="give both or none"):
        make("counting", annotations=annotations)


def test_wrong_refcoco_folders_are_named(refcoco: tuple[str, str], tmp_path: Path) -> None:
    folder, images = refcoco
    with pytest.raises(InputError, match="is no folder"):
        references(str(tmp_path / "nowhere"), images, "val")
    with pytest.raises(InputError, match="holds no instances.json"):
        references(images, images, "val")
    with pytest.raises(InputError, match="no picture of the split 'testB' .*testA, val"):
        references(folder, images, "testB")
    spoil_json(Path(folder) / "instances.json", lambda data: data["annotations"].clear())
    references.cache_clear()
    with pytest.raises(InputError, match="21"):
        references(folder, images, "val")


class Harmful:
    """Would make a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.folder),)


def test_a_pickle_that_would_run_code_is_refused(refcoco: tuple[str, str], tmp_path: Path) -> None:
    folder, images = refcoco
    (Path(folder) / "refs(unc).p").write_bytes(pickle.dumps([Harmful(tmp_path / "made")], protocol=2))
    with pytest.raises(InputError, match="mkdir"):
        references(folder, images, "val")
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("size", [(60, 200), (200, 60), (336, 448), (1000, 800)])
def test_pictures_and_masks_are_fitted_alike(size: tuple[int, int]) -> None:
    """A thing in red covers the same pixels in the picture as in its mask, but for its edge."""
    pixels = np.zeros((*size, 3), np.uint8)
    mask = np.zeros(size, np.bool_)
    mask[size[0] // 4 : size[0] // 2, size[1] // 4 : size[1] // 2] = True
    pixels[mask] = (250, 0, 0)
    found = fitted(pixels, [mask])
    red = (found.picture[..., 0] > 125) & (found.picture[..., 1] < 60)
    assert found.picture.shape == (HEIGHT_PX, WIDTH_PX, 3)
    assert (red ^ (found.ids == 1)).sum() <= 2.2 * np.sqrt((found.ids == 1).sum()) + 8
    assert number_at(found.ids, found.points[0]) == 1


def test_the_point_on_a_ring_is_on_the_ring() -> None:
    mask = np.zeros((HEIGHT_PX, WIDTH_PX), np.bool_)
    rows, columns = np.indices(mask.shape)
    far = np.hypot(rows - 150, columns - 200)
    mask[(far > 60) & (far < 100)] = True
    found = fitted(np.zeros((HEIGHT_PX, WIDTH_PX, 3), np.uint8), [mask])
    assert number_at(found.ids, found.points[0]) == 1
