"""Grounding: plain English imperatives to commands over what a person is offered. Reads a HumanView and nothing else."""

from __future__ import annotations
