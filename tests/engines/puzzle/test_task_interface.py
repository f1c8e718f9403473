"""Puzzles behind the `Engine` protocol: one answer is one tick and one step, saving is exact, pictures touch no state."""

from __future__ import annotations

import json

import pytest

from assistcore.world.commands import How, Parsed
from assistcore.world.engine import Scenario, Step
from assistcore.world.errors import InputError, VersionError
from assistcore.world.graph import fold
from assistcore.world.outcomes import Code, Status
from assistcore.world.snapshots import Kind
from assistworld.engines.puzzle import make as make_engine
from assistworld.engines.puzzle.engine import PuzzleEngine
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.policies import wandering
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve
from tests.engines.puzzle.walking import CASES, NAMES, puzzle_of

MAZE = Scenario("maze_2d", {"preset": "easy", "seed": 3})


def engine_of(scenario: Scenario = MAZE) -> PuzzleEngine:
    engine = make_engine()
    engine.reset(scenario, 0)
    return engine


def take(engine: PuzzleEngine, text: str) -> Step:
    parsed = engine.parse(text)
    assert isinstance(parsed, Parsed), parsed
    assert engine.begin(parsed.command) is None
    return engine.tick()


@pytest.mark.parametrize("name", NAMES)
def test_a_solution_is_played_and_the_changes_give_the_graph(name: str) -> None:
    engine = engine_of(Scenario(name, {"seed": 4}))
    graph = engine.graph()
    for text in solve(engine.play.puzzle, engine.play.state):
        step = take(engine, text)
        assert step.outcome is not None and step.outcome.status is Status.DONE, step.feedback
        graph = fold(graph, step.changes)
        assert graph.values == engine.graph().values
    assert step.outcome is not None and step.outcome.command is not None
    assert step.finished and graph.has("solved", "puzzle_1") and graph.has("stopped", "puzzle_1")
    refused = engine.begin(step.outcome.command)
    assert refused is not None and refused.code == "OVER"


@pytest.mark.parametrize(
    ("text", "code"),
    [("I am not sure.", Code.PARSE_ERROR), ("", Code.PARSE_ERROR), ("('wlak', 0)", Code.UNKNOWN_VERB), ("('move', 9)", Code.BAD_ARGUMENT)],
)
def test_an_answer_without_an_action_costs_a_step_and_says_what_was_expected(text: str, code: str) -> None:
    engine = engine_of()
    before = engine.graph()
    parsed = engine.parse(text)
    assert isinstance(parsed, Parsed) and parsed.how is How.REPAIRED
    would = engine.can(parsed.command)
    step = take(engine, text)
    assert step.outcome is not None and step.outcome.status is Status.FAILED and step.outcome.refusal == would
    assert would is not None and would.code == code and "19 left" in step.feedback
    assert step.changes == () and engine.graph() == before and engine.play.step == 1


def test_a_wall_fails_as_can_says_and_can_changes_nothing() -> None:
    engine = engine_of()
    saved = engine.digest()
    blocked = [d for d in range(4) if (p := engine.parse(f"('move', {d})")) and engine.can(p.command) is not None]  # type: ignore[union-attr]
    assert blocked and engine.digest() == saved
    step = take(engine, f"('move', {blocked[0]})")
    assert step.outcome is not None and step.outcome.refusal is not None and step.outcome.refusal.code == "NOT_ALLOWED"


def test_waiting_takes_ticks_and_no_steps_and_the_limit_finishes() -> None:
    engine = engine_of()
    for _ in range(30):
        assert not engine.tick().finished
    for left in reversed(range(20)):
        step = take(engine, "hm")
        assert step.finished == (left == 0)
    assert not engine.graph().has("stopped", "puzzle_1")


def test_a_word_is_told_aloud_and_one_that_the_puzzle_lacks_is_no_action() -> None:
    engine = engine_of()
    for direction, word in enumerate(("MoveRight", "MoveUp", "MoveLeft", "MoveDown")):
        parsed, action = engine.parse(f"[{word}]"), engine.parse(f"('move', {direction})")
        assert isinstance(parsed, Parsed) and isinstance(action, Parsed)
        assert engine.can(parsed.command) == engine.can(action.command)
    step = take(engine, "[StepForward]")
    assert step.outcome is not None and step.outcome.status is Status.FAILED and engine.play.step == 1


def test_an_answer_that_is_stopped_is_not_taken() -> None:
    engine = engine_of()
    parsed = engine.parse("('stop', 'stop')")
    assert isinstance(parsed, Parsed) and engine.begin(parsed.command) is None
    assert engine.begin(parsed.command).code == Code.BUSY  # type: ignore[union-attr]
    engine.stop()
    step = engine.tick()
    assert step.outcome is not None and step.outcome.status is Status.STOPPED and not step.finished and engine.play.step == 0


def test_a_saved_state_goes_on_to_the_same_bytes() -> None:
    engine = engine_of()
    take(engine, solve(engine.play.puzzle, engine.play.state)[0])
    parsed = engine.parse("no action")
    assert isinstance(parsed, Parsed) and engine.begin(parsed.command) is None
    saved = engine.save()
    ends = []
    for _ in range(2):
        other = make_engine()
        other.restore(saved)
        assert other.digest() == engine.digest() and not other.idle()
        other.tick()
        ends.append(other.digest())
    engine.tick()
    assert ends == [engine.digest()] * 2
    with pytest.raises(VersionError, match="99"):
        engine.restore(json.dumps({**json.loads(saved), "format": 99}).encode())


def test_a_scenario_says_everything_that_is_wrong_with_it() -> None:
    engine = make_engine()
    with pytest.raises(InputError) as raised:
        engine.reset(Scenario("maze2d", {"sede": 1, "preset": 3}, [{"move": "x"}]), 0)
    told = str(raised.value)
    assert "maze_2d" in told and "sede" in told and "did you mean 'seed'" in told and "changes" in told and "preset" in told
    with pytest.raises(InputError, match="widht"):
        engine.reset(Scenario("maze_2d", {"parameters": {"widht": 9}}), 0)
    with pytest.raises(InputError, match="eazy"):
        engine.reset(Scenario("maze_2d", {"preset": "eazy"}), 0)


def test_a_scenario_may_give_the_state_itself_and_leaves_the_seed_to_the_episode() -> None:
    saved = Play(make("maze_2d"), seed=8).save()
    given = engine_of(Scenario("maze_2d", {"state": saved["state"]}))
    open_seed = make_engine()
    open_seed.reset(Scenario("maze_2d"), 8)
    assert given.play.state == open_seed.play.state
    assert engine_of(Scenario("maze_2d", {"seed": 8})).play.state == given.play.state
    with pytest.raises(InputError, match="scenario#/human/state"):
        engine_of(Scenario("maze_2d", {"state": {**saved["state"], "player": [0, 0]}}))


def test_every_channel_is_drawn_without_touching_the_state() -> None:
    engine = make_engine()
    first = engine.reset(MAZE, 0)
    before = engine.digest()
    drawn = {name: engine.draw([first], name)[0] for name in ("view", "lamp", "goal", "text")}
    assert engine.digest() == before
    assert {o.kind for o in drawn.values()} == {Kind.IMAGE, Kind.TEXT} and len({o.digest for o in drawn.values()}) == 4
    assert "P player" in drawn["text"].data.decode()
    later = take(engine, solve(engine.play.puzzle, engine.play.state)[0]).snapshot
    assert engine.draw([later], "goal")[0].digest == drawn["goal"].digest
    assert engine.draw([first], "view")[0].digest == drawn["view"].digest != engine.draw([later], "view")[0].digest


def test_a_channel_that_a_puzzle_lacks_is_named() -> None:
    engine = engine_of(Scenario("sliding_block"))
    first = engine.reset(Scenario("sliding_block"), 0)
    with pytest.raises(InputError, match="lamp"):
        engine.draw([first], "lamp")


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_wandering_is_as_long_as_a_solution_and_never_one(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    for seed in range(3):
        play = Play(puzzle, seed=seed)
        answers = wandering(puzzle, play.state, seed)
        needed = len(solve(puzzle, play.state))
        for answer in answers:
            turn = play.act(answer)
            assert turn.kind in ("done", "stopped")
        assert play.turns[-1].kind == "stopped" and play.reward == 0 and len(answers) >= needed
