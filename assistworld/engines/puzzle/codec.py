"""States and configurations as JSON and back, exactly, by the types of their fields."""

from __future__ import annotations

import dataclasses
import math
import types
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from assistcore.world.errors import InputError, Problem

T = TypeVar("T")
_PLAIN: dict[Any, tuple[type, ...]] = {int: (int,), float: (int, float), str: (str,), bool: (bool,), type(None): (type(None),)}


def encode(value: object) -> Any:
    """JSON of a dataclass of plain values, tuples and such dataclasses. Floats keep every bit. Raises TypeError for anything else."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if value is None or type(value) in (int, float, str, bool):
        return value
    raise TypeError(f"a state holds plain values and tuples, not {type(value).__name__}: {value!r}")


def decode(kind: type[T], data: object, where: str) -> T:
    """The `kind` that was encoded. `where`: file or option, for the error. Raises InputError naming every field that does not fit."""
    problems: list[Problem] = []
    value = decode_value(kind, data, where, problems)
    if problems:
        raise InputError(f"not a saved {kind.__name__}", problems)
    return value  # type: ignore[no-any-return]


def decode_value(kind: Any, data: object, where: str, problems: list[Problem]) -> Any:
    """The value of a field of type `kind`; what does not fit is added to `problems`, and the value is then worth nothing."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _decode_fields(kind, data, where, problems)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        plain = next((arg for arg in args if type(data) in _PLAIN.get(arg, ())), None)
        structured = [arg for arg in args if arg not in _PLAIN]
        return decode_value(plain if plain is not None else (structured or list(args))[0], data, where, problems)
    if origin is tuple:
        if not isinstance(data, list) or (args[-1] is not Ellipsis and len(data) != len(args)):
            length = "" if args[-1] is Ellipsis else f" of {len(args)}"
            problems.append(Problem(where, f"is {data!r:.80}", f"expected a list{length}"))
            return ()
        kinds = [args[0]] * len(data) if args[-1] is Ellipsis else list(args)
        return tuple(decode_value(each, item, f"{where}/{n}", problems) for n, (each, item) in enumerate(zip(kinds, data, strict=True)))
    if origin is Literal:
        if data not in args:
            problems.append(Problem(where, f"is {data!r:.80}", f"one of {', '.join(map(repr, args))}"))
        return data
    if type(data) not in _PLAIN[kind] or (isinstance(data, float) and not math.isfinite(data)):
        problems.append(Problem(where, f"is {data!r:.80}", f"expected {kind.__name__}"))
        return None
    return float(data) if kind is float else data  # type: ignore[arg-type]


def _decode_fields(kind: Any, data: object, where: str, problems: list[Problem]) -> Any:
    if not isinstance(data, dict):
        problems.append(Problem(where, f"is {data!r:.80}", "expected an object"))
        return None
    hints = get_type_hints(kind)
    wanted = [field.name for field in dataclasses.fields(kind)]
    problems += [Problem(f"{where}/{name}", "is missing") for name in wanted if name not in data]
    problems += [Problem(f"{where}/{name}", "is unknown", f"known: {', '.join(wanted)}") for name in data if name not in wanted]
    before = len(problems)
    values = {name: decode_value(hints[name], data[name], f"{where}/{name}", problems) for name in wanted if name in data}
    return kind(**values) if len(problems) == before and len(values) == len(wanted) else None
