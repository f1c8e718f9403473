"""Putting an asset together: links with parts and convex pieces, facts, and finally a prototype `Entity` at the origin.

A prototype has local joint keys (`door`); `instantiate` in `assistcore.house.usd_spec` makes them unique (`fridge_1.door`).
Asset frames: origin on the floor under the middle, x to the right, the front looks along -y, z up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assets_bake import meshes
from assets_bake.looks import Look
from assets_bake.meshes import Mesh, Point3
from assets_bake.pieces import box_piece
from assistcore.house.stage import (
    Connector,
    Control,
    ConvexPiece,
    Entity,
    GraspHint,
    Handle,
    Joint,
    Label,
    Link,
    Region,
    Surface,
    Tip,
    VisualPart,
)
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

Textures = dict[str, NDArray[np.uint8]]
TINY = 1e-12
Kind = Literal["structure", "fixture", "door", "movable"]


class LinkMaker:
    """Collects the parts and pieces of one link; its frame is the asset's root frame."""

    def __init__(self, key: str, joint: Joint | None = None, handle: Handle | None = None, parent: str = "") -> None:
        self.key, self.joint, self.handle, self.parent = key, joint, handle, parent
        self._meshes: dict[tuple[str, Surface], list[Mesh]] = {}
        self.pieces: list[ConvexPiece] = []

    def mesh(self, mesh: Mesh, look: Look, part: str = "") -> None:
        """Add a visual mesh; meshes of the same surface become one part, which may be given a name of its own."""
        self._meshes.setdefault((part, look.surface), []).append(mesh)

    def box(
        self, low: Point3, high: Point3, look: Look, radius_m: float = 0.0, solid: bool = True, skip: Sequence[str] = (), name: str = ""
    ) -> None:
        """A box between two corners, seen and (with `solid`) felt."""
        size = tuple(float(b - a) for a, b in zip(low, high, strict=True))
        centre = tuple(float(a + b) / 2 for a, b in zip(low, high, strict=True))
        if min(size) <= 0:
            raise ValueError(f"link {self.key!r}: box from {low} to {high} has no volume")
        if radius_m:
            self.mesh(meshes.soft_box(size, centre, radius_m, look.tile_m), look)  # type: ignore[arg-type]
        else:
            self.mesh(meshes.box(size, centre, look.tile_m, skip), look)  # type: ignore[arg-type]
        if solid:
            self.solid(low, high, name)

    def solid(self, low: Point3, high: Point3, name: str = "") -> None:
        """An unseen box piece between two corners."""
        self.pieces.append(box_piece(name or f"box_{len(self.pieces)}", np.subtract(high, low), np.add(low, high) / 2))

    def add(self, pieces: Sequence[ConvexPiece]) -> None:
        """Convex pieces made elsewhere."""
        self.pieces.extend(pieces)

    def link(self) -> Link:
        """The finished link."""
        found = enumerate(self._meshes.items())
        parts = tuple(_part(part or f"{self.key}_{k}", surface, m) for k, ((part, surface), m) in found)
        names: dict[str, int] = {}
        pieces = []
        for p in self.pieces:
            count = names[p.name] = names.get(p.name, 0) + 1
            pieces.append(p if count == 1 else ConvexPiece(f"{p.name}_{count}", p.vertices_m, p.T_link_piece, p.half_extents_m))
        return Link(self.key, np.eye(4), parts, tuple(pieces), self.joint, self.handle, self.parent)


def _part(name: str, surface: Surface, found: list[Mesh]) -> VisualPart:
    m = meshes.join(found)
    f32 = np.float32
    surface = Surface(
        _rounded(surface.rgb), surface.texture, round(surface.roughness, 4), round(surface.emissive, 4), round(surface.opacity, 4)
    )
    points, normals, uvs = (_snapped(a).astype(f32) for a in (m.vertices_m, m.normals, m.uvs))
    return VisualPart(name, points, m.faces.astype(np.int32), normals, uvs, surface)


def _snapped(a: NDArray[np.float64]) -> NDArray[np.float64]:
    """What only the last bits of a machine's trigonometry keep from zero is zero: the same bytes on every machine."""
    return np.where((np.abs(a) < TINY) & (a != 0.0), 0.0, a)


def _rounded(rgb: tuple[float, float, float]) -> tuple[float, float, float]:
    """Four decimals: what a single-precision colour in a USD file gives back exactly."""
    r, g, b = (round(float(c), 4) for c in rgb)
    return (r, g, b)


@dataclass
class AssetMaker:
    """An asset in the making. `asset` is its name in the content folder, `category` its noun."""

    asset: str
    category: str
    kind: Kind
    textures: Textures
    mass_kg: float = 0.0
    roles: Sequence[str] = ()
    adjectives: Sequence[str] = ()
    nouns: Sequence[str] = ()
    grasp: GraspHint = "auto"
    attributes: Mapping[str, bool | int | str] = field(default_factory=dict)
    links: list[LinkMaker] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    control: Control | None = None
    tips: list[Tip] = field(default_factory=list)
    grip_m: Point3 | None = None
    connectors: list[Connector] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.body = self.link("body")

    def link(self, key: str, joint: Joint | None = None, handle: Handle | None = None, parent: str = "") -> LinkMaker:
        """A further link."""
        self.links.append(LinkMaker(key, joint, handle, parent))
        return self.links[-1]

    def surface(self, name: str, low: Point3, high: Point3, link: str = "body") -> None:
        """A place to stand things on: floor of the box at `low`'s z."""
        self.regions.append(Region(name, "surface", link, low, high))

    def interior(self, name: str, low: Point3, high: Point3, opening: Point3, doors: Sequence[str] = (), link: str = "body") -> None:
        """A place inside."""
        self.regions.append(Region(name, "interior", link, low, high, tuple(doors), opening))

    def picture(self, key: str, image: NDArray[np.uint8]) -> str:
        """Keep an image under a key of this asset and return the texture's name."""
        name = f"{self.asset}_{key}"
        self.textures[name] = image
        return name

    def entity(self) -> Entity:
        """The prototype: at the origin, without a room."""
        return Entity(
            EntityRef(self.category),
            self.kind,
            self.category,
            self.asset,
            "",
            Pose(),
            tuple(maker.link() for maker in self.links),
            mass_kg=self.mass_kg,
            roles=frozenset(self.roles),
            adjectives=tuple(self.adjectives),
            nouns=tuple(self.nouns),
            regions=tuple(self.regions),
            labels=tuple(self.labels),
            control=self.control,
            grasp=self.grasp,
            tips=tuple(self.tips),
            grip_m=self.grip_m,
            attributes=dict(self.attributes),
            connectors=tuple(self.connectors),
        )
