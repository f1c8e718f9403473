"""The contracts: plain data and protocols that every world, agent and evaluator speaks. numpy and pydantic only.

Import the module that holds what you need (`from assistcore.world.commands import Command`); this package re-exports nothing.
"""
