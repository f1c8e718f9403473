"""Tests for `omni.kit.test`, run inside Isaac Sim. Kit looks for `AsyncTestCase` classes in this module; elsewhere it defines none."""

from __future__ import annotations

import sys

__all__: list[str] = []

if sys.modules.get("omni.kit.test") is not None:
    from extension.tests.cases import make_cases

    _cases = make_cases(sys.modules["omni.kit.test"].AsyncTestCase)
    globals().update(_cases)
    __all__ += list(_cases)
