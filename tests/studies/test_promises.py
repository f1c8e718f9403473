"""What the table of promises takes for kept, and what it does not."""

from __future__ import annotations

from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Refusal
from assistworld.studies.promises import holds
from assistworld.studies.trials import Trial, play, shared_engine


def test_a_phone_that_goes_on_ringing_may_be_turned_over() -> None:
    """A random script turned over a ringing phone: only to answer it is to end the ringing."""
    ringing = {"set": "phone_1", "attribute": "ringing", "value": True}
    result = play(Trial(Scenario("flat", {"spot": "living_room"}, [ringing]), 0, ("[Grab] <phone> (1)", "[Flip] <phone> (1)")))
    assert [row["status"] for row in result["outcomes"]] == ["done", "done"] and result["ok"], result


def test_what_was_not_turned_over_is_found() -> None:
    engine = shared_engine()
    engine.reset(Scenario("flat", {"spot": "living_room"}), 0)
    grab, flip = engine.parse("[Grab] <phone> (1)"), engine.parse("[Flip] <phone> (1)")
    assert not isinstance(grab, Refusal) and not isinstance(flip, Refusal)
    assert engine.begin(grab.command) is None
    while not engine.idle():
        engine.tick()
    before = engine.state
    assert not holds(engine, before, flip.command)
    assert engine.begin(flip.command) is None
    while not engine.idle():
        engine.tick()
    assert holds(engine, before, flip.command) and not holds(engine, engine.state, flip.command)
