"""Materials of the picture stage: one UsdPreviewSurface for each surface that is shown, made when it is first shown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.scene import Surface
from extension.conversions import linear_rgb

if TYPE_CHECKING:
    from pxr import Usd, UsdShade

MOST = 512
"""Materials kept. Food that browns has a new colour every few ticks."""


class Looks:
    """Materials below one prim, by surface. Textures are PNG files in a folder of their own."""

    def __init__(self, usd: Usd.Stage, root: str, textures: Mapping[str, NDArray[np.uint8]], folder: Path) -> None:
        self._usd, self._root, self._folder = usd, root, folder
        self._kept: dict[Surface, UsdShade.Material] = {}
        self._known: dict[Surface, UsdShade.Material] = {}
        self._made = 0
        for name, pixels in textures.items():
            _write_png(folder / f"{name}.png", pixels)

    def keep(self, surface: Surface) -> UsdShade.Material:
        """The material of a surface that something always goes back to."""
        if surface not in self._kept:
            self._kept[surface] = self._make(surface)
        return self._kept[surface]

    def of(self, surface: Surface) -> UsdShade.Material:
        """The material of a surface; where there are too many, the one asked for longest ago makes room. Ask at every picture."""
        if surface in self._kept:
            return self._kept[surface]
        found = self._known.pop(surface, None)
        if found is None:
            while len(self._known) >= MOST:
                self._usd.RemovePrim(self._known.pop(next(iter(self._known))).GetPath())
            found = self._make(surface)
        self._known[surface] = found
        return found

    def _make(self, surface: Surface) -> UsdShade.Material:
        from pxr import Gf, Sdf, UsdShade

        types = Sdf.ValueTypeNames
        path = f"{self._root}/m_{self._made}"
        self._made += 1
        material = UsdShade.Material.Define(self._usd, path)
        shader = UsdShade.Shader.Define(self._usd, f"{path}/surface")
        shader.CreateIdAttr("UsdPreviewSurface")
        colour = linear_rgb(surface.rgb)
        shader.CreateInput("roughness", types.Float).Set(float(surface.roughness))
        shader.CreateInput("metallic", types.Float).Set(0.0)
        shader.CreateInput("opacity", types.Float).Set(float(surface.alpha))
        shader.CreateInput("emissiveColor", types.Color3f).Set(Gf.Vec3f(*(float(surface.emissive) * c for c in colour)))
        diffuse = shader.CreateInput("diffuseColor", types.Color3f)
        diffuse.Set(Gf.Vec3f(*colour))
        if surface.texture is not None:
            diffuse.ConnectToSource(self._texture(path, surface.texture, colour).CreateOutput("rgb", types.Float3))
        material.CreateSurfaceOutput().ConnectToSource(shader.CreateOutput("surface", types.Token))
        return material

    def _texture(self, path: str, name: str, colour: tuple[float, float, float]) -> UsdShade.Shader:
        from pxr import Gf, Sdf, UsdShade

        types = Sdf.ValueTypeNames
        reader = UsdShade.Shader.Define(self._usd, f"{path}/st")
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", types.String).Set("st")
        texture = UsdShade.Shader.Define(self._usd, f"{path}/texture")
        texture.CreateIdAttr("UsdUVTexture")
        texture.CreateInput("file", types.Asset).Set(Sdf.AssetPath(str(self._folder / f"{name}.png")))
        texture.CreateInput("sourceColorSpace", types.Token).Set("sRGB")
        texture.CreateInput("scale", types.Float4).Set(Gf.Vec4f(*colour, 1.0))
        for axis in ("wrapS", "wrapT"):
            texture.CreateInput(axis, types.Token).Set("repeat")
        texture.CreateInput("st", types.Float2).ConnectToSource(reader.CreateOutput("result", types.Float2))
        return texture


def _write_png(file: Path, pixels: NDArray[np.uint8]) -> None:
    from PIL import Image

    Image.fromarray(pixels).save(file)
