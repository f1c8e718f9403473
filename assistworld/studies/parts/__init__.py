"""Parts of `./dev prove-all`: the full counts behind `docs/results/`. Adding one is adding one file.

A part module has `CASES: int`, `case(number: int) -> dict` (plain JSON with `ok: bool`; what it raises is recorded as a failure) and,
if it depends on less than everything, `PACKAGES: tuple[str, ...]`.
"""
