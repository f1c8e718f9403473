"""Reading a USD scene as a stage model: our own small reader for the stages that `assets_bake` writes (UsdPhysics, Z up, metres).

Everything that is wrong with the files is collected and raised as one InputError before anything is built.
`metersPerUnit` must be authored; lengths in the USD files are scaled to metres by it.
Facts without a USD schema are in specs (JSON, metres).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistcore.house.stage import Entity, StageModel
from assistcore.house.usd_layers import Placing, read_placings, stage_units
from assistcore.house.usd_paths import resolve
from assistcore.house.usd_scene import SCENE_VERSION, lamps_of, rooms_of, spots_of, windows_of
from assistcore.house.usd_spec import instantiate, prototype_from
from assistcore.world.errors import AssistWorldError, InputError, Problem, VersionError
from assistcore.world.ids import EntityRef

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def read_stage(path: Path | str) -> StageModel:
    """The stage model of a scene file (.usda, .usdc or .usd).

    Raises InputError listing every missing or forbidden file and unit problem, VersionError for another scene or spec version.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError("cannot read the scene", [Problem(str(file), "no such file", f"searched {file.parent}")])
    placings, facts, unit_m = read_placings(file)
    if int(facts["version"]) != SCENE_VERSION:
        raise VersionError(f"scene {file.name}", str(facts["version"]), str(SCENE_VERSION))
    assets, textures = _gather(file, placings, unit_m)
    prototypes = {uri: _prototype(asset, unit_m) for uri, asset in assets.items()}
    told: dict[str, Any] = json.loads(facts["facts"])
    return StageModel(
        str(facts["name"]),
        rooms_of(told),
        tuple(_placed(p, prototypes[p.uri]) for p in placings),
        _pixels(textures),
        lamps_of(told),
        windows_of(told),
        spots_of(told),
    )


def _placed(p: Placing, prototype: Entity) -> Entity:
    return instantiate(
        prototype,
        EntityRef.from_key(p.key),
        p.facts["room"],
        p.pose,
        connects=p.facts["connects"],
        attributes=p.facts["attributes"],
        adjectives=p.facts["adjectives"],
        nouns=p.facts["nouns"],
        joints=p.facts["joints"],
        mated=p.facts.get("mated", ()),
    )


def _gather(file: Path, placings: tuple[Placing, ...], unit_m: float) -> tuple[dict[str, Path], dict[str, Path]]:
    """Files of all assets by URI and of all textures by name. Raises one InputError with every finding."""
    from assistcore.house.usd_layers import texture_uris

    root = file.parent
    problems: list[Problem] = []
    assets: dict[str, Path] = {}
    textures: dict[str, Path] = {}
    for p in placings:
        if p.uri in assets:
            continue
        found, problem = resolve(root, f"{file}#/World/{p.key}", p.uri, root)
        if found is None:
            problems.append(problem) if problem else None
            continue
        assets[p.uri] = found
        spec, problem = resolve(found.parent, f"{file}#/World/{p.key}", f"./{found.stem}.json", root)
        if problem:
            problems.append(problem)
        own = stage_units(found)
        if isinstance(own, Problem):
            problems.append(own)
        elif own != unit_m:
            problems.append(Problem(str(found), f"metersPerUnit is {own}, the scene's is {unit_m}", "write both in the same unit"))
        for uri in texture_uris(found):
            image, problem = resolve(found.parent, str(found), uri, root)
            if image is not None:
                textures[image.stem] = image
            elif problem:
                problems.append(problem)
    if problems:
        raise InputError(f"scene {file.name} cannot be read", problems)
    return assets, textures


def _prototype(asset: Path, unit_m: float) -> Entity:
    from assistcore.house.usd_layers import read_links

    spec = asset.with_suffix(".json")
    try:
        facts = json.loads(spec.read_text(encoding="utf-8"))
        return prototype_from(facts, read_links(asset, unit_m))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError("asset cannot be read", [Problem(str(spec), f"{type(error).__name__}: {error}", "bake the asset anew")]) from error


def _pixels(textures: dict[str, Path]) -> dict[str, NDArray[np.uint8]]:
    import numpy as np
    from PIL import Image, UnidentifiedImageError

    out = {}
    for name, path in sorted(textures.items()):
        try:
            with Image.open(path) as image:
                out[name] = np.asarray(image.convert("RGB"), dtype=np.uint8)
        except (OSError, UnidentifiedImageError) as error:
            raise AssistWorldError(f"texture {path} cannot be read: {error}") from error
    return out
