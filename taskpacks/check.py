"""The static checker of packs (`assistworld check`): one small function per promise; it asks the engine for facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from assistcore.world.conditions import All, Attribute, Condition, Is, Unmoved, describe, holds, leaves
from assistcore.world.engine import Engine, Vocabulary
from assistcore.world.errors import InputError, Problem, nearest
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Refusal, Status
from assistcore.world.views import Offered
from taskpacks.schema import TaskPack
from taskpacks.sentences import machine_words

COMMAND_LIMIT_TICKS = 100_000


@dataclass
class Facts:
    """What an engine says about a pack's scenario: its entities, the world before and after the opening, what was in view on the way."""

    vocabulary: Vocabulary
    keys: frozenset[str]
    initial: SceneGraph
    baseline: SceneGraph
    views: list[tuple[Offered, ...]] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)


def check_pack(pack: TaskPack, engine: Engine, *, seed: int = 0) -> tuple[Problem, ...]:
    """Everything that is wrong with a pack, as the engine sees it; empty for a sound one. Plays the opening, nothing else."""
    try:
        engine.reset(pack.scenario.scenario(), seed)
    except InputError as error:
        return tuple(Problem(f"{pack.id}#/scenario", str(p)) for p in error.problems)
    facts = gather(pack, engine)
    checks = (
        *(known_names, opening_runs, nothing_holds_yet, nothing_wanted_is_forbidden),
        *(something_is_said, spoken_plainly, evidence_in_time, controls_differ),
    )
    return tuple(problem for check in checks for problem in check(pack, facts))


def gather(pack: TaskPack, engine: Engine) -> Facts:
    """Play the opening on a fresh engine and note what is seen on the way."""
    initial = engine.graph()
    keys = frozenset({s for s, _ in initial.values} | {o.key for o in engine.offer("human")})
    facts = Facts(engine.vocabulary, keys, initial, initial, [engine.offer("human")])
    for i, text in enumerate(pack.protocol.opening.commands):
        trouble = _perform(engine, text, facts)
        if trouble:
            facts.trouble.append(f"{pack.id}#/protocol/opening/commands/{i}\n{text}: {trouble}")
            break
        facts.views.append(engine.offer("human"))
    facts.baseline = engine.graph()
    return facts


def _perform(engine: Engine, text: str, facts: Facts) -> str:
    parsed = engine.parse(text)
    if isinstance(parsed, Refusal):
        return refused(parsed)
    refusal = engine.begin(parsed.command)
    if refusal is not None:
        return refused(refusal)
    for _ in range(COMMAND_LIMIT_TICKS):
        outcome = engine.tick().outcome
        if outcome is None:
            continue
        if outcome.status is Status.DONE:
            return ""
        return f"{outcome.status.value} {outcome.refusal.code if outcome.refusal else ''} {outcome.refusal.fact if outcome.refusal else ''}"
    return f"did not end within {COMMAND_LIMIT_TICKS} ticks"


def refused(refusal: Refusal) -> str:
    """Code, fact and hint in one line."""
    return f"{refusal.code}: " + "; ".join(t for t in (refusal.fact, refusal.hint) if t)


def conditions(pack: TaskPack) -> Iterator[tuple[str, Condition]]:
    """Every condition of the score with its JSON pointer."""
    score = pack.score
    for kind, checks in (("goals", score.goals), ("guards", score.guards), ("never", score.never)):
        for i, check in enumerate(checks):
            yield f"{pack.id}#/score/{kind}/{i}/holds", check.holds
    for i, order in enumerate(score.order):
        yield f"{pack.id}#/score/order/{i}/first", order.first
        yield f"{pack.id}#/score/order/{i}/later", order.later


def known_names(pack: TaskPack, facts: Facts) -> Iterator[Problem]:
    """Entities, predicates (with their number of terms) and attributes exist."""
    arity = {p.name: p.arity for p in facts.vocabulary.predicates}
    attributes = {a.name for a in facts.vocabulary.attributes}
    for where, condition in conditions(pack):
        for leaf in leaves(condition):
            match leaf:
                case Is(terms=(predicate, *subjects)):
                    if predicate not in arity:
                        yield Problem(where, f"no predicate {predicate!r}", nearest(predicate, list(arity)))
                    elif arity[predicate] != len(subjects):
                        yield Problem(where, f"{predicate} takes {arity[predicate]} entities, {len(subjects)} are given")
                    names: tuple[str, ...] = tuple(subjects)
                case Attribute(terms=(subject, name, _, _)):
                    if name not in attributes:
                        yield Problem(where, f"no attribute {name!r}", nearest(name, sorted(attributes)))
                    names = (subject,)
                case Unmoved(subject=subject):
                    names = (subject,)
            yield from (Problem(where, f"no entity {n!r}", nearest(n, sorted(facts.keys))) for n in names if n not in facts.keys)
    evidence = pack.proof.evidence
    for n in (*evidence.labels, *evidence.seen, *evidence.hidden):
        if n not in facts.keys:
            yield Problem(f"{pack.id}#/proof/evidence", f"no entity {n!r}", nearest(n, sorted(facts.keys)))


def opening_runs(pack: TaskPack, facts: Facts) -> Iterator[Problem]:
    """Every authored command is read, known, possible with the hands as they are, and done."""
    for trouble in facts.trouble:
        where, _, what = trouble.partition("\n")
        yield Problem(where, what, "a failing opening makes every attempt void")
    for i, text in enumerate(pack.protocol.plan):
        if not text.strip():
            yield Problem(f"{pack.id}#/protocol/plan/{i}", "is empty")


def nothing_holds_yet(pack: TaskPack, facts: Facts) -> Iterator[Problem]:
    """At the baseline no goal holds, every declared guard holds, nothing forbidden has happened."""
    score, now = pack.score, facts.baseline
    if facts.trouble:
        return
    for i, goal in enumerate(score.goals):
        if holds(goal.holds, now, now):
            yield Problem(
                f"{pack.id}#/score/goals/{i}", f"{describe(goal.holds)} holds already when the request is made", "make it a guard"
            )
    for i, guard in enumerate(score.guards):
        if not holds(guard.holds, now, now):
            yield Problem(
                f"{pack.id}#/score/guards/{i}", f"{describe(guard.holds)} does not hold when the request is made", "make it a goal"
            )
    for i, never in enumerate(score.never):
        if holds(never.holds, now, now):
            yield Problem(f"{pack.id}#/score/never/{i}", f"{describe(never.holds)} holds already when the request is made")
    for i, order in enumerate(score.order):
        if holds(order.later, now, now):
            yield Problem(f"{pack.id}#/score/order/{i}", f"{describe(order.later)} holds already when the request is made")


def nothing_wanted_is_forbidden(pack: TaskPack, facts: Facts) -> Iterator[Problem]:
    """No prohibition is a goal, or a part that a goal needs: such a pack cannot be won."""
    for i, never in enumerate(pack.score.never):
        for goal in pack.score.goals:
            if never.holds in _needed(goal.holds):
                yield Problem(f"{pack.id}#/score/never/{i}", f"{describe(never.holds)} is forbidden, and goal {goal.id!r} needs it")


def _needed(condition: Condition) -> Iterator[Condition]:
    yield condition
    if isinstance(condition, All):
        for part in condition.parts:
            yield from _needed(part)


def something_is_said(pack: TaskPack, facts: Facts) -> Iterator[Problem]:
    """The opening and the request have words, and so has every line of the scripted assistants."""
    opening, proof = pack.protocol.opening, pack.proof
    if pack.protocol.kind == "solo":
        return
    said = [("protocol/opening/say", opening.say), ("protocol/opening/handoff", opening.handoff)]
    for kind, lines in (("oracle", proof.oracle), ("wrong", proof.wrong), ("early", proof.early)):
        said += [(f"proof/{kind}/{i}/say", line.say) for i, line in enumerate(lines)]
    yield from (Problem(f"{pack.id}#/{where}", "says nothing", "write what is said") for where, text in said if not text.strip())


def spoken_plainly(pack: TaskPack, facts: Facts) -> Iterator[Problem]:
    """No sentence that is said or shown holds a handle, a bracket, a key or a verb name of the grammar."""
    opening, proof = pack.protocol.opening, pack.proof
    said = [("protocol/task", pack.protocol.task), ("protocol/opening/say", opening.say), ("protocol/opening/handoff", opening.handoff)]
    for kind, lines in (("oracle", proof.oracle), ("wrong", proof.wrong), ("early", proof.early)):
        said += [(f"proof/{kind}/{i}", line.say) for i, line in enumerate(lines)]
    for where, sentence in said:
        if found := machine_words(sentence, facts.vocabulary, facts.keys):
            yield Problem(f"{pack.id}#/{where}", f"says {', '.join(found)}", "say what a person would say")


def evidence_in_time(pack: TaskPack, facts: Facts) -> Iterator[Problem]:
    """What decides is not legible or in view too early, and what must be remembered has been in view."""
    evidence, where = pack.proof.evidence, f"{pack.id}#/proof/evidence"
    for key, words in evidence.labels.items():
        legible = {line.lower() for view in facts.views for o in view if o.key == key and o.visible for line in o.printed}
        early = sorted(w for w in words if any(w.lower() in text for text in legible))
        if early:
            yield Problem(f"{where}/labels/{key}", f"{', '.join(early)} can be read before the request is made")
    for key in () if facts.trouble else evidence.seen:
        if not any(o.key == key and (o.visible or o.held) for view in facts.views for o in view):
            yield Problem(f"{where}/seen", f"{key} is never in view during the opening")
    for key in () if facts.trouble else evidence.hidden:
        if any(o.key == key and o.visible for o in facts.views[-1]):
            yield Problem(f"{where}/hidden", f"{key} is in view when the request is made")


def controls_differ(pack: TaskPack, facts: Facts) -> Iterator[Problem]:
    """Wrong and early say something else than the oracle."""
    spoken = {k: [line.say for line in lines] for k, lines in (("wrong", pack.proof.wrong), ("early", pack.proof.early))}
    oracle = [line.say for line in pack.proof.oracle]
    for kind, lines in spoken.items():
        if lines and lines == oracle:
            yield Problem(f"{pack.id}#/proof/{kind}", "says exactly what the oracle says")
