"""Which test holds which promise of the Isaac extension and the remote engine; and those of `cases.md` A that no other module has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from assistcore.world.canonical import digest
from assistcore.world.engine import Scenario
from assistcore.world.errors import InputError
from assistworld.engines.house import scenes
from assistworld.episodes.bundle import open_bundle
from assistworld.episodes.replay import replay
from extension.engine import make
from extension.physics import IsaacPhysics
from extension.pictures import IsaacPictures
from tests.episodes.playing import play
from tests.episodes.toy_engine import ToyEngine
from tests.extension.houses import small_house
from tests.repository.tree import ROOT

PROMISES: Mapping[str, tuple[str, ...]] = {
    "no error of types against our signatures and the wheels; planted mistakes are found": (
        "tests/extension/test_static.py::test_the_extension_has_no_error_and_every_planted_mistake_is_found",
        "tests/extension/test_static.py::test_the_checker_for_the_wheels_finds_the_same_against_our_stubs",
        "tests/extension/test_static.py::test_the_extension_has_no_error_against_the_sources_of_isaac_sim",
    ),
    "the contract on every back end, and each check finds what breaks it": (
        "tests/engines/contract/test_contract.py::test_the_embedded_house_keeps",
        "tests/engines/contract/test_contract.py::test_the_house_in_another_process_keeps",
        "tests/engines/contract/test_contract.py::test_fake_physx_keeps",
        "tests/engines/contract/test_contract.py::test_a_check_reports_what_breaks_its_promise",
        "tests/extension/test_kit.py::test_isaac_house_keeps",
        "tests/extension/test_kit.py::test_the_cardboard_has_its_habits",
    ),
    "packs end alike on two back ends": (
        "tests/engines/contract/test_parity_house.py::test_a_pack_of_the_house_ends_alike_on_both",
        "tests/extension/test_kit.py::test_a_pack_ends_alike_on_the_embedded_house_and_on_it",
    ),
    "a server that dies, stalls or hangs voids its attempt, is named and replaced; the next attempt runs": (
        "tests/engines/remote/test_remote.py::test_a_server_lost_in_the_middle_voids_that_attempt_and_the_next_runs_on_a_fresh_one",
        "tests/engines/remote/test_remote.py::test_the_servers_own_watchdog_names_the_call",
        "tests/cli/test_serving.py::test_a_server_that_is_killed_is_replaced_on_the_same_port",
        "tests/cli/test_serving.py::test_a_kept_server_that_is_given_up_is_replaced_though_it_lives",
        "tests/cli/test_serving.py::test_a_client_that_loses_a_server_waits_for_the_one_that_is_announced_next",
    ),
    "200 resets leave memory and files where they were": (
        "tests/engines/remote/test_remote.py::test_two_hundred_resets_leave_memory_and_files_where_they_were",
        "tests/engines/remote/test_house_resets.py::test_resets_of_the_house_leave_memory_and_files_where_they_were",
        "tests/engines/remote/test_house_resets.py::test_two_hundred_resets_of_the_house",
    ),
    "whoever has no token, or another version, is refused with the reason": (
        "tests/engines/remote/test_remote.py::test_a_client_without_the_token_is_refused_with_the_reason",
        "tests/engines/remote/test_remote.py::test_a_client_of_another_version_is_refused_with_both",
    ),
    "importing imports nothing of Kit; the bounds let Isaac Sim's pins in": (
        "tests/repository/test_imports.py::test_importing_everything_imports_no_engine_and_does_nothing",
        "tests/repository/test_requirements.py::test_the_bounds_let_the_pins_of_isaac_sim_in",
    ),
    "manifest, settings, [[test]] arguments; the end releases everything": (
        "tests/repository/test_manifest.py::test_the_manifest_has_only_what_kit_knows_and_needs_only_the_kernel",
        "tests/repository/test_manifest.py::test_settings_of_the_manifest_are_those_of_the_code",
        "tests/repository/test_manifest.py::test_tests_inside_kit_run_without_a_window_and_step_by_step",
        "tests/extension/test_lifecycle.py::test_the_entry_class_takes_and_gives_back_kits_own_subscriptions",
        "tests/extension/test_bare_kernel.py::test_it_starts_stops_and_starts_again_in_the_bare_kernel",
    ),
}

CASES: Mapping[str, tuple[str, ...]] = {
    "IsaacLab#1085: frames that are not ready": (
        "tests/extension/test_frames.py::test_four_frames_that_are_none_are_discarded_and_the_fifth_is_cut_to_rgb",
        "tests/extension/test_frames.py::test_black_for_ever_is_an_error_with_camera_and_count_within_the_budget",
        "tests/extension/test_frames.py::test_a_dark_room_is_a_picture",
    ),
    "IsaacLab#6394: the image is from before the reset": (
        "tests/extension/test_pictures.py::test_a_render_cache_keyed_by_physics_steps_cannot_show_the_state_before_a_reset",
        "tests/episodes/test_cases_agents.py::test_a_picture_of_another_tick_than_its_state_is_an_error",
    ),
    "strands-labs/robots PR#168: the first render after switching cameras": (
        "tests/extension/test_pictures.py::test_noise_on_the_first_render_of_a_moved_camera_is_never_stored",
        "tests/pictures/test_lifecycle.py::test_two_cameras_take_turns",
    ),
    "IsaacLab#904: the seed is an input": (
        "tests/assets_bake/test_families.py::test_the_scene_is_the_same_in_other_processes_and_folders",
        "tests/engines/house/test_repeating.py::test_another_process_repeats_every_tick_and_goes_on_from_a_saved_one",
        "tests/engines/house/test_repeating.py::test_the_seed_is_state",
    ),
    "IsaacLab#3505: equal states, other pixels": (
        "tests/episodes/test_replay.py::test_pixels_may_differ_while_the_state_is_equal",
        "tests/extension/test_promises.py::test_a_state_that_is_off_by_1e_12_diverges_at_its_tick",
    ),
    "IsaacLab#2047: modules imported before the app": (
        "tests/repository/test_imports.py::test_importing_everything_imports_no_engine_and_does_nothing",
        "tests/repository/test_imports.py::test_the_command_line_shows_its_help_without_engines",
    ),
    "IsaacLab#3730: a crash in close()": (
        "tests/engines/remote/test_remote.py::test_an_engine_that_dies_at_shutdown_takes_no_result_with_it",
        "tests/cli/test_cases_engines.py::test_a_segfault_in_close_leaves_a_whole_bundle_and_a_printed_score",
        "tests/extension/test_kit.py::test_an_application_that_crashes_at_its_end_takes_no_result_with_it",
    ),
    "IsaacSim#812: memory grows with every reset": (
        "tests/engines/remote/test_house_resets.py::test_two_hundred_resets_of_the_house",
        "tests/engines/remote/test_house_resets.py::test_the_world_before_is_gone_after_a_reset_of_another_scene",
    ),
    "IsaacLab#4951: hangs without a word": (
        "tests/cli/test_cases_engines.py::test_a_stalled_engine_is_named_and_the_next_episode_runs",
        "tests/extension/test_pictures.py::test_a_render_that_stalls_is_named_and_the_next_engine_draws",
    ),
    "IsaacLab#417: an asset that is not there": (
        "tests/house/test_usd.py::test_forbidden_paths_are_refused_with_the_reason",
        "tests/house/test_usd.py::test_all_missing_files_are_in_one_report",
        "tests/extension/test_promises.py::test_assets_that_are_not_there_are_one_report_before_any_call_of_kit",
    ),
}


@pytest.mark.parametrize("test", sorted({t for named in (*PROMISES.values(), *CASES.values()) for t in named}))
def test_the_test_of_a_promise_is_there(test: str) -> None:
    file, _, name = test.partition("::")
    found = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    names = [node.name for node in ast.walk(found) if isinstance(node, ast.FunctionDef)]
    assert names.count(name) == 1, f"{file} has {names.count(name)} tests of this name"


@pytest.mark.parametrize("off", [0.0, 1e-12])
def test_a_state_that_is_off_by_1e_12_diverges_at_its_tick(off: float, tmp_path: Path) -> None:
    """cases.md A, IsaacLab#3505: pixels are declared, states are exact."""

    class Precise(ToyEngine):
        """Its state has a length of 0.3 m, from tick 9 on off by so much."""

        off = 0.0

        def digest(self) -> str:
            return digest([super().digest(), 0.3 + (self.off if self._tick >= 9 else 0.0)])

    play(tmp_path / "b", engine=Precise())
    again = Precise()
    again.off = off
    verdict = replay(open_bundle(tmp_path / "b"), again)
    assert verdict.equal is (off == 0.0)
    assert off == 0.0 or str(verdict).startswith("diverged at tick 9, outcome.state_digest"), verdict


class Untouched:
    """Isaac Sim, of which nothing may be asked."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"Kit was asked to {name} a scene that cannot be read")


@pytest.fixture
def broken_scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The small house as an installed scene, two of whose assets are not there."""
    _, file = small_house(tmp_path)
    text = file.read_text()
    for asset, uri in (("mug_1", "missing/sofa.usdc"), ("box_1", "http://assets.example/box_1.usdc")):
        assert text.count(f"@./assets/{asset}.usdc@") == 1
        text = text.replace(f"@./assets/{asset}.usdc@", f"@{uri}@")
    file.write_text(text)
    monkeypatch.setattr(scenes, "CONTENT", tmp_path)
    scenes.load_scene.cache_clear()
    yield file
    scenes.load_scene.cache_clear()


def test_assets_that_are_not_there_are_one_report_before_any_call_of_kit(broken_scene: Path) -> None:
    """cases.md A, IsaacLab#417: the scene's file, the object, what it names and where it was looked for; all of them at once."""
    pytest.importorskip("pxr")
    kit: Any = Untouched()
    engine = make(physics=IsaacPhysics(kit, scenes.scene_file), pictures=IsaacPictures(kit, lambda: kit))
    with pytest.raises(InputError) as caught:
        engine.reset(Scenario("small"), 0)
    mug, box = sorted(caught.value.problems, key=lambda p: p.where, reverse=True)
    assert mug.where == f"{broken_scene}#/World/mug_1" and "'missing/sofa.usdc' does not exist" in mug.what
    assert box.where == f"{broken_scene}#/World/box_1" and "'http://assets.example/box_1.usdc' is a network address" in box.what
    assert all(f"searched {broken_scene.parent}" in p.what for p in (mug, box))
