"""What agents write, read as data: the assistant's control response and the person's tagged turn. Pure; never raises.

Unreadable output becomes a silent reply or an empty turn whose `flag` starts with `invalid:`; it is counted, never run.
"""

from __future__ import annotations

import re

from assistcore.world.replies import Queue, Reply, Say, Turn

INVALID = "invalid: "
GLUED = "stop_token_glued"
STOP = "stop"
LIMIT_CHARS = 20_000
"""Longer outputs are refused whole: no utterance is that long."""
QUOTE_CHARS = 800

_CONTROL = re.compile(r"\$\s*(silent|interrupt|error|done)\s*\$|<\s*done\s*/\s*>", re.IGNORECASE)
_TAG = re.compile(r"<\s*(reasoning|action|speak)\s*>(.*?)<\s*/\s*\1\s*>", re.IGNORECASE | re.DOTALL)
_OPEN_TAG = re.compile(r"<\s*(reasoning|action|speak)\s*>", re.IGNORECASE)
_STOP = re.compile(r"###\s*stop\s*###", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```[a-z]*\s*$", re.MULTILINE)
_NOTHING = {"", "none", "null", "n/a", "[]", "-"}


def parse_control(text: str) -> Reply:
    """Exactly one control response (seed C.2.1, step 4): `$silent$`, `$interrupt$ text`, `$error$ text`, `$done$` or `<done/>`.

    Text with a stop token glued on (`Thanks, that is all. $done$`) keeps both: the text is delivered, then the episode is declared done.
    """
    if len(text) > LIMIT_CHARS:
        return _bad(text, f"{len(text)} characters, the limit is {LIMIT_CHARS}")
    tokens = [(m.start(), m.end(), (m[1] or "done").lower()) for m in _CONTROL.finditer(text)]
    kinds = [k for _, _, k in tokens]
    if not tokens:
        return _bad(text, "no control token" if text.strip() else "empty output")
    if kinds == ["done"]:
        start, end, _ = tokens[0]
        rest = " ".join((text[:start] + " " + text[end:]).split())
        return Reply(Say.DONE, rest, GLUED if rest else "", chunks=(text,))
    if len(tokens) == 2 and kinds[0] in ("interrupt", "error") and kinds[1] == "done":
        said = text[tokens[0][1] : tokens[1][0]].strip()
        return Reply(Say.DONE, said, GLUED if said else "", chunks=(text,))
    if len(tokens) > 1:
        return _bad(text, f"{len(tokens)} control tokens ({', '.join(kinds)}), exactly one is read")
    start, end, kind = tokens[0]
    before, after = text[:start].strip(), text[end:].strip()
    if kind == "silent":
        return Reply(Say.SILENT, chunks=(text,), flag="text_beside_silence" if before or after else "")
    if before:
        return _bad(text, f"text before ${kind}$")
    if not after:
        return _bad(text, f"${kind}$ without text")
    return Reply(Say.INTERRUPT if kind == "interrupt" else Say.ERROR, after, chunks=(text,))


def parse_turn(text: str) -> Turn:
    """`<reasoning>`, `<action>`, `<speak>` (seed C.2.1, step 5): each at most once, any may be missing; an action block lists commands.

    Commands replace what is pending; an action block that starts with `+` appends, an empty one keeps. `###STOP###` in the speech ends the
    person's part once the assistant has answered.
    """
    if len(text) > LIMIT_CHARS:
        return _bad_turn(text, f"{len(text)} characters, the limit is {LIMIT_CHARS}")
    found: dict[str, str] = {}
    for match in _TAG.finditer(text):
        name = match[1].lower()
        if name in found:
            return _bad_turn(text, f"two <{name}> blocks")
        found[name] = match[2]
    if not found:
        return _bad_turn(text, "no <action> or <speak> block" if text.strip() else "empty output")
    dangling = {m[1].lower() for m in _OPEN_TAG.finditer(text)} - set(found)
    if dangling:
        return _bad_turn(text, f"<{sorted(dangling)[0]}> is not closed")
    mode, commands = _commands(found.get("action", ""))
    speech = found.get("speak", "")
    stop = _STOP.search(speech) is not None
    speech = " ".join(_STOP.sub(" ", speech).split())
    if speech.lower() in _NOTHING:
        speech = ""
    return Turn(mode, commands, speech, reasoning=found.get("reasoning", "").strip(), raw=text, flag=STOP if stop else "")


def _commands(block: str) -> tuple[Queue, tuple[str, ...]]:
    block = _FENCE.sub("", block).strip()
    mode = Queue.REPLACE
    if block.startswith("+"):
        mode, block = Queue.APPEND, block[1:]
    lines = tuple(line for line in (raw.strip().lstrip("-*").strip() for raw in split_commands(block)) if line.lower() not in _NOTHING)
    return (mode, lines) if lines else (Queue.KEEP, ())


def split_commands(block: str) -> tuple[str, ...]:
    """Commands separated by newlines, or by a comma and space before the next `[` (seed B.3.1); brackets are never split."""
    parts: list[str] = []
    for line in block.splitlines():
        parts += re.split(r",\s+(?=\[)", line)
    return tuple(p.strip().rstrip(",").strip() for p in parts if p.strip().strip(","))


def invalid(flag: str) -> bool:
    """Whether a flag says that the output could not be read."""
    return flag.startswith(INVALID)


def _quote(text: str) -> str:
    return text if len(text) <= QUOTE_CHARS else text[:QUOTE_CHARS] + f" ... ({len(text)} characters)"


def _bad(text: str, why: str) -> Reply:
    return Reply(Say.SILENT, flag=INVALID + why, chunks=(_quote(text),))


def _bad_turn(text: str, why: str) -> Turn:
    return Turn(raw=_quote(text), flag=INVALID + why)
