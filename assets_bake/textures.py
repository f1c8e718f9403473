"""Procedural textures, uint8 (h, w, 3), first row on top. Deterministic: each has its own generator seeded by its name.

Grey ones (weave, carpet, plaster, brushed, terry) are light and meant to be multiplied with a colour.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
_MAKERS: dict[str, Callable[[np.random.Generator], F64]] = {}


def make_texture(name: str) -> U8:
    """The texture of this name. Raises KeyError listing what there is."""
    if name not in _MAKERS:
        raise KeyError(f"no texture {name!r}; there are {', '.join(sorted(_MAKERS))}")
    image = _MAKERS[name](np.random.default_rng(zlib.crc32(name.encode())))
    return np.clip(np.round(image), 0, 255).astype(np.uint8)


def names() -> tuple[str, ...]:
    """Names of all procedural textures."""
    return tuple(sorted(_MAKERS))


def _texture(name: str) -> Callable[[Callable[[np.random.Generator], F64]], Callable[[np.random.Generator], F64]]:
    def add(maker: Callable[[np.random.Generator], F64]) -> Callable[[np.random.Generator], F64]:
        _MAKERS[name] = maker
        return maker

    return add


def _noise(rng: np.random.Generator, h: int, w: int, cells_y: int, cells_x: int, octaves: int = 1) -> F64:
    """Tileable smooth noise in about -1..1, shape (h, w)."""
    total = np.zeros((h, w))
    weight = 1.0
    for _ in range(octaves):
        grid = rng.normal(size=(cells_y, cells_x))
        y, x = np.arange(h) * cells_y / h, np.arange(w) * cells_x / w
        y0, x0 = np.floor(y).astype(int), np.floor(x).astype(int)
        fy, fx = y - y0, x - x0
        fy, fx = (fy * fy * (3 - 2 * fy))[:, None], (fx * fx * (3 - 2 * fx))[None]
        a, b = grid[y0 % cells_y][:, x0 % cells_x], grid[y0 % cells_y][:, (x0 + 1) % cells_x]
        c, d = grid[(y0 + 1) % cells_y][:, x0 % cells_x], grid[(y0 + 1) % cells_y][:, (x0 + 1) % cells_x]
        total += weight * ((a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy)
        cells_y, cells_x, weight = cells_y * 2, cells_x * 2, weight * 0.5
    return total / 1.6


def _grain(rng: np.random.Generator, h: int, w: int, along_x: bool = True) -> F64:
    """Wood grain along x, about -1..1."""
    n = (h, w) if along_x else (w, h)
    rings = _noise(rng, *n, 6, 2, 2) * 5
    y = np.arange(n[0])[:, None] / n[0]
    lines = np.sin(2 * np.pi * (y * 7 + rings * 0.35))
    fine = _noise(rng, *n, min(n[0] // 2, 128), 6, 1)
    g = 0.45 * lines + 0.6 * fine
    return g if along_x else g.T


def _tint(value: F64, rgb: tuple[float, float, float], swing: float) -> F64:
    return np.asarray(rgb)[None, None] * (1 + swing * value[..., None])


def _planks(rng: np.random.Generator, rgb: tuple[float, float, float], rows: int, size: int = 1024, seam: float = 0.45) -> F64:
    image = np.zeros((size, size, 3))
    h = size // rows
    for k in range(rows):
        cuts = sorted({int(c) for c in (rng.uniform(0.1, 0.45) * size, rng.uniform(0.55, 0.95) * size)})
        strip = np.zeros((h, size, 3))
        edges = [*cuts, cuts[0] + size]
        for a, b in zip(edges[:-1], edges[1:], strict=True):
            tone = 1 + rng.normal(0, 0.07)
            warm = rng.normal(0, 0.02)
            piece = _tint(_grain(rng, h, b - a), (rgb[0] * tone * (1 + warm), rgb[1] * tone, rgb[2] * tone * (1 - warm)), 0.075)
            strip[:, np.arange(a, b) % size] = piece
            strip[:, [a % size, (a + 1) % size]] *= seam + 0.15
        strip[:2] *= seam
        image[k * h : (k + 1) * h] = strip
    return image


@_texture("oak_floor")
def _oak_floor(rng: np.random.Generator) -> F64:
    return _planks(rng, (186, 146, 102), 8)


@_texture("walnut")
def _walnut(rng: np.random.Generator) -> F64:
    return _tint(_grain(rng, 512, 512) * 0.6 + 0.5 * _noise(rng, 512, 512, 3, 2), (112, 76, 50), 0.16)


@_texture("oak")
def _oak(rng: np.random.Generator) -> F64:
    return _tint(_grain(rng, 512, 512) * 0.6 + 0.5 * _noise(rng, 512, 512, 3, 2), (198, 160, 116), 0.09)


@_texture("birch")
def _birch(rng: np.random.Generator) -> F64:
    return _tint(_grain(rng, 512, 512) * 0.5 + 0.4 * _noise(rng, 512, 512, 3, 2), (222, 196, 158), 0.06)


def _tiles(rng: np.random.Generator, rgb: tuple[float, float, float], n: int, grout: tuple[float, float, float], ratio: int = 1) -> F64:
    size = 512
    image = np.zeros((size, size, 3))
    h, w = size // n, size // (n // ratio if ratio > 1 else n)
    for r in range(n):
        shift = (w // 2) * (r % 2) if ratio > 1 else 0
        row = np.zeros((h, size, 3))
        for c in range(size // w):
            tone = 1 + rng.normal(0, 0.015)
            block = np.asarray(rgb)[None, None] * tone * (1 + 0.012 * _noise(rng, h, w, 2, 2)[..., None])
            block[:2], block[:, :2] = grout, grout
            block[2:4] *= 1.03
            block[-2:] *= 0.96
            row[:, (np.arange(c * w, (c + 1) * w) + shift) % size] = block
        image[r * h : (r + 1) * h] = row
    return image


@_texture("tiles_metro")
def _tiles_metro(rng: np.random.Generator) -> F64:
    return _tiles(rng, (236, 237, 232), 8, (196, 194, 188), 2)


@_texture("tiles_blue")
def _tiles_blue(rng: np.random.Generator) -> F64:
    return _tiles(rng, (196, 216, 222), 8, (228, 230, 228))


@_texture("tiles_floor")
def _tiles_floor(rng: np.random.Generator) -> F64:
    image = _tiles(rng, (168, 168, 164), 2, (132, 130, 126))
    return np.asarray(image * (1 + 0.03 * _noise(rng, 512, 512, 12, 12, 3)[..., None]))


@_texture("tiles_terracotta")
def _tiles_terracotta(rng: np.random.Generator) -> F64:
    image = _tiles(rng, (190, 178, 160), 2, (150, 140, 126))
    return np.asarray(image * (1 + 0.035 * _noise(rng, 512, 512, 10, 10, 3)[..., None]))


@_texture("plaster")
def _plaster(rng: np.random.Generator) -> F64:
    return _tint(_noise(rng, 256, 256, 12, 12, 3), (248, 248, 248), 0.012)


@_texture("weave")
def _weave(rng: np.random.Generator) -> F64:
    y, x = np.mgrid[0:256, 0:256]
    over = ((x // 4 + y // 4) % 2) * 2.0 - 1
    thread = np.where(over > 0, np.sin(np.pi * (y % 4 + 0.5) / 4), np.sin(np.pi * (x % 4 + 0.5) / 4)) - 0.6
    return _tint(thread * 0.9 + 0.6 * _noise(rng, 256, 256, 64, 64) + 0.4 * _noise(rng, 256, 256, 6, 6, 2), (232, 232, 232), 0.085)


@_texture("carpet")
def _carpet(rng: np.random.Generator) -> F64:
    return _tint(_noise(rng, 256, 256, 96, 96) + 0.7 * _noise(rng, 256, 256, 8, 8, 3), (228, 228, 228), 0.09)


@_texture("terry")
def _terry(rng: np.random.Generator) -> F64:
    return _tint(rng.normal(size=(128, 128)) * 0.6 + _noise(rng, 128, 128, 32, 32), (236, 236, 236), 0.07)


@_texture("brushed")
def _brushed(rng: np.random.Generator) -> F64:
    return _tint(_noise(rng, 256, 256, 128, 2) + 0.5 * _noise(rng, 256, 256, 3, 3), (228, 230, 232), 0.035)


@_texture("counter")
def _counter(rng: np.random.Generator) -> F64:
    vein = np.abs(_noise(rng, 512, 512, 4, 4, 4))
    speck = _noise(rng, 512, 512, 128, 128)
    return _tint(-0.8 * np.exp(-vein * 9) + 0.25 * speck, (92, 94, 96), 0.16)


@_texture("marble")
def _marble(rng: np.random.Generator) -> F64:
    vein = np.abs(_noise(rng, 512, 512, 3, 3, 4))
    return _tint(-np.exp(-vein * 14) + 0.15 * _noise(rng, 512, 512, 8, 8, 2), (236, 234, 230), 0.10)


@_texture("wicker")
def _wicker(rng: np.random.Generator) -> F64:
    y, x = np.mgrid[0:256, 0:256]
    cell = ((x // 32) + (y // 16)) % 2
    bar = np.where(cell, np.sin(np.pi * (y % 16 + 0.5) / 16), 0.75 * np.sin(np.pi * (x % 32 + 0.5) / 32))
    return _tint(bar - 0.7 + 0.25 * _noise(rng, 256, 256, 32, 64), (196, 152, 98), 0.42)


@_texture("leaf")
def _leaf(rng: np.random.Generator) -> F64:
    y, x = np.mgrid[0:128, 0:128]
    vein = np.exp(-np.abs(x - 63.5) / 3) + 0.5 * np.exp(-np.abs(((y + np.abs(x - 63.5) * 0.8) % 24) - 12) / 2)
    return _tint(0.6 * vein + 0.3 * _noise(rng, 128, 128, 4, 4, 2), (70, 124, 62), 0.22)


@_texture("rug_stripes")
def _rug_stripes(rng: np.random.Generator) -> F64:
    palette = np.array([(206, 196, 178), (88, 112, 128), (206, 196, 178), (190, 132, 92), (222, 214, 198), (58, 78, 94)], dtype=np.float64)
    y = np.arange(256)
    band = palette[(y // 16 * 5 % 16) % len(palette)]
    image = np.repeat(band[:, None], 256, axis=1)
    return np.asarray(image * (1 + 0.07 * _noise(rng, 256, 256, 96, 96)[..., None]))


@_texture("rug_diamonds")
def _rug_diamonds(rng: np.random.Generator) -> F64:
    y, x = np.mgrid[0:256, 0:256]
    d = (np.abs((x % 64) - 32) + np.abs((y % 64) - 32)) // 8
    palette = np.array([(150, 62, 54), (214, 190, 150), (70, 74, 96), (206, 178, 138)], dtype=np.float64)
    return np.asarray(palette[d.astype(int) % 4] * (1 + 0.07 * _noise(rng, 256, 256, 96, 96)[..., None]))


@_texture("sky")
def _sky(rng: np.random.Generator) -> F64:
    """Clouds over a hilly horizon a little below the middle; repeats sideways."""
    h, w, horizon = 512, 1024, 268
    rows, x = np.arange(h)[:, None], np.arange(w)
    high = np.clip(rows / horizon, 0, 1)[..., None]
    image = (1 - high) * np.array([104, 158, 216]) + high * np.array([210, 228, 240]) + np.zeros((h, w, 1))
    cloud = np.clip(_noise(rng, h, w, 10, 7, 5) * 1.5 - 0.35, 0, 1)[..., None] * 0.85
    image = image * (1 - cloud) + 252 * cloud
    wave = _noise(rng, 1, w, 1, 7, 3)[0]
    image = np.where((rows > horizon - 16 - 9 * wave)[..., None], np.array([150, 172, 176]), image)
    wave = _noise(rng, 1, w, 1, 11, 3)[0]
    image = np.where((rows > horizon - 4 - 7 * wave)[..., None], np.array([116, 146, 122]), image)
    shade = 1 + 0.10 * _noise(rng, h, w, 64, 128, 2)[..., None]
    meadow = np.array([126, 158, 92]) * (0.86 + 0.3 * np.clip((rows - horizon) / 200, 0, 1)[..., None]) * shade
    image = np.where((rows > horizon + 10)[..., None], meadow, image)
    for _ in range(60):
        centre, size, base = int(rng.integers(w)), float(rng.integers(5, 12)), horizon + 8 + int(rng.integers(0, 10))
        tone = np.array([84, 118, 74]) * (0.85 + 0.3 * rng.random())
        for part in range(5):
            dx = (x - centre - size * 0.5 * np.sin(2.4 * part) + w / 2) % w - w / 2
            dy = rows - base + size * (0.9 + 0.45 * np.cos(2.4 * part))
            crown = (dx[None] / size) ** 2 + (dy / size) ** 2 < 0.5
            light = np.clip(1.1 - 0.25 * dy / size, 0.7, 1.3)[..., None]
            image = np.where(crown[..., None], tone * light * shade, image)
    return np.asarray(image)


@_texture("art_hills")
def _art_hills(rng: np.random.Generator) -> F64:
    x = np.arange(320)
    image = np.zeros((240, 320, 3)) + np.array([238, 214, 170])
    rows = np.arange(240)[:, None]
    image[(np.hypot(rows - 70, x[None] - 228) < 28)] = (214, 104, 62)
    for k, rgb in enumerate([(196, 158, 120), (148, 146, 122), (92, 118, 112), (48, 78, 88)]):
        line = 110 + 30 * k + 18 * np.sin(x / (46 - 5 * k) + k * 2) + 8 * np.sin(x / 17 + k)
        image[rows > line[None]] = rgb
    return np.asarray(image * (1 + 0.03 * rng.normal(size=(240, 320, 1))))


@_texture("art_shapes")
def _art_shapes(rng: np.random.Generator) -> F64:
    image = np.zeros((320, 240, 3)) + np.array([242, 236, 224])
    y, x = np.mgrid[0:320, 0:240]
    for cx, cy, r, rgb in (
        (90, 110, 62, (200, 92, 62)),
        (150, 180, 74, (38, 86, 104)),
        (104, 238, 44, (226, 176, 86)),
        (180, 84, 30, (90, 130, 110)),
    ):
        image[np.hypot(x - cx, y - cy) < r] = rgb
    return np.asarray(image * (1 + 0.025 * rng.normal(size=(320, 240, 1))))


@_texture("art_sea")
def _art_sea(rng: np.random.Generator) -> F64:
    image = np.zeros((240, 320, 3))
    image[:120] = np.array([204, 222, 232]) - np.linspace(0, 20, 120)[::-1, None, None]
    image[120:] = np.array([62, 118, 142]) + 26 * _noise(rng, 120, 320, 24, 6)[..., None]
    image[114:120] = (180, 196, 204)
    sail = [(y, x) for y in range(60, 116) for x in range(150, 150 + (y - 60) // 2)]
    for y, x in sail:
        image[y, x] = (246, 244, 238)
    image[116:122, 130:182] = (132, 76, 56)
    return image
