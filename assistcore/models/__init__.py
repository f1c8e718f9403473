"""Clients of language models, for agents and judges: what is asked, what came back, what it cost. Importing this opens nothing."""
