"""The TaskPack: a frozen task as data. Unknown keys are errors; every tagged union is open for further variants.

A pack says where the person stands and what differs from the scene (`scenario`), who knows and says what (`protocol`), what the final world
must be (`score`) and how the pack proves itself (`proof`). Times are seconds of world time, conditions are `assistcore.world.conditions`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, field_validator, model_validator

from assistcore.world.conditions import Condition
from assistcore.world.engine import Scenario
from assistcore.world.views import Family

SCHEMA = "taskpack/1"


class Node(BaseModel):
    """Base of every part of a pack: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False)


class Provenance(Node):
    """Who made the pack, from what, and what changed with each version."""

    author: str = Field(min_length=1)
    source: str = ""
    history: tuple[str, ...] = ()


class ScenarioSpec(Node):
    """What the engine is reset to (`assistcore.world.engine.Scenario`); `human` and `changes` are the engine's own schema."""

    engine: str = "house"
    scene: str
    human: dict[str, Any] = Field(default_factory=dict)
    changes: tuple[dict[str, Any], ...] = ()

    def scenario(self) -> Scenario:
        """The engine's value."""
        return Scenario(self.scene, self.human, self.changes)


class Opening(Node):
    """What happens before the baseline, unscored: something said, commands of the grammar, then the request itself (the handoff)."""

    say: str = ""
    commands: tuple[str, ...] = ()
    handoff: str = Field(min_length=1)


class TimingSpec(Node):
    """When the assistant is asked and how long its replies take (DESIGN section 2, Time).

    `poll` is a number of seconds or `between_commands`: after every outcome, and while nothing is queued every `idle_s` seconds, or
    `speech_s` seconds after the person spoke.
    `delay` `fixed` takes `delay_s` for every reply; `measured` takes the caller's latency, at most `delay_cap_s`.
    `turns` `preempt`: when the person's turn replaces the queue, a running command is stopped as well; `queue`: it is finished first.
    """

    poll: Literal["between_commands"] | Annotated[float, Field(gt=0)] = "between_commands"
    idle_s: float = Field(default=5.0, gt=0)
    speech_s: float = Field(default=1.0, gt=0)
    delay: Literal["fixed", "measured"] = "fixed"
    delay_s: float = Field(default=0.0, ge=0)
    delay_cap_s: float = Field(default=30.0, ge=0)
    turns: Literal["preempt", "queue"] = "preempt"


class Budget(Node):
    """Where an episode ends at the latest: commands (refused ones count), seconds of world time after the handoff, unreadable replies."""

    actions: int = Field(default=40, ge=1)
    seconds: float = Field(default=300.0, gt=0)
    invalid: int = Field(default=8, ge=1)


class TwoAgent(Node):
    """Two agents, six families (seed C.2). `task` is the public request paragraph; both roles get it."""

    kind: Literal["two_agent"]
    family: Family
    task: str = ""
    opening: Opening
    timing: TimingSpec = TimingSpec()
    budget: Budget = Budget()
    channels: tuple[str, ...] | None = None
    """Observation channels for both roles; None: every image channel that the vocabulary lets the role have."""
    plan: tuple[str, ...] = ()
    """WATCH only: the person's private no-advice commands."""
    completion_protocol: Literal["state", "declared"] = "state"
    """`declared`: strict success also needs the assistant's `$done$`."""

    @model_validator(mode="after")
    def _two_act(self) -> TwoAgent:
        if self.family is Family.SOLO:
            raise ValueError("family solo is that of protocol kind solo; two agents have one of the six")
        return self

    @model_validator(mode="after")
    def _plan_is_for_watch(self) -> TwoAgent:
        if (self.family is Family.WATCH) != bool(self.plan):
            raise ValueError(f"plan is for family watch only and needed there; family {self.family.value}, {len(self.plan)} commands")
        return self


class Solo(Node):
    """The person acts alone and is the one who is evaluated; the assistant is silent. `task` stands before the rules that the engine tells.

    Nothing is said and nothing happens before the first turn. `channels`: as in `TwoAgent`.
    """

    kind: Literal["solo"]
    task: str = ""
    budget: Budget = Budget()
    channels: tuple[str, ...] | None = None

    @property
    def family(self) -> Family:
        """Nobody helps."""
        return Family.SOLO

    @property
    def opening(self) -> Opening:
        """None: every part is empty."""
        return Opening.model_construct(say="", commands=(), handoff="")

    @property
    def timing(self) -> TimingSpec:
        """Turn by turn."""
        return TimingSpec()

    @property
    def plan(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def completion_protocol(self) -> Literal["state", "declared"]:
        """There is nobody to declare the end."""
        return "state"


Protocol = Annotated[TwoAgent | Solo, Discriminator("kind")]
"""How the episode is run, told apart by `kind`; a further protocol is one more member of this union."""


class Check(Node):
    """A named condition on the final world."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    holds: Condition
    why: str = ""


class Goal(Check):
    """A scored condition. Goals that share a `bundle` count as one, reached when all of them hold."""

    bundle: str = ""


class Prohibition(Check):
    """A condition that must never hold at an outcome after the baseline."""


class Order(Node):
    """`later` must not hold at any outcome before `first` has held (forbidden-before)."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    first: Condition
    later: Condition
    why: str = ""


class WorldScore(Node):
    """Goals, guards, prohibitions and orders on the scene graph (RULES, Guards).

    A condition that already holds at the baseline is a guard: needed for strict success, in neither numerator nor denominator of the
    completion value. `guards` are declared ones; `check` proves that they hold at the baseline and that no goal does. `binary`: completion
    is 0 or 1.
    """

    kind: Literal["world"]
    goals: tuple[Goal, ...] = Field(min_length=1)
    guards: tuple[Check, ...] = ()
    never: tuple[Prohibition, ...] = ()
    order: tuple[Order, ...] = ()
    binary: bool = False

    @model_validator(mode="after")
    def _ids_are_unique(self) -> WorldScore:
        ids = [c.id for c in (*self.goals, *self.guards, *self.never)] + [o.id for o in self.order]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise ValueError(f"check ids used twice: {', '.join(twice)}")
        return self


Score = WorldScore
"""How it is scored, told apart by `kind`; each variant has a scorer of that name in `evaluator/scorers/`."""


class Line(Node):
    """One sentence of a scripted assistant.

    `after` `ready`: at the first poll after the person reported on the line before (the first line: at the first poll); `poll`: at the next
    poll whatever happened.
    """

    say: str = Field(min_length=1)
    after: Literal["ready", "poll"] = "ready"


class Evidence(Node):
    """What decides the task, so that `check` can prove that it is not given away before the first poll.

    `labels`: entity to words printed on it; none of them may be legible during the opening. `seen`: entities that must have been in view
    during the opening (what a Finding remembers). `hidden`: entities that must not be in view when the request is made.
    """

    labels: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    seen: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


class Proof(Node):
    """The scripted assistants: each is a list of sentences, and each but the oracle must fail.

    `wrong`: an existing distractor, obeyed. `early`: the best guess from what was visible at the first poll. Where a person acts alone
    there are none of them: the engine's own solver is the oracle.
    """

    oracle: tuple[Line, ...] = ()
    wrong: tuple[Line, ...] = ()
    early: tuple[Line, ...] = ()
    evidence: Evidence = Evidence()
    actions: int | None = Field(default=None, ge=1)
    """Commands of a shortest legal solution, for efficiency."""


class TaskPack(Node):
    """A versioned task."""

    schema_: Literal["taskpack/1"] = Field(alias="schema")
    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: int = Field(ge=1)
    title: str = Field(min_length=1)
    """One line that is printed: no control characters."""
    provenance: Provenance
    licence: str = Field(min_length=1)
    scenario: ScenarioSpec
    protocol: Protocol
    score: Score
    proof: Proof = Proof()

    @model_validator(mode="after")
    def _helpers_have_sentences(self) -> TaskPack:
        for kind, lines in (("oracle", self.proof.oracle), ("wrong", self.proof.wrong), ("early", self.proof.early)):
            if bool(lines) != (self.protocol.kind == "two_agent"):
                fault = "are given, and nobody helps in a solo pack" if lines else "are missing"
                raise ValueError(f"proof/{kind}: its sentences {fault}")
        return self

    @field_validator("title")
    @classmethod
    def _title_is_one_line(cls, title: str) -> str:
        if not title.isprintable() or not title.strip():
            raise ValueError("a title is one line of printable characters")
        return title
