"""The command grammar (seed B.3.1): `[Verb] <entity_name> (instance_id) ... @place_spot=u:v`, read strictly or with a repair, and rendered.

Every text ends as exactly one of: parsed, or refused with the place; a number, a list or a broken tool call is never an empty action.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from actions.verb import all_verbs
from assistcore.world.commands import Arg, Command, How, Parsed, PlaceSpot
from assistcore.world.engine import NumberArg, VerbInfo
from assistcore.world.errors import nearest
from assistcore.world.ids import EntityRef, normal_name
from assistcore.world.outcomes import Code, Refusal

_VERB = re.compile(r"^\[\s*(?P<verb>[A-Za-z_ ]+?)\s*\]")
_ENTITY = re.compile(r"<\s*(?P<name>[^<>]+?)\s*>(?:\s*\(\s*(?P<index>\d+)\s*\))?")
_SPOT = re.compile(r"@\s*place_spot\s*=\s*(?P<u>[-+0-9.eE]+)\s*:\s*(?P<v>[-+0-9.eE]+)\s*$")
_NUMBER = re.compile(r"^(?P<value>[-+]?(?:\d+\.?\d*|\.\d+))\s*(?P<unit>[a-z°]*)$", re.I)
_FENCE = re.compile(r"^```[a-z]*\s*|\s*```$", re.I)
_WIDE = str.maketrans({"［": "[", "］": "]", "【": "[", "】": "]", "＜": "<", "＞": ">", "〈": "<", "〉": ">", "（": "(", "）": ")"})
_FORM_KEYS = frozenset({"verb", "args", "indices", "scalar_arg", "place_spot"})
_FORM_HINT = "use verb, args, indices, scalar_arg, place_spot"
MAX_CHARS = 400
"""A longer text is no command."""


def split_commands(text: str) -> tuple[str, ...]:
    """Commands of a block: separated by newlines or by a comma and a space, never inside brackets. Fences and bullets are dropped."""
    found: list[str] = []
    for line in text.translate(_WIDE).splitlines():
        line = _FENCE.sub("", line.strip()).strip()
        start = depth = 0
        for i, c in enumerate(line):
            depth += (c in "[<(") - (c in "]>)")
            if depth == 0 and c == "," and line[i + 1 : i + 2] in ("", " "):
                found.append(line[start:i])
                start = i + 1
        found.append(line[start:])
    return tuple(x for x in (re.sub(r"^(?:[-*]|\d+[.)])\s+", "", f.strip()) for f in found) if x)


def parse_command(text: str, *, known: Collection[str]) -> Parsed | Refusal:
    """One command text. `known` are the entity keys of the world (rooms included, as `kitchen_1`)."""
    if len(text) > MAX_CHARS:
        return Refusal(Code.PARSE_ERROR, f"{len(text)} characters are no command (at most {MAX_CHARS})", "write one command")
    tidy = _tidy(text)
    if not tidy:
        return Refusal(Code.PARSE_ERROR, "empty command", "write [Verb] <entity> (index)")
    match = _VERB.match(tidy)
    strict = match is not None and tidy == text.strip()
    if match is not None:
        word, rest = match["verb"], tidy[match.end() :]
    else:
        word, rest = _bare_verb(tidy)
    found = _verbs().get(_verb_form(word))
    if found is None:
        return Refusal(Code.UNKNOWN_VERB, f"no verb {word[:40]!r} at position 0 of {tidy[:80]!r}", nearest(word, _surfaces()))
    return _Reader(found[0], found[1], known, strict).read(rest, tidy)


def render_command(command: Command) -> str:
    """The canonical text of a command."""
    info = _info(command.verb)
    args = list(command.args)
    surface = info.surface[0]
    if info.variants and args and isinstance(args[0], str):
        surface = next((s for s, value in info.variants if value == args[0]), surface)
        args = args[1:]
    rules = iter(info.numbers)  # Names that may be left out shift the places of what follows; numbers keep their order.
    parts = [f"[{surface}]"]
    for arg in args:
        if isinstance(arg, EntityRef):
            parts.append(arg.surface)
        elif isinstance(arg, float | int):
            parts.append(_render_number(float(arg), next(rules)))
        else:
            parts.append(str(arg))
    spot = command.place_spot
    return " ".join(parts) + (f" @place_spot={spot.u:g}:{spot.v:g}" if spot is not None else "")


@lru_cache(maxsize=256)
def affords(kind: str, roles: frozenset[str]) -> tuple[str, ...]:
    """The primitives whose first argument may be an entity of this kind (`movable`, `fixture`, `door`, `room`) with these roles."""
    tags = roles | {kind}
    return tuple(info.name for info in all_verbs() if info.implemented and info.targets and tags & set(info.targets))


def from_structured(form: Mapping[str, Any], *, known: Collection[str]) -> Parsed | Refusal:
    """The TaskPack form {verb, args, indices, scalar_arg, place_spot}, by way of the same text grammar."""
    if not isinstance(form, Mapping):
        return Refusal(Code.PARSE_ERROR, f"structured command is {_shown(form)}, not a mapping", _FORM_HINT)
    verb, args, indices = form.get("verb"), form.get("args") or [], form.get("indices") or []
    if set(form) - _FORM_KEYS or not isinstance(verb, str):
        return Refusal(Code.PARSE_ERROR, f"structured command is {_shown(form)}", _FORM_HINT)
    if not _names(args) or not _whole_numbers(indices) or len(indices) > len(args):
        what = f"args {_shown(args)} with indices {_shown(indices)}"
        return Refusal(Code.PARSE_ERROR, what, "args are names, indices whole numbers, one each")
    parts = [f"[{verb}]"]
    for i, name in enumerate(args):
        parts.append(f"<{name}>" + (f" ({indices[i]})" if i < len(indices) else ""))
    if form.get("scalar_arg") is not None:
        parts.append(str(form["scalar_arg"]))
    spot = form.get("place_spot")
    if spot is not None:
        if not isinstance(spot, list | tuple) or len(spot) != 2:
            return Refusal(Code.PARSE_ERROR, f"place_spot {_shown(spot)}", "use [u, v]")
        parts.append(f"@place_spot={spot[0]}:{spot[1]}")
    return parse_command(" ".join(parts), known=known)


def to_structured(command: Command) -> dict[str, object]:
    """Inverse of `from_structured`: the canonical surface verb, entity names with indices, the scalar as rendered, the spot."""
    text = render_command(command)
    entities = command.entities()
    scalar = _ENTITY.sub("", _SPOT.sub("", text.split("]", 1)[1])).strip()
    form: dict[str, object] = {
        "verb": text[1 : text.index("]")],
        "args": [e.name for e in entities],
        "indices": [e.index for e in entities],
    }
    if scalar:
        form["scalar_arg"] = scalar
    if command.place_spot is not None:
        form["place_spot"] = [command.place_spot.u, command.place_spot.v]
    return form


def _names(args: Any) -> bool:
    return isinstance(args, list | tuple) and all(isinstance(a, str) for a in args)


def _whole_numbers(indices: Any) -> bool:
    return isinstance(indices, list | tuple) and all(isinstance(i, int) and not isinstance(i, bool) for i in indices)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MAX_CHARS else f"{text[:MAX_CHARS]} ... ({len(text)} characters)"


def _tidy(text: str) -> str:
    out = unicodedata.normalize("NFC", text).translate(_WIDE).strip()
    out = _FENCE.sub("", out).strip().strip("`").strip()
    return out.rstrip(",;").strip()


def _bare_verb(text: str) -> tuple[str, str]:
    """The verb of a text without brackets: the longest known surface form it starts with, else its first word."""
    words = text.split()
    for n in (3, 2, 1):
        if len(words) >= n and _verb_form(" ".join(words[:n])) in _verbs():
            return " ".join(words[:n]), " ".join(words[n:])
    return (words[0] if words else ""), " ".join(words[1:])


def _verb_form(word: str) -> str:
    return re.sub(r"[^a-z]", "", word.lower())


def _verbs() -> dict[str, tuple[VerbInfo, str]]:
    """Normalised surface form to (verb, surface)."""
    return {_verb_form(surface): (info, surface) for info in all_verbs() for surface in info.surface}


def _surfaces() -> list[str]:
    return [surface for info in all_verbs() for surface in info.surface]


def _info(verb: str) -> VerbInfo:
    return next(info for info in all_verbs() if info.name == verb)


def _render_number(value: float, rule: NumberArg) -> str:
    unit, factor = rule.units[0]
    return f"{value / factor:g}{unit}"


@dataclass(frozen=True)
class _Reader:
    """Reads the arguments of one verb."""

    info: VerbInfo
    surface: str
    known: Collection[str]
    strict: bool

    def read(self, rest: str, whole: str) -> Parsed | Refusal:
        spot = self._spot(rest)
        if isinstance(spot, Refusal):
            return spot
        body = _SPOT.sub("", rest).strip()
        tokens = list(self._tokens(body))
        bad = next((t for t in tokens if isinstance(t, Refusal)), None)
        if bad is not None:
            return bad
        args = self._arguments([t for t in tokens if isinstance(t, EntityRef | str)], whole)
        if isinstance(args, Refusal):
            return args
        values, repaired = args
        lead = next((value for surface, value in self.info.variants if surface == self.surface), None)
        command = Command(self.info.name, (lead, *values) if lead is not None else tuple(values), spot)
        how = How.STRICT if self.strict and not repaired else How.REPAIRED
        return Parsed(command, how, render_command(command))

    def _spot(self, rest: str) -> PlaceSpot | None | Refusal:
        if "@" not in rest:
            return None
        match = _SPOT.search(rest)
        if match is None:
            return Refusal(
                Code.PARSE_ERROR, f"suffix {rest[rest.index('@') :][:60]!r}", "use @place_spot=u:v with u in [-1, 1], v in [0, 1]"
            )
        try:
            u, v = float(match["u"]), float(match["v"])
        except ValueError:
            return Refusal(Code.PARSE_ERROR, f"place_spot {match[0][:60]!r} is not two numbers", "use @place_spot=u:v")
        if not (-1 <= u <= 1 and 0 <= v <= 1):
            return Refusal(Code.BAD_ARGUMENT, f"place_spot {u:g}:{v:g}", "u is in [-1, 1] (left to right), v in [0, 1] (front to back)")
        return PlaceSpot(u, v)

    def _tokens(self, body: str) -> Iterator[EntityRef | str | Refusal]:
        """Entities in angle brackets, and the bare words between them."""
        at = 0
        for match in _ENTITY.finditer(body):
            yield from body[at : match.start()].replace(",", " ").split()
            name = normal_name(match["name"])
            if not name:
                yield Refusal(Code.PARSE_ERROR, f"empty name in {match[0]!r} at position {match.start()}", "name an entity")
            yield EntityRef(name, int(match["index"]) if match["index"] else -1)
            at = match.end()
        left = body[at:]
        if "<" in left or ">" in left or "[" in left:
            yield Refusal(Code.PARSE_ERROR, f"unbalanced brackets in {left[:60]!r} at position {at}", "write <entity> (index)")
            return
        yield from left.replace(",", " ").split()

    def _arguments(self, tokens: list[EntityRef | str], whole: str) -> tuple[list[Arg], bool] | Refusal:
        numbers = {n.name: n for n in self.info.numbers}
        symbols = dict(self.info.symbols)
        values: list[Arg] = []
        repaired = False
        queue = tokens
        for spec in () if self.surface in self.info.bare else self.info.args:
            name, optional = spec.rstrip("?"), spec.endswith("?")
            if name in numbers:
                value = self._number(queue, numbers[name])
                if isinstance(value, Refusal):
                    return value
                number, queue, capped = value
                repaired |= capped
                if number is not None:
                    values.append(number)
                continue
            if name in symbols and optional and self._named(queue) <= self._needed(spec):
                continue
            entity = self._entity(queue, symbols.get(name), symbolic=name in symbols, last=spec == self.info.args[-1])
            if isinstance(entity, Refusal):
                return entity
            ref, queue, loose = entity
            repaired |= loose
            if ref is not None:
                values.append(ref)
            elif not optional:
                return Refusal(Code.PARSE_ERROR, f"[{self.surface}] needs {name}; got {whole[:80]!r}", self._usage())
        if queue:
            shown = queue[0].surface if isinstance(queue[0], EntityRef) else queue[0]
            return Refusal(Code.PARSE_ERROR, f"unexpected {shown[:40]!r} after the arguments of [{self.surface}]", self._usage())
        return values, repaired

    def _named(self, queue: list[EntityRef | str]) -> int:
        return sum(1 for token in queue if isinstance(token, EntityRef))

    def _needed(self, after: str) -> int:
        """How many arguments after this one must be there: an optional symbol is only read from what is left over."""
        later = self.info.args[self.info.args.index(after) + 1 :]
        return sum(1 for a in later if not a.endswith("?"))

    def _usage(self) -> str:
        shown = " ".join(f"<{a.rstrip('?')}>" for a in self.info.args if not a.endswith("?"))
        return f"write [{self.surface}] {shown}".rstrip()

    def _number(self, queue: list[EntityRef | str], rule: NumberArg) -> tuple[float | None, list[EntityRef | str], bool] | Refusal:
        if not queue or isinstance(queue[0], EntityRef):
            return rule.default, queue, False
        take = 2 if len(queue) > 1 and isinstance(queue[1], str) and _NUMBER.match(f"{queue[0]}{queue[1]}") else 1
        text = "".join(str(t) for t in queue[:take]).strip("()")
        match = _NUMBER.match(text)
        units = dict(rule.units)
        if match is None or match["unit"].lower() not in units:
            allowed = ", ".join(u or "no unit" for u in units)
            return Refusal(Code.BAD_ARGUMENT, f"{rule.name} {text[:40]!r}", f"a number with one of: {allowed}")
        value = float(match["value"]) * units[match["unit"].lower()]
        if value > rule.high and rule.cap:
            return rule.high, queue[take:], True
        if not rule.low <= value <= rule.high:
            return Refusal(Code.BAD_ARGUMENT, f"{rule.name} {value:g}", f"between {rule.low:g} and {rule.high:g}")
        return value, queue[take:], False

    def _entity(
        self, queue: list[EntityRef | str], default_index: int | None, *, symbolic: bool, last: bool
    ) -> tuple[EntityRef | None, list[EntityRef | str], bool] | Refusal:
        if not queue:
            return None, queue, False
        head = queue[0]
        if isinstance(head, EntityRef):
            if symbolic:
                return EntityRef(head.name, head.index if head.index >= 0 else (default_index or 0)), queue[1:], False
            found = _resolve(EntityRef(head.name, head.index if head.index >= 0 else 1), self.known)
            return found if isinstance(found, Refusal) else (found, queue[1:], False)
        if symbolic:
            return None, queue, False
        return self._bare_entity(queue, last)

    def _bare_entity(self, queue: list[EntityRef | str], last: bool) -> tuple[EntityRef, list[EntityRef | str], bool] | Refusal:
        """A name without angle brackets: `fridge_306`, `red mug 2`; with several instances and no index it is ambiguous."""
        words = [t for t in queue if isinstance(t, str)]
        limit = len(words) if last else max(1, len(words) - 1)
        for n in range(min(limit, 5), 0, -1):
            text = normal_name(" ".join(words[:n]).strip("()."))
            if text in self.known:
                return EntityRef.from_key(text), queue[n:], True
            same = sorted(k for k in self.known if k.rsplit("_", 1)[0] == text)
            if len(same) == 1:
                return EntityRef.from_key(same[0]), queue[n:], True
            if same:
                return Refusal(Code.AMBIGUOUS, f"ambiguous({', '.join(same)})", "name one with its index")
        name = normal_name(" ".join(words[: min(limit, 5)]))[:60]
        return Refusal(Code.UNKNOWN_ENTITY, f"no entity {name!r}", nearest(name, list(self.known)))


def _resolve(ref: EntityRef, known: Collection[str]) -> EntityRef | Refusal:
    if ref.key in known:
        return ref
    if ref.name in known:
        return EntityRef.from_key(ref.name)
    others: Sequence[str] = sorted(k for k in known if k.rsplit("_", 1)[0] == ref.name)
    if others:
        return Refusal(Code.UNKNOWN_ENTITY, f"no {ref.surface}; there is {', '.join(others)}", "use one of these indices")
    return Refusal(Code.UNKNOWN_ENTITY, f"no entity {ref.name!r}", nearest(ref.key, list(known)))
