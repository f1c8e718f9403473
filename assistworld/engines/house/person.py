"""Who the person is: the embedded body or the user's own SMPL+H file, the built-in way of walking or one from a motion clip."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from assistcore.world.errors import InputError, Problem

if TYPE_CHECKING:
    from humans.model import BodyModel


BODY_FIX = "an SMPL+H model has 52 joints; docs/bodies_and_motion.md lists the files that are read"
GAIT_FIX = "docs/bodies_and_motion.md says what a clip needs"


@dataclass(frozen=True)
class Person:
    """body: an SMPL+H model (npz, pkl, or a folder that holds one); gait: an AMASS clip (npz) of a walk. None: what the house brings."""

    body: Path | None = None
    gait: Path | None = None

    @cached_property
    def model(self) -> BodyModel:
        """The body with its way of walking, read once. Raises InputError that names file, value and fix."""
        from humans.clip_gait import read_gait, with_gait
        from humans.model import load_body
        from humans.model_files import BodyFileError
        from humans.motion_files import MotionFileError

        try:
            found = load_body(self.body)
        except BodyFileError as error:
            raise _wrong("body", self.body, error, BODY_FIX) from error
        if self.gait is None:
            return found
        try:
            return with_gait(found, read_gait(self.gait, found))
        except MotionFileError as error:
            raise _wrong("gait", self.gait, error, GAIT_FIX) from error

    @cached_property
    def mark(self) -> str:
        """Twelve hex digits for each file of the user's, "" for the person of the house: results depend on them. Raises InputError."""
        from humans.model_files import BodyFileError, model_file

        body = gait = ""
        try:
            if self.body is not None:
                body = f".body-{_digest(model_file(self.body.expanduser()))}"
        except (BodyFileError, OSError) as error:
            raise _wrong("body", self.body, error, BODY_FIX) from error
        try:
            if self.gait is not None:
                gait = f".gait-{_digest(self.gait.expanduser())}"
        except OSError as error:
            raise _wrong("gait", self.gait, error, GAIT_FIX) from error
        return body + gait


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _wrong(what: str, path: Path | None, error: Exception, fix: str) -> InputError:
    text = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    return InputError(f"{what} of the person", [Problem(str(path), text.removeprefix(f"{path}: "), fix)])
