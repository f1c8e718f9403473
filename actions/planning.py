"""What a command does from where the person is: its verb's plan, after getting up where the verb needs the feet."""

from __future__ import annotations

from dataclasses import replace

from actions.motions import Plan
from actions.postures.seated import seat_of
from actions.postures.sitting import stand_up
from actions.verb import load_verb
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.outcomes import Refusal


def plan_command(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command, screened, or why not. Changes nothing.

    A seated person gets up first for every verb whose `INFO.seated` is off, as closed doors on a way are opened: an implicit part of it.
    """
    module = load_verb(command.verb)
    if not seat_of(world) or module.INFO.seated:
        return module.plan(world, command)
    first = stand_up(world)
    if isinstance(first, Refusal):
        return first
    there = world.fork()
    for segment in first:
        there.advance(segment)
    planned = module.plan(there, command)
    if isinstance(planned, Refusal):
        return planned
    return replace(planned, segments=(*first, *planned.segments), notes={**planned.notes, "got_up": seat_of(world)})
