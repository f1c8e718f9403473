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
from assistworld.episodes.files import write_atomic
from assistworld.studies.digests import RESULT_PACKAGES, checkout, code_digest

PARTS = Registry("part", "assistworld.studies.parts")


def run_part(name: str, *, results: Path, work: Path, limit: int | None = None, echo: Any = print) -> dict[str, Any] | None:
    """Run what is missing of a part. Returns the result once every case was run, None where `limit` cases were not enough.

    A part is a module with `CASES`, `case(number)` (JSON with `ok`) and, where cases are also judged together, `problems(cases)`.
    Cases done by the same code are kept in `work/PART.jsonl`; other code starts over.
    """
    module = PARTS.load(name)
    packages = tuple(getattr(module, "PACKAGES", RESULT_PACKAGES))
    digest = code_digest(packages)
    done = _kept(work / f"{name}.jsonl", digest)
    todo = [n for n in range(module.CASES) if n not in done]
    work.mkdir(parents=True, exist_ok=True)
    with open(work / f"{name}.jsonl", "a", encoding="ascii") as file:
        for position, number in enumerate(todo[:limit]):
            done[number] = _case(module, number)
            file.write(canonical_json({"code_digest": digest, "number": number, "case": done[number]}) + "\n")
            file.flush()
            echo(f"{name} {len(todo) and position + 1}/{len(todo)}: case {number} {'ok' if done[number]['ok'] else 'FAILED'}")
    if len(done) < module.CASES:
        return None
    cases = [{"number": n, **done[n]} for n in sorted(done)]
    failures = [c for c in cases if not c["ok"]]
    overall = getattr(module, "problems", None)
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
        "cases": cases,
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


def _kept(path: Path, digest: str) -> dict[int, dict[str, Any]]:
    kept: dict[int, dict[str, Any]] = {}
    for line in path.read_text(encoding="ascii").splitlines() if path.is_file() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if row["code_digest"] == digest:
            kept[row["number"]] = row["case"]
    return kept


def main(words: Sequence[str] | None = None) -> int:
    """Exit code 0 when every case of every asked part passed, 1 otherwise, 2 for an unknown part."""
    parser = argparse.ArgumentParser(prog="./dev prove-all", description=(__doc__ or "").strip())
    parser.add_argument("parts", nargs="*", help=f"parts to run; all: {', '.join(PARTS.names())}")
    parser.add_argument("--cases", type=int, default=None, help="run at most this many missing cases of each part")
    asked = parser.parse_args(words)
    code = 0
    try:
        for name in asked.parts or PARTS.names():
            result = run_part(name, results=checkout() / "docs" / "results", work=checkout() / "runs" / "prove-all", limit=asked.cases)
            if result is None:
                print(f"{name}: not complete, run it again to go on")
            else:
                print(f"{name}: attempted {result['attempted']}, passed {result['passed']}, failed {result['failed']}")
                for problem in result["problems"]:
                    print(f"{name}: {problem}")
            code = max(code, 1 if result is None or result["failed"] or result["problems"] else 0)
    except AssistWorldError as error:
        print(error, file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
