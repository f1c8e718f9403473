"""The test cases themselves, on whatever base class Kit gives: extension, physics, pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import TestCase

NAME = "assistworld"


def make_cases(base: type[TestCase]) -> dict[str, type[TestCase]]:
    """Name to class, each a subclass of `base` (`omni.kit.test.AsyncTestCase`)."""

    class TestExtension(base):  # type: ignore[misc, valid-type]
        """Enabling, disabling, enabling again; settings."""

        async def setUp(self) -> None:
            import omni.kit.app

            self.manager: Any = omni.kit.app.get_app().get_extension_manager()
            self.name = folder_name()

        async def tearDown(self) -> None:
            self.manager.set_extension_enabled_immediate(self.name, True)

        async def test_it_can_be_disabled_and_enabled_again(self) -> None:
            for enabled in (True, False, True):
                self.manager.set_extension_enabled_immediate(self.name, enabled)
                self.assertEqual(self.manager.is_extension_enabled(self.name), enabled)

        async def test_settings_have_the_defaults_of_the_code(self) -> None:
            import carb.settings

            from extension.settings import Settings, read

            self.assertEqual(read(carb.settings.get_settings().get), Settings())

    class TestHouse(base):  # type: ignore[misc, valid-type]
        """The scene that comes with AssistWorld, opened as the user would."""

        async def test_the_flat_opens_with_one_physics_scene_in_metres(self) -> None:
            import omni.usd
            from pxr import UsdGeom, UsdPhysics

            from assistworld.engines.house.scenes import scene_file

            opened, why = await omni.usd.get_context().open_stage_async(str(scene_file("flat")))
            self.assertTrue(opened, why)
            stage = omni.usd.get_context().get_stage()
            if stage is None:
                raise AssertionError("no stage is open")
            self.assertEqual(UsdGeom.GetStageMetersPerUnit(stage), 1.0)
            scenes = [str(prim.GetPath()) for prim in stage.Traverse() if UsdPhysics.Scene(prim)]
            self.assertEqual(scenes, ["/World/PhysicsScene"])

    return {"TestExtension": TestExtension, "TestHouse": TestHouse}


def folder_name() -> str:
    """The extension's name, which is that of the folder of its manifest."""
    return Path(__file__).resolve().parents[2].name
