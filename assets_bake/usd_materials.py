"""UsdPreviewSurface materials: colour or tinted texture, roughness, emission, opacity."""

from __future__ import annotations

from typing import Any

from assistcore.house.stage import Surface


def write_material(stage: Any, path: str, surface: Surface) -> Any:
    """Define a material at `path`; textures are `./textures/<name>.png` beside the asset."""
    from pxr import Gf, Sdf, UsdShade

    types = Sdf.ValueTypeNames
    material = UsdShade.Material.Define(stage, path)
    shader = UsdShade.Shader.Define(stage, f"{path}/surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("roughness", types.Float).Set(surface.roughness)
    shader.CreateInput("metallic", types.Float).Set(0.0)
    shader.CreateInput("opacity", types.Float).Set(surface.opacity)
    colour = shader.CreateInput("diffuseColor", types.Color3f)
    colour.Set(Gf.Vec3f(*surface.rgb))
    if surface.emissive:
        shader.CreateInput("emissiveColor", types.Color3f).Set(Gf.Vec3f(*(surface.emissive * c for c in surface.rgb)))
    material.GetPrim().SetCustomDataByKey("assistworld:emissive", surface.emissive)
    if surface.texture:
        reader = UsdShade.Shader.Define(stage, f"{path}/st")
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", types.String).Set("st")
        texture = UsdShade.Shader.Define(stage, f"{path}/texture")
        texture.CreateIdAttr("UsdUVTexture")
        texture.CreateInput("file", types.Asset).Set(Sdf.AssetPath(f"./textures/{surface.texture}.png"))
        texture.CreateInput("sourceColorSpace", types.Token).Set("sRGB")
        texture.CreateInput("scale", types.Float4).Set(Gf.Vec4f(*surface.rgb, 1.0))
        texture.CreateInput("wrapS", types.Token).Set("repeat")
        texture.CreateInput("wrapT", types.Token).Set("repeat")
        texture.CreateInput("st", types.Float2).ConnectToSource(reader.CreateOutput("result", types.Float2))
        colour.ConnectToSource(texture.CreateOutput("rgb", types.Float3))
    material.CreateSurfaceOutput().ConnectToSource(shader.CreateOutput("surface", types.Token))
    return material
