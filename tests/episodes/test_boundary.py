"""The information boundary: views hold what is on the allow-list and nothing else; the log is what was seen."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from assistcore.world.records import Notice, Viewed
from assistcore.world.replies import Queue, Turn
from assistcore.world.views import AssistantView, Family, HumanView, Offered
from assistworld.episodes.boundary import ASSISTANT_MAY_SEE, HUMAN_MAY_SEE, decode, encode, offered_now, plain_speech
from tests.episodes.playing import CARRY, Obeyer, pack, play
from tests.episodes.reading import records

SECRETS = ("red_cup", "blue_cup", "key_1", "drawer_1", "<", "place", "oracle", "score", "goal", "held", "state_digest")


def test_no_handle_place_or_score_reaches_the_assistant() -> None:
    _, episode, assistant, _ = play(texts=[CARRY.replace("<", "&").replace(">", "&"), "$done$"])
    views = [r.view for r in records(episode, Viewed) if r.role == "assistant"]
    assert views
    for view in views:
        assert set(view) == ASSISTANT_MAY_SEE[Family.ASK] == {f.name for f in fields(AssistantView)}
        heard = json.dumps([v for k, v in view.items() if k not in ("dialogue", "heard")]) + json.dumps(view["heard"])
        assert not [s for s in SECRETS if s in heard]
    assert all(not hasattr(v, "offers") for v in assistant.views)


def test_agents_get_what_the_record_says() -> None:
    _, episode, assistant, person = play()
    recorded = [r.view for r in records(episode, Viewed)]
    given = sorted([*map(encode, assistant.views), *map(encode, person.views)], key=lambda v: json.dumps(v, sort_keys=True))
    assert given == sorted(recorded, key=lambda v: json.dumps(v, sort_keys=True))
    view = person.views[0]
    assert decode("human", json.loads(json.dumps(encode(view))), episode.sink.fetch) == view


@pytest.mark.parametrize("family", [family for family in Family if family is not Family.SOLO])
def test_each_family_has_its_partition(family: Family) -> None:
    plan = {"plan": ["[Walk] <bed> (1)"]} if family is Family.WATCH else {}
    _, _, assistant, person = play(the_pack=pack(protocol={"family": family.value, **plan}))
    assert all(bool(v.observations) != (family is Family.NARRATE) for v in person.views[:1])
    assert {v.plan_next for v in person.views[:1]} == ({"[Walk] <bed> (1)"} if family is Family.WATCH else {""})
    assert assistant.views[0].observations and "plan_next" not in ASSISTANT_MAY_SEE[family]
    assert HUMAN_MAY_SEE[family] <= {f.name for f in fields(HumanView)}


def test_find_offers_a_movable_thing_only_in_view_or_in_hand() -> None:
    there = Offered("cup_1", "<cup> (1)", "cup", "cup", visible=True, movable=True)
    gone = Offered("cup_1", "<cup> (1)", "cup", "cup", visible=False, movable=True)
    held = Offered("key_1", "<key> (1)", "key", "key", visible=False, held=True, movable=True)
    bed = Offered("bed_1", "<bed> (1)", "bed", "bed", visible=False)
    assert offered_now([there, bed], Family.FIND, frozenset()) == (there, bed)
    assert offered_now([gone, held, bed], Family.FIND, frozenset({"cup_1"})) == (held, bed)
    assert offered_now([gone, held, bed], Family.ASK, frozenset({"cup_1"})) == (gone, held, bed)
    assert offered_now([gone, held, bed], Family.ASK, frozenset()) == (held, bed)


def test_naming_what_was_not_offered_is_refused_in_every_family() -> None:
    for family in ("ask", "find", "orchestrate"):
        _, _, _, person = play(texts=["$interrupt$ do: [Grab] <key> (1)", "$silent$", "$done$"], the_pack=pack(protocol={"family": family}))
        assert person.views[1].last_code == "NOT_OFFERED"


def test_speech_loses_handles_before_it_is_heard() -> None:
    said = "I took <red_cup> (1), not blue_cup_1. Now [Put] it."
    ended, episode, assistant, _ = play(texts=["$silent$", "$done$"], human=Obeyer([Turn(Queue.KEEP, (), said)]))
    assert [u.text for u in assistant.views[1].heard] == ["I took red cup, not blue cup. Now Put it."]
    assert [n.what for n in records(episode, Notice)] == ["leak"] and not ended.void
    assert plain_speech("Plain words, 3.50 each.", ["red_cup_1"]) == ("Plain words, 3.50 each.", ())
