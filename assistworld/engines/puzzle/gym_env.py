"""Puzzles as Gymnasium environments: actions are text, observations are pictures (or the text of a puzzle that can be written).

`PuzzleEnv` and `ActionTexts` are made, and Gymnasium (the extra `train`) is imported, when they are first asked for.
"""

from __future__ import annotations

import string
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from assistcore.world.errors import InfrastructureError, InputError, Problem
from assistworld.engines.puzzle.actions import Action, read, sample, write
from assistworld.engines.puzzle.codec import encode
from assistworld.engines.puzzle.play import Play, Turn
from assistworld.engines.puzzle.prompting import instructions
from assistworld.engines.puzzle.puzzle import AnyPuzzle, Picture, Puzzle
from assistworld.engines.puzzle.registry import make, presets
from assistworld.engines.puzzle.solving import solve

if TYPE_CHECKING:
    from gymnasium import Env, Space

    EnvBase = Env[Any, str]
    SpaceBase = Space[str]
else:
    EnvBase = SpaceBase = object  # Gymnasium's are added by `_with_gymnasium`.

_TEXT_LIMIT = 12_000
"""Characters of the longest text with room to spare: a maze of 99 x 99 cells and its legend."""


class _ActionTexts(SpaceBase):
    """All texts that are exactly one action of a puzzle, as :func:`~assistworld.engines.puzzle.actions.write` writes them."""

    def __init__(self, puzzle: AnyPuzzle, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(None, None, seed)
        self.puzzle = puzzle

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> str:
        """A uniform name and a uniform payload, `stop` among them. Masks are not supported."""
        if mask is not None or probability is not None:
            raise InputError("sample an action text", [Problem("mask", "is not supported by a space of texts", "leave it out")])
        return write(sample(self.puzzle.spaces, self.np_random), self.puzzle.spaces)

    def contains(self, x: Any) -> bool:
        """Whether the text is an action and nothing else, written as `write` does."""
        asked = read(x, self.puzzle.spaces) if isinstance(x, str) else None
        return isinstance(asked, Action) and write(asked, self.puzzle.spaces) == x

    @property
    def is_np_flattenable(self) -> bool:
        """Texts are not."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ActionTexts) and self.puzzle.name == other.puzzle.name and self.puzzle.spaces == other.puzzle.spaces

    def __hash__(self) -> int:
        return hash(self.puzzle.name)

    def __repr__(self) -> str:
        return f"ActionTexts({self.puzzle.name!r}: {', '.join(self.puzzle.spaces)})"


class _PuzzleEnv(EnvBase):
    """One puzzle as an environment. The step limit is the puzzle's own and sets `truncated`; the reward, 0 or 1, is given on `stop`.

    `info`: `env_feedback` (what the player is told), `step`, `steps_left`, `kind` (done, refused, malformed, stopped), `success`.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}

    def __init__(
        self,
        puzzle: str,
        preset: str = "easy",
        *,
        observation: Literal["image", "text"] = "image",
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        """puzzle, preset: as in :func:`~assistworld.engines.puzzle.registry.make`; `parameters` override those of the preset.

        Raises UnknownName, InputError.
        """
        self.puzzle = make(puzzle, preset, **parameters)
        self.render_mode = render_mode
        self.play: Play | None = None
        self.action_space = _with_gymnasium("ActionTexts")(self.puzzle)
        if observation not in ("image", "text"):
            raise InputError(f"environment {puzzle}", [Problem("observation", f"is {observation!r}", "image or text")])
        self._as_text = observation == "text"
        spaces = _gymnasium().spaces
        self.observation_space = (
            spaces.Text(_TEXT_LIMIT, charset=string.printable) if self._as_text else spaces.Box(0, 255, self.puzzle.image_shape, np.uint8)
        )
        if self._as_text and type(self.puzzle).text is Puzzle.text:
            raise InputError(f"environment {puzzle}", [Problem("observation", "is text, and this puzzle has only pictures", "use image")])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode. `options["init_state"]`: what :meth:`get_init_state` or `Play.save` gave, restored exactly.

        Raises InputError, VersionError for an `init_state` that is not one of this puzzle with this configuration.
        """
        super().reset(seed=seed)
        if options is not None and not isinstance(options, dict):
            raise InputError("reset", [Problem("options", f"is a {type(options).__name__}", "a dict such as {'init_state': ...}")])
        saved = (options or {}).get("init_state")
        if saved is not None:
            self.play = self._restored(saved)
        else:
            self.play = Play(self.puzzle, seed=seed if seed is not None else int(self.np_random.integers(2**31)))
        return self._observe(), self._info(None)

    def step(self, action: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take one answer, malformed ones too. Raises ResetNeeded before the first reset, AssistWorldError after the end."""
        turn = self._playing().act(action)
        return self._observe(), float(turn.reward), turn.terminated, turn.truncated, self._info(turn)

    def render(self) -> Any:
        """The picture, or with `ansi` the text (empty where the puzzle has none)."""
        if self.render_mode is None:
            return None
        play = self._playing()
        return (self.puzzle.text(play.state) or "") if self.render_mode == "ansi" else play.picture()

    def get_prompt(self) -> str:
        """The instructions that a player gets first."""
        return instructions(self.puzzle)

    def get_init_state(self) -> dict[str, Any]:
        """The state that this episode began with, as JSON for `reset(options={"init_state": ...})`."""
        play = self._playing()
        return Play(self.puzzle, state=play.start).save() | {"seed": play.seed}

    def goal_image(self) -> Picture:
        """The picture of a solved state of this episode."""
        return self.puzzle.draw(self.puzzle.goal(self._playing().start))

    def solve(self, strategy: str | None = None, num_steps: int | None = None, *, seed: int = 0, noise: float = 0.0) -> list[str]:
        """Actions that solve the episode from here, `stop` last. Raises InputError, Unsolved."""
        play = self._playing()
        return solve(self.puzzle, play.state, strategy=strategy, num_steps=num_steps, seed=seed, noise=noise, steps_left=play.steps_left)

    def _restored(self, saved: Any) -> Play:
        if not isinstance(saved, dict):
            raise InputError("reset", [Problem("options/init_state", f"is a {type(saved).__name__}", "what get_init_state() gave")])
        play = Play.restore(saved, "init_state")
        if play.puzzle.name != self.puzzle.name or play.puzzle.config != self.puzzle.config:
            wanted = {"puzzle": self.puzzle.name, "config": encode(self.puzzle.config)}
            found = {key: saved[key] for key in wanted}
            raise InputError("reset", [Problem("init_state", f"is of {found}", f"this environment is {wanted}")])
        play.puzzle = self.puzzle
        return play

    def _playing(self) -> Play:
        if self.play is None:
            raise _gymnasium().error.ResetNeeded("call reset() first")
        return self.play

    def _observe(self) -> Any:
        play = self._playing()
        return self.puzzle.text(play.state) if self._as_text else play.picture()

    def _info(self, turn: Turn | None) -> dict[str, Any]:
        play = self._playing()
        feedback = turn.feedback if turn else f"A new episode. {play.steps_left} steps left."
        return {
            "env_feedback": feedback,
            "step": play.step,
            "steps_left": play.steps_left,
            "kind": turn.kind if turn else "reset",
            "success": bool(play.reward),
        }


def _gymnasium() -> ModuleType:
    try:
        import gymnasium
    except ModuleNotFoundError as error:
        raise InfrastructureError("puzzles as environments", f"{error.name} is missing; pip install 'assistworld[train]'") from error
    return gymnasium


@cache
def _with_gymnasium(name: str) -> Any:
    """`PuzzleEnv` or `ActionTexts`: the class of this module with Gymnasium's as its second base, found by pickle under its name here."""
    ours, base = {"PuzzleEnv": (_PuzzleEnv, "Env"), "ActionTexts": (_ActionTexts, "Space")}[name]
    return type(name, (ours, getattr(_gymnasium(), base)), {"__module__": __name__, "__doc__": ours.__doc__})


if TYPE_CHECKING:
    PuzzleEnv = _PuzzleEnv
    ActionTexts = _ActionTexts
else:

    def __getattr__(name: str) -> Any:
        if name not in ("PuzzleEnv", "ActionTexts"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return _with_gymnasium(name)


def register_all() -> tuple[str, ...]:
    """Register every puzzle and preset that is not registered yet. Returns all ids, sorted. Without Gymnasium: InfrastructureError."""
    gymnasium = _gymnasium()
    ids = {f"assistworld/{name}-{preset}-v0": (name, preset) for name, listed in presets().items() for preset in listed}
    for env_id, (name, preset) in ids.items():
        if env_id not in gymnasium.registry:
            entry = "assistworld.engines.puzzle.gym_env:PuzzleEnv"
            gymnasium.register(env_id, entry_point=entry, kwargs={"puzzle": name, "preset": preset})
    return tuple(sorted(ids))
