"""Aggregates that cannot hide what did not finish: attempted, completed and void together, with bounds (RULES, Not measured)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from evaluator.scores import Score


@dataclass(frozen=True)
class Excluded:
    """A void attempt: it is listed, never counted as a failure and never dropped."""

    pack_id: str
    seed: int
    reason: str


@dataclass(frozen=True)
class Aggregate:
    """Counts over attempts. The rate is of the completed ones; the bounds take every void attempt as failed, or as passed."""

    attempted: int
    completed: int
    successes: int
    excluded: tuple[Excluded, ...]
    completion_mean: Fraction | None

    @property
    def lower(self) -> Fraction | None:
        """The rate if every void attempt had failed."""
        return Fraction(self.successes, self.attempted) if self.attempted else None

    @property
    def upper(self) -> Fraction | None:
        """The rate if every void attempt had passed."""
        return Fraction(self.successes + len(self.excluded), self.attempted) if self.attempted else None

    def __str__(self) -> str:
        if not self.attempted:
            return "nothing attempted"
        low, high = self.successes, self.successes + len(self.excluded)
        mean = "not measured" if self.completion_mean is None else f"{float(self.completion_mean):.3f}"
        counts = f"attempted {self.attempted}, completed {self.completed}, void {len(self.excluded)}"
        bounds = f"bounds {low}/{self.attempted}..{high}/{self.attempted}"
        return f"{counts}; success {self.successes}/{self.completed}, {bounds}; mean completion {mean}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __float__(self) -> float:
        raise TypeError(f"an aggregate is not one number: {self}")

    def as_json(self) -> dict[str, object]:
        """Every count and the list of what was excluded, for a file."""
        return {
            "attempted": self.attempted,
            "completed": self.completed,
            "void": len(self.excluded),
            "successes": self.successes,
            "success_of_completed": f"{self.successes}/{self.completed}",
            "bounds": [f"{self.successes}/{self.attempted}", f"{self.successes + len(self.excluded)}/{self.attempted}"],
            "mean_completion": None if self.completion_mean is None else float(self.completion_mean),
            "excluded": [vars(e) for e in self.excluded],
        }


def aggregate(scores: Sequence[Score]) -> Aggregate:
    """Count attempts."""
    valid = [s for s in scores if not s.void]
    measured = [Fraction(s.completion.value).limit_denominator(10_000) for s in valid if s.completion.value is not None]
    return Aggregate(
        attempted=len(scores),
        completed=len(valid),
        successes=sum(s.success is True for s in valid),
        excluded=tuple(Excluded(s.pack_id, s.seed, f"{s.stop_reason}: {s.void_reason}") for s in scores if s.void),
        completion_mean=sum(measured, Fraction()) / len(measured) if measured else None,
    )
