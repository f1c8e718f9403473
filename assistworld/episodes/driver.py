"""Drivers of an episode: the plain one asks the agents in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from assistcore.world.engine import Assistant, Human
from assistcore.world.errors import InfrastructureError
from assistcore.world.views import AssistantView
from assistworld.episodes.episode import Ask, Ended, Episode

Costs = Callable[[str], Mapping[str, Any]]


def run(episode: Episode, assistant: Assistant, human: Human, *, clock: Callable[[], float] = perf_counter) -> Ended:
    """Play to the end. A raising agent ends the attempt as VOID with its error; KeyboardInterrupt seals it as cancelled and goes on up."""
    while isinstance(ask := episode.next(), Ask):
        began = clock()
        try:
            reply = assistant.reply(ask.view) if isinstance(ask.view, AssistantView) else human.turn(ask.view)
        except KeyboardInterrupt:
            episode.abort(InfrastructureError("run", "interrupted"), reason="cancelled")
            raise
        except Exception as error:
            return episode.abort(InfrastructureError(f"{ask.role} agent", f"{type(error).__name__}: {error}"), error)
        episode.answer(ask, reply, clock() - began)
    return ask
