"""`./dev prove-all [PART...]`: run the full counts, resumable, and write `docs/results/PART.json` with what made them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from assistcore.world.canonical import canonical_json
from assistcore.world.errors import AssistWorldError
from assistcore.world.registry import Registry
from assistcore.world.sources import checkout, code_digest
from assistworld.episodes.files import write_atomic
from assistworld.studies.digests import RESULT_PACKAGES

PARTS = Registry("part", "assistworld.studies.parts")


def run_part(
    name: str, *, results: Path, work: Path, limit: int | None = None, share: tuple[int, int] = (0, 1), echo: Any = print
) -> dict[str, Any] | None:
    """Run what is missing of a part. Returns the result once every case was run, None where this run was not enough.

    A part is a module with `CASES`, `case(number)` (JSON with `ok`) and, where cases are also judged together, `problems(cases)`;
    `committed(case)` cuts a case that passed down to what the result keeps of it. `totals(cases)` are figures kept beside the cases,
    `lists(cases)` lines that are kept and printed. Cases done by the same code are kept in `work/PART*.jsonl`; other code starts over.

    `limit`: most cases to run. `share` (k, n): run every n-th case only, from k, or every n-th group of `TOGETHER` cases where those have
    something in common; processes with different shares may run at once, each writes a file of its own.
    """
    module = PARTS.load(name)
    packages = tuple(getattr(module, "PACKAGES", RESULT_PACKAGES))
    digest = code_digest(packages)
    done = _kept(work, name, digest)
    first, every = share
    together = getattr(module, "TOGETHER", 1)
    todo = [n for n in range(module.CASES) if n not in done and n // together % every == first]
    work.mkdir(parents=True, exist_ok=True)
    own = f"{name}.jsonl" if every == 1 else f"{name}.{first}of{every}.jsonl"
    with open(work / own, "a", encoding="ascii") as file:
        for position, number in enumerate(todo[:limit]):
            done[number] = _case(module, number)
            file.write(canonical_json({"code_digest": digest, "number": number, "case": done[number]}) + "\n")
            file.flush()
            echo(f"{name} {len(todo) and position + 1}/{len(todo)}: case {number} {'ok' if done[number]['ok'] else 'FAILED'}")
    done = _kept(work, name, digest)
    if len(done) < module.CASES:
        return None
    cases = [{"number": n, **done[n]} for n in sorted(done)]
    failures = [c for c in cases if not c["ok"]]
    overall, committed = getattr(module, "problems", None), getattr(module, "committed", None)
    totals, listed = getattr(module, "totals", None), getattr(module, "lists", None)
    result = {
        "part": name,
        "description": (module.__doc__ or "").strip().split("\n", 1)[0],
        "version": version("assistworld"),
        "python": ".".join(map(str, sys.version_info[:3])),
        "code_digest": digest,
        "code_packages": list(packages),
        "attempted": len(cases),
        "passed": len(cases) - len(failures),
        "failed": len(failures),
        "failures": failures,
        "problems": [] if overall is None else overall(cases),
        **({} if totals is None else {"totals": totals(cases)}),
        **({} if listed is None else {"lists": listed(cases)}),
        "cases": [committed(c) if committed is not None and c["ok"] else c for c in cases],
    }
    results.mkdir(parents=True, exist_ok=True)
    write_atomic(results / f"{name}.json", (json.dumps(result, indent=1, sort_keys=True) + "\n").encode())
    return result


def _case(module: Any, number: int) -> dict[str, Any]:
    try:
        outcome: dict[str, Any] = module.case(number)
    except Exception as error:
        return {"ok": False, "raised": f"{type(error).__name__}: {error}"}
    return outcome


def _kept(work: Path, name: str, digest: str) -> dict[int, dict[str, Any]]:
    """Cases of a part that this code has run, in whatever share."""
    kept: dict[int, dict[str, Any]] = {}
    for path in (work / f"{name}.jsonl", *sorted(work.glob(f"{name}.*of*.jsonl"))):
        for line in path.read_text(encoding="ascii").splitlines() if path.is_file() else ():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if row["code_digest"] == digest:
                kept[row["number"]] = row["case"]
    return kept


def _share(text: str) -> tuple[int, int]:
    """`2/3` as (1, 3): the second of three shares."""
    number, _, of = text.partition("/")
    if not (number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(f"{text!r} is no share: write K/N with 1 <= K <= N, for example 1/2")
    return int(number) - 1, int(of)


def main(words: Sequence[str] | None = None) -> int:
    """Exit code 0 when every case of every asked part passed, 1 otherwise, 2 for an unknown part."""
    parser = argparse.ArgumentParser(prog="./dev prove-all", description=(__doc__ or "").strip())
    parser.add_argument("parts", nargs="*", help=f"parts to run; all: {', '.join(PARTS.names())}")
    parser.add_argument("--cases", type=int, default=None, help="run at most this many missing cases of each part")
    parser.add_argument("--share", type=_share, default=(0, 1), metavar="K/N", help="run the K-th of N shares, beside other processes")
    asked = parser.parse_args(words)
    code = 0
    try:
        for name in asked.parts or PARTS.names():
            folders = {"results": checkout() / "docs" / "results", "work": checkout() / "runs" / "prove-all"}
            result = run_part(name, **folders, limit=asked.cases, share=asked.share)
            if result is None:
                print(f"{name}: not complete, run it again to go on")
            else:
                print(f"{name}: attempted {result['attempted']}, passed {result['passed']}, failed {result['failed']}")
                for title, lines in result.get("lists", {}).items():
                    print("\n".join([f"{name}: {title} ({len(lines)})", *(f"  {line}" for line in lines)]))
                for problem in result["problems"]:
                    print(f"{name}: {problem}")
            code = max(code, 1 if result is None or result["failed"] or result["problems"] else 0)
    except AssistWorldError as error:
        print(error, file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
