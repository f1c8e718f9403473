"""Replies and turns as JSON values and back: what a replay feeds in is what was recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistcore.world.replies import Queue, Reply, Say, Turn


def reply_json(reply: Reply | Turn) -> dict[str, Any]:
    """Every field, enums by value."""
    if isinstance(reply, Reply):
        return {"say": reply.say.value, "text": reply.text, "flag": reply.flag, "notes": reply.notes, "chunks": list(reply.chunks)}
    return {
        "queue": reply.queue.value,
        "commands": list(reply.commands),
        "speech": reply.speech,
        "move": reply.move,
        "reasoning": reply.reasoning,
        "raw": reply.raw,
        "flag": reply.flag,
    }


def reply_from_json(role: str, data: Mapping[str, Any]) -> Reply | Turn:
    """Inverse of `reply_json` for a role."""
    if role == "assistant":
        return Reply(Say(data["say"]), data["text"], data["flag"], data["notes"], tuple(data["chunks"]))
    return Turn(Queue(data["queue"]), tuple(data["commands"]), data["speech"], data["move"], data["reasoning"], data["raw"], data["flag"])
