"""Scores as values: every check explained with its value and tick; what was not measured is null with a reason."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

VERSION = "1"
"""Changes with every change of a score; one score file per version stands beside a bundle."""


class _Node(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Measured(_Node):
    """A number, or null with the reason why it was not measured."""

    value: float | None
    reason: str = ""

    @model_validator(mode="after")
    def _null_has_a_reason(self) -> Measured:
        if (self.value is None) == (not self.reason):
            raise ValueError(f"value {self.value!r} with reason {self.reason!r}: exactly one of them is given")
        return self


class CheckResult(_Node):
    """One check at the end of an episode.

    `role`: `goal` counts for completion; `guard` held at the baseline and is needed for success only; `never` and `order` are prohibitions.
    `passed` is its verdict, `since` the tick of the outcome from which it held to the end, `tick` where it first held or was violated.
    """

    id: str
    role: Literal["goal", "guard", "never", "order"]
    condition: str
    passed: bool
    tick: int | None
    since: int | None
    explanation: str
    bundle: str = ""


class Score(_Node):
    """The score of one attempt. `success` and `completion` are null for VOID attempts."""

    evaluator: str = VERSION
    scorer: str
    pack_id: str
    pack_version: int
    pack_digest: str
    events_head: str
    seed: int
    family: str
    assistant: str
    human: str
    success: bool | None
    completion: Measured
    goal_at_end: bool | None
    declared: bool
    stop_reason: str
    void: bool
    void_reason: str = ""
    checks: tuple[CheckResult, ...]
    actions: int
    succeeded_actions: int
    ticks: int
    stable_action: Measured
    efficiency: Measured

    def summary(self) -> str:
        """One line for people."""
        if self.void:
            return f"VOID ({self.stop_reason}: {self.void_reason})"
        completion = "not measured" if self.completion.value is None else f"{self.completion.value:.2f}"
        return f"{'SUCCESS' if self.success else 'FAILED'}, completion {completion}, {self.actions} actions, ended by {self.stop_reason}"
