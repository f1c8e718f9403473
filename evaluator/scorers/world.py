"""Goals, guards, prohibitions and orders on the scene graph."""

from __future__ import annotations

from collections.abc import Sequence

from assistcore.world.conditions import Condition, describe, holds
from assistcore.world.graph import SceneGraph
from evaluator.explain import fact_values
from evaluator.scores import CheckResult, Measured, Score
from evaluator.trace import Moment, Trace
from taskpacks.digest import pack_digest
from taskpacks.schema import Goal, Order, TaskPack


def score(pack: TaskPack, trace: Trace) -> Score:
    """Strict success and completion of one attempt, every check explained."""
    stopped = trace.stopped
    void = stopped.void or trace.baseline is None
    checks = () if trace.baseline is None else _checks(pack, trace.moments, trace.baseline)
    core = tuple(c for c in checks if c.role in ("goal", "guard"))
    at_end = all(c.passed for c in core)
    declared_as_needed = stopped.declared or pack.protocol.completion_protocol != "declared"
    success = at_end and all(c.passed for c in checks) and declared_as_needed
    reason = f"VOID: {stopped.reason}" if void else ""
    stable = _stable_action(core, trace.moments) if not void and success else None
    return Score(
        scorer="world",
        pack_id=pack.id,
        pack_version=pack.version,
        pack_digest=pack_digest(pack),
        events_head="",
        seed=trace.opened.seed,
        family=trace.opened.family,
        assistant=trace.opened.assistant.name,
        human=trace.opened.human.name,
        success=None if void else success,
        completion=Measured(value=None, reason=reason) if void else completion(checks, binary=pack.score.binary, success=success),
        goal_at_end=None if void else at_end,
        declared=stopped.declared,
        stop_reason=stopped.reason,
        void=void,
        void_reason=stopped.detail if void else "",
        checks=checks,
        actions=len(trace.outcomes),
        succeeded_actions=sum(o.status == "done" for o in trace.outcomes),
        ticks=stopped.ticks,
        stable_action=Measured(value=stable) if stable is not None else Measured(value=None, reason=reason or "only on strict success"),
        efficiency=_efficiency(pack, stable, reason),
    )


def completion(checks: Sequence[CheckResult], *, binary: bool, success: bool) -> Measured:
    """Bundles reached by bundles there are; goals without a bundle are bundles of one. Guards are in neither."""
    bundles: dict[str, bool] = {}
    for check in checks:
        if check.role == "goal":
            name = f"bundle {check.bundle}" if check.bundle else f"goal {check.id}"
            bundles[name] = bundles.get(name, True) and check.passed
    if not bundles:
        return Measured(value=None, reason="every condition held at the baseline: there is nothing to complete")
    if binary:
        return Measured(value=float(success))
    return Measured(value=sum(bundles.values()) / len(bundles))


def _checks(pack: TaskPack, moments: Sequence[Moment], baseline: SceneGraph) -> tuple[CheckResult, ...]:
    score = pack.score
    out = [
        _final(c.id, c.holds, c.why, moments, baseline, bundle=c.bundle if isinstance(c, Goal) else "")
        for c in (*score.goals, *score.guards)
    ]
    out += [_never(c.id, c.holds, c.why, moments, baseline) for c in score.never]
    out += [_order(o, moments, baseline) for o in score.order]
    return tuple(out)


def _final(name: str, condition: Condition, why: str, moments: Sequence[Moment], baseline: SceneGraph, *, bundle: str) -> CheckResult:
    """A condition on the final world. One that held at the baseline is a guard, whatever the pack called it."""
    truth = [holds(condition, m.graph, baseline) for m in moments]
    passed, first = truth[-1], next((m.tick for m, t in zip(moments, truth, strict=True) if t), None)
    since = None
    if passed:
        broken = [i for i, t in enumerate(truth) if not t]
        since = moments[broken[-1] + 1 if broken else 0].tick
    found = fact_values(condition, moments[-1].graph)
    told = f"{'holds' if passed else 'does not hold'} at the end (tick {moments[-1].tick}): {found}"
    if not passed and first is not None:
        told += f"; it did hold at tick {first}"
    return CheckResult(
        id=name,
        role="guard" if truth[0] else "goal",
        condition=describe(condition),
        passed=passed,
        tick=first,
        since=since,
        explanation=told + (f" - {why}" if why else ""),
        bundle="" if truth[0] else bundle,
    )


def _never(name: str, condition: Condition, why: str, moments: Sequence[Moment], baseline: SceneGraph) -> CheckResult:
    tick = next((m.tick for m in moments if holds(condition, m.graph, baseline)), None)
    told = "never held" if tick is None else f"held at tick {tick}: {fact_values(condition, _graph_at(moments, tick))}"
    return CheckResult(
        id=name,
        role="never",
        condition=f"never {describe(condition)}",
        passed=tick is None,
        tick=tick,
        since=None,
        explanation=told + (f" - {why}" if why else ""),
    )


def _order(order: Order, moments: Sequence[Moment], baseline: SceneGraph) -> CheckResult:
    """Forbidden-before: at the outcome at which `later` first holds, `first` must have held at that or an earlier outcome."""
    first = next((m.tick for m in moments if holds(order.first, m.graph, baseline)), None)
    later = next((m.tick for m in moments if holds(order.later, m.graph, baseline)), None)
    passed = later is None or (first is not None and first <= later)
    named = f"{describe(order.first)} before {describe(order.later)}"
    when = {t: "never" if t is None else f"at tick {t}" for t in (first, later)}
    told = f"the first part held {when[first]}, the later part {when[later]}"
    return CheckResult(
        id=order.id,
        role="order",
        condition=named,
        passed=passed,
        tick=later,
        since=None,
        explanation=told + (f" - {order.why}" if order.why else ""),
    )


def _graph_at(moments: Sequence[Moment], tick: int) -> SceneGraph:
    return next(m.graph for m in moments if m.tick == tick)


def _stable_action(core: Sequence[CheckResult], moments: Sequence[Moment]) -> int:
    """The earliest action after which all core conditions hold and remain true (seed C.3.3)."""
    since = max((c.since for c in core if c.since is not None), default=moments[0].tick)
    return next(m.action for m in moments if m.tick >= since)


def _efficiency(pack: TaskPack, stable: int | None, reason: str) -> Measured:
    shortest = pack.proof.actions
    if stable is None:
        return Measured(value=None, reason=reason or "only on strict success")
    if shortest is None:
        return Measured(value=None, reason="the pack declares no shortest solution")
    return Measured(value=min(1.0, shortest / stable)) if stable else Measured(value=None, reason="no action was needed")
