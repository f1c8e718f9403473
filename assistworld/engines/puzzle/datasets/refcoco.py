"""RefCOCO, RefCOCO+ and RefCOCOg as the REFER toolkit lays them out: a pickled list of references beside COCO's instances."""

from __future__ import annotations

import io
import json
import pickle
from collections import Counter
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
class Reference:
    """One thing of a picture, what people said of it, and how many others of its category are annotated in the picture."""

    file: str
    height: int
    width: int
    sentences: tuple[str, ...]
    segmentation: Any
    alike: int

    def mask(self) -> Mask:
        """Its mask, shape (height, width). Raises InputError naming the file for a broken segmentation."""
        try:
            return mask_of(self.segmentation, self.height, self.width)
        except ValueError as error:
            raise InputError("RefCOCO annotations", [Problem(self.file, str(error))]) from error

    def rgb(self, images: str) -> NDArray[np.uint8]:
        """Its picture. Raises InputError."""
        return load_image(images, self.file)


@lru_cache(maxsize=4)
def references(folder: str, images: str, split: str) -> Mapping[str, Reference]:
    """The references of a split whose pictures are there, by their id as text.

    folder: of one data set, with `instances.json` and `refs(unc).p` (or another `refs(...).p`). images: the folder of train2014, or the
    one above it. split: train, val, testA or testB. Raises InputError naming what is missing or broken.
    """
    root = Path(folder)
    listed = sorted(root.glob("refs(*).p"))
    if not listed or not (root / "instances.json").is_file():
        what = "holds no instances.json and refs(...).p" if root.is_dir() else "is no folder"
        raise InputError("RefCOCO annotations", [Problem(folder, what, "the folder refcoco+ of the REFER toolkit")])
    refs = _unpickled(next((file for file in listed if "unc" in file.name), listed[0]))
    try:
        data = json.loads((root / "instances.json").read_text("utf-8"))
        pictures = {image["id"]: image for image in data["images"]}
        instances = {one["id"]: one for one in data["annotations"]}
        alike = Counter((one["image_id"], one["category_id"]) for one in data["annotations"])
        found = {}
        for ref in (ref for ref in refs if ref["split"] == split):
            image, one = pictures[ref["image_id"]], instances[ref["ann_id"]]
            file = next((name for name in (image["file_name"], f"train2014/{image['file_name']}") if (Path(images) / name).is_file()), "")
            if file:
                said = tuple(dict.fromkeys(str(sentence["sent"]) for sentence in ref["sentences"]))
                others = alike[one["image_id"], one["category_id"]] - 1
                found[str(ref["ref_id"])] = Reference(file, image["height"], image["width"], said, one["segmentation"], others)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError("RefCOCO annotations", [Problem(folder, f"lacks or breaks {error}", "files of the REFER toolkit")]) from error
    if not found:
        splits = ", ".join(sorted({str(ref["split"]) for ref in refs}))
        raise InputError(
            "RefCOCO", [Problem(images, f"holds no picture of the split {split!r} (there are: {splits})", "train2014 of COCO")]
        )
    return found


class _Plain(pickle.Unpickler):
    """Reads lists, dictionaries, text and numbers; a pickle that asks for any class or function could run code and is refused."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"it asks for {module}.{name}; a list of references needs none")


def _unpickled(file: Path) -> list[dict[str, Any]]:
    try:
        refs = _Plain(io.BytesIO(file.read_bytes()), encoding="latin1").load()
    except Exception as error:  # a broken pickle raises almost anything
        raise InputError("RefCOCO annotations", [Problem(str(file), f"cannot be read: {error}")]) from error
    if not isinstance(refs, list) or not all(isinstance(ref, dict) and "split" in ref for ref in refs):
        raise InputError("RefCOCO annotations", [Problem(str(file), "is no list of references", "refs(unc).p of the REFER toolkit")])
    return refs
