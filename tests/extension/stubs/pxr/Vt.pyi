from typing import Any

from numpy.typing import NDArray
from pxr import Gf

class _Array:
    @staticmethod
    def FromNumpy(values: NDArray[Any]) -> _Array: ...

class IntArray(_Array): ...
class Vec2fArray(_Array): ...

class Vec3fArray(_Array):
    def __init__(self, values: list[Gf.Vec3f]) -> None: ...
