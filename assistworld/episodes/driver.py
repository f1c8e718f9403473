"""Drivers of an episode: the plain one asks the agents in turn."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from assistcore.world.engine import Assistant, Human
from assistcore.world.errors import InfrastructureError
from assistcore.world.views import AssistantView
from assistworld.episodes.episode import Ask, Ended, Episode

Watch = Callable[[Episode, Ask], None]
"""Called before each turn, for progress bars and pages; it must not touch the episode."""


def run(
    episode: Episode, assistant: Assistant, human: Human, *, clock: Callable[[], float] = perf_counter, watch: Watch | None = None
) -> Ended:
    """Play to the end. A raising agent ends the attempt as VOID with its error; KeyboardInterrupt seals it as cancelled and goes on up."""
    try:
        while isinstance(ask := episode.next(), Ask):
            if watch is not None:
                watch(episode, ask)
            began = clock()
            try:
                reply = assistant.reply(ask.view) if isinstance(ask.view, AssistantView) else human.turn(ask.view)
            except Exception as error:
                return episode.abort(InfrastructureError(f"{ask.role} agent", f"{type(error).__name__}: {error}"), error)
            episode.answer(ask, reply, clock() - began)
    except KeyboardInterrupt:
        episode.abort(InfrastructureError("run", "interrupted"), reason="cancelled")
        raise
    return ask
