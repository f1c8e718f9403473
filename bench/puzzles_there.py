"""Runs in the reference suite's own environment, without any of ours: resets and steps a second of its puzzles, as one line of JSON."""

from __future__ import annotations

import json
import statistics
import sys
from time import perf_counter
from typing import Any


def measured(env_id: str, seconds: float) -> dict[str, Any]:
    """Figures of one environment, or what went wrong: not every one runs without its data set."""
    try:
        import gymnasium

        env = gymnasium.make(env_id)
        env.reset(seed=0)
        resets: list[float] = []
        while len(resets) < 3 or (sum(resets) < seconds and len(resets) < 200):
            began = perf_counter()
            env.reset(seed=1 + len(resets))
            env.render()
            resets.append(perf_counter() - began)
        spent, steps, seed = 0.0, 0, 0
        while spent < seconds and seed < 50:
            env.reset(seed=seed)
            unwrapped: Any = env.unwrapped
            answers = unwrapped.solve()
            began = perf_counter()
            for answer in answers:
                env.step(answer)
                env.render()
            spent, steps, seed = spent + perf_counter() - began, steps + len(answers), seed + 1
        return {"reset_ms": 1000 * statistics.median(resets), "steps_per_s": steps / spent}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}


def main() -> None:
    """Read what is asked, print the figures."""
    asked = json.loads(sys.stdin.read())
    print(json.dumps({env_id: measured(env_id, asked["seconds"]) for env_id in asked["ids"]}))


if __name__ == "__main__":
    main()
