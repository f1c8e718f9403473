"""LVIS annotations (JSON, version 1): which pictures show how many of what. The pictures are those of COCO."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.datasets.images import load_image
from assistworld.engines.puzzle.datasets.masks import Mask, mask_of


@dataclass(frozen=True)
class LvisImage:
    """A picture: its file below the folder of pictures, its size in pixels, and the segmentations of all instances by category."""

    file: str
    height: int
    width: int
    instances: Mapping[str, tuple[Any, ...]]

    def masks(self, category: str) -> list[Mask]:
        """A mask for each instance of a category. Raises InputError naming the file for a broken segmentation."""
        try:
            return [mask_of(segmentation, self.height, self.width) for segmentation in self.instances[category]]
        except ValueError as error:
            raise InputError("LVIS annotations", [Problem(f"{self.file}, {category}", str(error))]) from error

    def rgb(self, folder: str) -> NDArray[np.uint8]:
        """The picture, of the size that the annotations say. Raises InputError."""
        pixels = load_image(folder, self.file)
        if pixels.shape[:2] != (self.height, self.width):
            said = f"is {pixels.shape[1]} x {pixels.shape[0]}, the annotations say {self.width} x {self.height}"
            raise InputError("LVIS annotations", [Problem(f"{folder}/{self.file}", said, "the original picture")])
        return pixels


@lru_cache(maxsize=2)
def lvis_images(annotations: str, folder: str) -> Mapping[str, LvisImage]:
    """The pictures of an annotation file that are in a folder, by their id as text.

    A category is left out of a picture where the file says that not all of its instances there are annotated
    (`not_exhaustive_category_ids`): they could not be counted. Raises InputError naming the file and the field that does not fit.
    """
    data = _read(Path(annotations))
    try:
        # The words in brackets stay: "bow (weapon)" is another category than "bow (decorative ribbons)".
        names = {c["id"]: str(c["name"]).replace("_", " ") for c in data["categories"]}
        found: dict[int, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        for one in data["annotations"]:
            found[one["image_id"]][names[one["category_id"]]].append(one["segmentation"])
        images = {}
        for image in data["images"]:
            partly = {names[n] for n in image.get("not_exhaustive_category_ids", ())}
            whole = {name: tuple(parts) for name, parts in found[image["id"]].items() if name not in partly}
            file = _file(Path(folder), image)
            if file:
                images[str(image["id"])] = LvisImage(file, image["height"], image["width"], whole)
    except (KeyError, TypeError) as error:
        fix = "images, annotations and categories of LVIS version 1"
        raise InputError("LVIS annotations", [Problem(annotations, f"lacks or breaks {error}", fix)]) from error
    if not images:
        fix = "the folder that holds train2017, or its files"
        raise InputError("LVIS pictures", [Problem(folder, f"holds none of the {len(data['images'])} pictures", fix)])
    return images


def _read(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError("LVIS annotations", [Problem(str(file), f"cannot be read: {error.strerror}", "lvis_v1_train.json")]) from error
    except ValueError as error:
        raise InputError("LVIS annotations", [Problem(str(file), f"is no JSON: {error}")]) from error
    if not isinstance(data, dict) or {"images", "annotations", "categories"} - data.keys():
        fix = "lvis_v1_train.json or lvis_v1_val.json"
        raise InputError("LVIS annotations", [Problem(str(file), "lacks images, annotations or categories", fix)])
    return data


def _file(folder: Path, image: Mapping[str, Any]) -> str:
    """Where a picture is below the folder: `train2017/000000000139.jpg` or without the split; empty where it is not there."""
    parts = str(image.get("coco_url") or image.get("file_name") or f"{image['id']:012}.jpg").split("/")
    return next((name for name in ("/".join(parts[-2:]), parts[-1]) if (folder / name).is_file()), "")
