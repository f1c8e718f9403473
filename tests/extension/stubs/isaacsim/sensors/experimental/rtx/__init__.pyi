from typing import Any, Literal

Annotator = Literal["rgb", "rgba", "distance_to_image_plane", "distance_to_camera", "instance_id_segmentation", "semantic_segmentation"]

class CameraSensor:
    def __init__(
        self, path: str, *, resolution: tuple[int, int] | None = None, annotators: Annotator | list[Annotator] | None = None
    ) -> None: ...
    def get_data(self, annotator: str, *, out: Any = None) -> tuple[Any, dict[str, Any]]: ...
