"""Write the strips and `docs/verbs_gallery.md`, the page that shows them by group."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from actions.verb import all_verbs
from assistcore.world.engine import VerbInfo
from assistcore.world.errors import InfrastructureError, InputError, Problem, nearest
from assistworld.studies.strips.playing import play
from assistworld.studies.strips.situations import SITUATIONS, Situation

DOCS = Path(__file__).resolve().parents[3] / "docs"
WIDTH, HEIGHT = 256, 192
QUALITY = 85
HEAD = """# The verbs, seen

Written by `python -m assistworld.studies.gallery verbs`; do not edit. Each strip is a real run of the embedded engine that ended as `done`:
above through the person's eyes, below the same six moments from a camera beside. The situations are the rows of
[situations.py](../assistworld/studies/strips/situations.py).
"""


def make(docs: Path = DOCS, only: Sequence[str] = ()) -> list[Path]:
    """Write every strip (or those named) and the page. Returns the paths.

    Raises InputError for a name without a situation, and InfrastructureError at the end, naming each situation that was not done; the
    strips of the others are written.
    """
    from PIL import Image

    from assistworld.engines.house.drawing import HousePainter
    from assistworld.engines.house.engine import HouseEngine
    from assistworld.studies.strips.drawing import draw

    engine, written, wrong = HouseEngine(), [], []
    painter = HousePainter(width=WIDTH, height=HEIGHT, supersample=2)
    for situation in _in_scene_order(only):
        try:
            picture = draw(engine, painter, play(engine, situation), width=WIDTH, height=HEIGHT)
        except InfrastructureError as error:
            wrong.append(str(error))
            continue
        path = _strip(docs, situation.verb)
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture).save(path, "JPEG", quality=QUALITY)
        written.append(path)
    page = docs / "verbs_gallery.md"
    page.write_text(page_text(docs), encoding="utf-8")
    if wrong:
        raise InfrastructureError("verb strips", "; ".join(wrong))
    return [*written, page]


def page_text(docs: Path = DOCS) -> str:
    """The page: a heading for each group, and for each verb what it is and its strip, where there is one."""
    rows = {situation.verb: situation for situation in SITUATIONS}
    verbs = all_verbs()
    parts = [HEAD]
    for group in sorted({info.group for info in verbs}):
        parts.append(f"## {group.capitalize()}\n")
        parts += [_entry(docs, info, rows.get(info.name)) for info in verbs if info.group == group]
    return "\n".join(parts)


def _entry(docs: Path, info: VerbInfo, situation: Situation | None) -> str:
    surface = " or ".join(f"`[{s}]`" for s in info.surface)
    args = ", ".join(a.rstrip("?") + (" (may be left out)" if a.endswith("?") else "") for a in info.args)
    line = f"**{info.name}** {surface}" + (f", with {args}" if args else "") + f". {info.meaning}\n"
    path = _strip(docs, info.name)
    if situation is None or not path.exists():
        return line
    said = f"`{situation.command}`" + (f", after {', '.join(f'`{text}`' for text in situation.before)}" if situation.before else "")
    alt = f"Six frames of {situation.command}, first-person above, third-person below".replace("[", "").replace("]", "")
    return f"{line}\n{said}\n\n![{alt.replace('<', '').replace('>', '')}]({path.relative_to(docs).as_posix()})\n"


def _in_scene_order(only: Sequence[str]) -> list[Situation]:
    """Situations of one scene after the other, so that each is loaded once; verbs that nothing performs are left out."""
    known = [s.verb for s in SITUATIONS]
    if unknown := [name for name in only if name not in known]:
        raise InputError("verb strips", [Problem("verbs", f"no situation for {name!r}", nearest(name, known)) for name in unknown])
    performed = {info.name for info in all_verbs() if info.implemented}
    chosen = [s for s in SITUATIONS if s.verb in performed and (not only or s.verb in only)]
    return sorted(chosen, key=lambda s: s.scene)


def _strip(docs: Path, verb: str) -> Path:
    return docs / "verbs_gallery" / f"{verb}.jpg"
