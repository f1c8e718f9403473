"""Find and read packs: YAML without its traps, every problem in one report with file, line, JSON pointer and the nearest name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError

from assistcore.world.conditions import All, AnyOf, Attribute, Count, Is, Not, Unmoved
from assistcore.world.errors import InputError, Problem, nearest
from taskpacks.schema import TaskPack

CONDITION_KEYS = frozenset(
    f.alias or n for model in (Is, Attribute, Unmoved, All, AnyOf, Not, Count) for n, f in model.model_fields.items()
)
"""The keys of which a condition has exactly one."""
CATALOGUE = Path(__file__).resolve().parent / "catalogue"
_WORDS = {"yes", "no", "on", "off", "y", "n"}
_CLOCK = re.compile(r"^[-+]?\d+(:[0-5]?\d)+(\.\d*)?$")
_OCTAL = re.compile(r"^[-+]?0\d+$")
LIMIT_BYTES = 1_000_000
LIMIT_DEPTH = 60
LIMIT_NUMBER = 1e15
"""What no pack needs more of: bytes in its file, levels of nesting, the size of a number."""


@dataclass(frozen=True)
class Listed:
    """A pack file: its id (the file's name), path, and the pack or what is wrong with it."""

    id: str
    path: Path
    pack: TaskPack | None
    error: InputError | None


def load_pack(path: Path) -> TaskPack:
    """Read one pack file. Raises InputError with every problem found."""
    pack, problems = _read(path)
    if problems or pack is None:
        raise InputError(f"pack {path.name}", problems)
    return pack


def find_pack(name: str, folders: Sequence[Path] = ()) -> TaskPack:
    """A pack by id (catalogue, then `folders` in order) or by the path of its file. Raises InputError with the nearest id."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml") or path.is_file():
        return load_pack(path)
    found = _files(folders)
    if name not in found:
        raise InputError("pack", [Problem(name, "no such pack", nearest(name, list(found)))])
    if len(found[name]) > 1:
        raise _twice(name, found[name])
    return load_pack(found[name][0])


def list_packs(folders: Sequence[Path] = ()) -> tuple[Listed, ...]:
    """Every pack that can be found, sorted by id; broken ones carry their error."""
    out = []
    for name, (path, *others) in sorted(_files(folders).items()):
        try:
            if others:
                raise _twice(name, (path, *others))
            out.append(Listed(name, path, load_pack(path), None))
        except InputError as error:
            out.append(Listed(name, path, None, error))
    return tuple(out)


def in_catalogue(pack: TaskPack) -> bool:
    """Whether a pack is the catalogue's, unchanged."""
    path = CATALOGUE / f"{pack.id}.yaml"
    return path.is_file() and load_pack(path) == pack


def _files(folders: Sequence[Path]) -> dict[str, list[Path]]:
    """The files of every id; more than one is an error of whoever asks for that id."""
    found: dict[str, list[Path]] = {}
    for folder in (CATALOGUE, *folders):
        if not folder.is_dir():
            raise InputError("packs", [Problem(str(folder), "no such folder")])
        for path in sorted(folder.glob("*.yaml")):
            same = found.setdefault(path.stem, [])
            if path.resolve() not in [p.resolve() for p in same]:
                same.append(path)
    return found


def _twice(name: str, paths: Sequence[Path]) -> InputError:
    files = " and ".join(map(str, paths))
    return InputError("pack", [Problem(name, f"is the id of {files}", "give one of them another id, or name the file that is meant")])


def _read(path: Path) -> tuple[TaskPack | None, list[Problem]]:
    try:
        if path.stat().st_size > LIMIT_BYTES:
            return None, [Problem(str(path), f"is larger than {LIMIT_BYTES} bytes")]
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return None, [Problem(str(path), f"cannot be read: {error}")]
    try:
        if unread := _unread(text):
            line, what, fix = unread
            return None, [Problem(f"{path.name}:{line}", what, fix)]
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        return None, [Problem(str(path), f"not YAML: {' '.join(str(error).split())}")]
    if not isinstance(node, yaml.MappingNode):
        return None, [Problem(str(path), "a pack is a mapping", "start with `schema: taskpack/1`")]
    lines: dict[str, int] = {}
    problems = [Problem(f"{path.name}:{line}#{where}", what, fix) for line, where, what, fix in _traps(node, "", "", lines)]
    if problems:
        return None, problems
    data = _value(node)
    try:
        pack = TaskPack.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False)
        return None, [_problem(path, e, lines) for e in found if not _follows(e, found)]
    if pack.id != path.stem:
        return None, [
            Problem(f"{path.name}:{lines.get('/id', 1)}#/id", f"id {pack.id!r} in a file named {path.name!r}", "make them the same")
        ]
    return pack, []


def _unread(text: str) -> tuple[int, str, str] | None:
    """What is not even composed: aliases (a few lines of them stand for gigabytes, or for themselves) and bottomless nesting."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if (anchor := getattr(event, "anchor", None)) is not None:
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            return line, f"{sign}{anchor}: anchors and aliases are not read", "write the value out where it is needed"
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > LIMIT_DEPTH:
            return line, f"is nested deeper than {LIMIT_DEPTH} levels", "no pack needs that"
    return None


def _traps(node: yaml.Node, where: str, key: str, lines: dict[str, int]) -> Iterator[tuple[int, str, str, str]]:
    """Duplicate keys, and plain scalars that YAML 1.1 silently turns into something else."""
    line = node.start_mark.line + 1
    lines[where] = line
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for k, v in node.value:
            if not isinstance(k, yaml.ScalarNode):
                yield k.start_mark.line + 1, where, "a key is a word, here it is a list or a mapping", ""
                continue
            name = str(k.value)
            at = f"{where}/{name}"
            if _ambiguous(k) and name not in ("n", "y"):
                yield k.start_mark.line + 1, at, f"key {name!r} is a boolean in YAML", f"quote it: {name!r}"
            if name in seen:
                yield k.start_mark.line + 1, at, f"key {name!r} stands here twice", "remove one"
            seen.add(name)
            yield from _traps(v, at, name, lines)
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            first_term = key == "is" and i == 0
            if not first_term:
                yield from _traps(item, f"{where}/{i}", "", lines)
    elif isinstance(node, yaml.ScalarNode) and node.style is None:
        if _ambiguous(node):
            yield (
                line,
                where,
                f"{node.value} is a boolean in YAML 1.1 and a word elsewhere",
                f"write true or false, or quote it: '{node.value}'",
            )
        elif _CLOCK.match(node.value) or _OCTAL.match(node.value):
            yield line, where, f"{node.value} is read as another number in YAML 1.1", f"quote it: '{node.value}'"
        elif trouble := _no_value(node):
            yield line, where, trouble, ""
    elif trouble := _no_value(node):
        yield line, where, trouble, ""


def _ambiguous(node: yaml.ScalarNode) -> bool:
    return node.style is None and str(node.value).lower() in _WORDS


def _no_value(node: yaml.Node) -> str:
    """Why a scalar cannot stand in a pack: a tag that is not known, a number without end or size."""
    shown = repr(node.value) if len(str(node.value)) <= 40 else f"{str(node.value)[:37]!r}..."
    try:
        value = _value(node)
    except (yaml.YAMLError, ValueError, TypeError) as error:
        return f"{shown} cannot be read: {' '.join(str(error).split())[:120]}"
    if isinstance(value, int | float) and not abs(value) <= LIMIT_NUMBER:
        return f"{shown} is no number that a pack can hold (finite, at most {LIMIT_NUMBER:.0e})"
    return ""


def _value(node: yaml.Node) -> Any:
    """The value of a checked node; predicate names such as `on` stay words."""
    if isinstance(node, yaml.MappingNode):
        return {k.value: _value(v) for k, v in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    if isinstance(node, yaml.ScalarNode) and _ambiguous(node):
        return node.value
    loader = yaml.SafeLoader("")
    return loader.construct_object(node)  # type: ignore[no-untyped-call]


def _follows(error: Any, errors: Sequence[Any]) -> bool:
    """Whether a list is called too short only because an item of it is wrong."""
    inside = any(len(e["loc"]) > len(error["loc"]) and e["loc"][: len(error["loc"])] == error["loc"] for e in errors)
    return bool(error["type"] == "too_short" and inside)


def _problem(path: Path, error: Any, lines: dict[str, int]) -> Problem:
    where, parts = "", [str(p) for p in error["loc"]]
    for part in parts:
        where = f"{where}/{part}" if f"{where}/{part}" in lines else where
    fix = ""
    if error["type"] == "extra_forbidden":
        fix = nearest(parts[-1], _keys_at(parts[:-1]))
        what = f"unknown key {parts[-1]!r}"
    elif error["type"] == "missing":
        what = f"key {parts[-1]!r} is missing"
    elif error["type"] == "condition" and isinstance(error["input"], dict):
        odd = [str(k) for k in error["input"] if k not in CONDITION_KEYS]
        what = f"{error['msg']}, got " + (", ".join(map(repr, error["input"])) or "none")
        fix = f"no condition {odd[0]!r}: {nearest(odd[0], sorted(CONDITION_KEYS))}" if odd else ""
    else:
        shown = repr(error["input"])
        what = f"{error['msg']}, got {shown if len(shown) < 80 else shown[:77] + '...'}"
    return Problem(f"{path.name}:{lines.get(where, 1)}#{where or '/'}", what, fix)


def _keys_at(parts: Sequence[str]) -> list[str]:
    """The keys allowed at a place of the schema."""
    model: type[BaseModel] = TaskPack
    variants: list[type[BaseModel]] = []
    for part in parts:
        info = model.model_fields.get(part) or next((f for f in model.model_fields.values() if f.alias == part), None)
        if info is not None:
            variants = list(_models_in(info.annotation))
            model = variants[0] if variants else model
        elif tagged := next((v for v in variants if part in _tags(v)), None):
            model = tagged
    return [f.alias or name for name, f in model.model_fields.items()]


def _tags(model: type[BaseModel]) -> tuple[Any, ...]:
    """The names under which a variant stands in a union."""
    return get_args(model.model_fields["kind"].annotation) if "kind" in model.model_fields else ()


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
