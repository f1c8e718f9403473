"""Whose code digest a committed result carries, so that a result of other code is noticed."""

from __future__ import annotations

RESULT_PACKAGES = (
    "assistworld/engines",
    "assistworld/episodes",
    "assistworld/agents",
    "evaluator",
    "taskpacks",
    "actions",
    "humans",
    "assistcore",
)
"""Folders, relative to the checkout, whose Python decides how an episode goes and how it is scored."""

HOUSE_ENGINE = ("assistworld/engines/house", "assistworld/engines/_watched.py")
"""The house engine alone: what other worlds do decides nothing in it."""
