"""Colours as hue (degrees, 0 to below 360), saturation and value (both 0 to 255), for whole arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_SATURATION = 255
F64 = NDArray[np.float64]


def hsv_of(rgb: NDArray[np.uint8]) -> F64:
    """Shape (..., 3): hue, saturation, value. A grey has hue 0."""
    parts = rgb.astype(np.float64)
    high, low = parts.max(axis=-1), parts.min(axis=-1)
    span = high - low
    safe = np.where(span > 0, span, 1.0)
    r, g, b = (parts[..., k] for k in range(3))
    sector = np.where(high == r, ((g - b) / safe) % 6.0, np.where(high == g, (b - r) / safe + 2.0, (r - g) / safe + 4.0))
    hue = np.where(span > 0, 60.0 * sector, 0.0)
    saturation = np.where(high > 0, MOST_SATURATION * span / np.where(high > 0, high, 1.0), 0.0)
    return np.stack([hue, saturation, high], -1)


def rgb_of(hsv: F64) -> NDArray[np.uint8]:
    """Shape (..., 3): red, green, blue."""
    hue, saturation, value = hsv[..., 0], hsv[..., 1] / MOST_SATURATION, hsv[..., 2]
    parts = []
    for offset in (5.0, 3.0, 1.0):
        k = (offset + hue / 60.0) % 6.0
        parts.append(value * (1.0 - saturation * np.clip(np.minimum(k, 4.0 - k), 0.0, 1.0)))
    return (np.stack(parts, -1) + 0.5).astype(np.uint8)
