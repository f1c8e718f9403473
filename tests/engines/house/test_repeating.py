"""The same scenario, seed and commands give the same bytes in another process; a saved state goes on where it stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from assistcore.world.errors import InputError, VersionError
from assistworld.engines.house.engine import HouseEngine
from tests.engines.house.acting import act, begin, stand

ROOT = Path(__file__).resolve().parents[3]

STRAIGHT = """
import sys
from pathlib import Path
from assistworld.engines.house import make
from tests.engines.house.acting import act, begin, stand

engine = make()
stand(engine, "kitchen", seed=7)
act(engine, "[Grab] <coffee_jar> (2)")
assert begin(engine, "[Put] <coffee_jar> (2) <dining_table> (1)") is None
digests = []
while not engine.idle():
    engine.tick()
    digests.append(engine.digest())
    if len(digests) == 10 and len(sys.argv) > 1:
        Path(sys.argv[1]).write_bytes(engine.save())
print("\\n".join([*digests, engine.graph().digest()]))
"""

RESTORED = """
import sys
from pathlib import Path
from assistworld.engines.house import make
from tests.engines.house.acting import stand

engine = make()
stand(engine, "bedroom", seed=1)
engine.restore(Path(sys.argv[1]).read_bytes())
digests = [engine.digest()]
while not engine.idle():
    engine.tick()
    digests.append(engine.digest())
print("\\n".join([*digests, engine.graph().digest()]))
"""


def run(script: str, folder: Path, hash_seed: int, *words: str) -> list[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run([sys.executable, "-c", script, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_another_process_repeats_every_tick_and_goes_on_from_a_saved_one(tmp_path: Path) -> None:
    """cases.md C, BEHAVIOR-1K#721: straight, and 10 ticks, save, a new process, and the rest: equal state hashes."""
    saved = tmp_path / "saved"
    (tmp_path / "elsewhere").mkdir()
    straight = run(STRAIGHT, ROOT, 0, str(saved))
    assert len(straight) > 20
    assert run(STRAIGHT, tmp_path / "elsewhere", 1) == straight
    assert run(RESTORED, tmp_path / "elsewhere", 1, str(saved)) == straight[9:]


def test_every_tick_of_settling_can_be_saved(flat: HouseEngine) -> None:
    stand(flat)
    act(flat, "[Grab] <coffee_jar> (2)")
    act(flat, "[TurnLeft] 90")
    assert begin(flat, "[Drop]") is None
    saved = []
    while not flat.idle():
        flat.tick()
        saved.append((flat.save(), flat.digest()))
    end = flat.digest()
    assert any(b != a for (_, a), (_, b) in zip(saved, saved[1:], strict=False))
    for data, digest in saved[:: max(1, len(saved) // 4)]:
        flat.restore(data)
        assert flat.digest() == digest
        while not flat.idle():
            flat.tick()
        assert flat.digest() == end


def test_another_version_is_refused_with_both(flat: HouseEngine) -> None:
    stand(flat)
    document = json.loads(zlib.decompress(flat.save()))
    document["version"] = "house-state/0"
    before = flat.digest()
    with pytest.raises(VersionError, match="house-state/0.*house-state/1"):
        flat.restore(zlib.compress(json.dumps(document).encode()))
    assert flat.digest() == before


def test_bytes_that_are_no_state_are_refused(flat: HouseEngine) -> None:
    stand(flat)
    document = json.loads(zlib.decompress(flat.save()))
    document["stage"] = "0" * 64
    for data in (b"", b"no state", flat.save()[:-20], zlib.compress(json.dumps(document).encode())):
        with pytest.raises(InputError, match="saved state"):
            flat.restore(data)


def test_a_warm_reset_forgets_what_was_done(flat: HouseEngine) -> None:
    stand(flat)
    stage, digest, graph = flat.stage, flat.digest(), flat.graph()
    act(flat, "[Grab] <coffee_jar> (2)")
    assert begin(flat, "[TurnAround]") is None
    flat.tick()
    assert flat.digest() != digest
    stand(flat)
    assert flat.idle() and flat.stage is stage and flat.digest() == digest and flat.graph() == graph


def test_the_seed_is_state(flat: HouseEngine) -> None:
    stand(flat, seed=1)
    first = flat.digest()
    stand(flat, seed=2)
    assert flat.digest() != first
