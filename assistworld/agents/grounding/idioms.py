"""Turns of phrase brought into plain orders before a sentence is cut: motions said first, waiting, steps without a verb, what adds"
" nothing."""

from __future__ import annotations

import re
from functools import cache

from assistworld.agents.grounding.data import words
from assistworld.agents.grounding.lexicon import Lexicon
from assistworld.agents.grounding.text import singular

_MOTION = re.compile(
    r"(?:^|(?<= and )|(?<= then )|(?<=, )|(?<=\byou ))(?:(?:go|come|run|pop|nip|hop|head|walk|step|get up|stand up|wander|dash|hurry"
    r"|jump|crack"
    r"|get|move)"
    r"(?: (?:on|over|across|along|up|back|out|in|there|here|straight|ahead|now|around|round|quickly|right|down|through))*"
    r"|(?:be|do) (?:me |us )?(?:a|an|the|so) ?[a-z]*(?: [a-z]+)?|take a moment|take a second|lend me a hand|give me a hand"
    r"|get (?:on with it|going|moving|started|a move on|to work)|make a start|chop chop|make yourself useful|do the honours"
    r"|stop (?:dawdling|messing about|talking))"
    r" (?:and|to) (?=(?P<rest>.+))"
)
_STAY = re.compile(
    r"(?:^|(?<= and )|(?<= then )|(?<=, ))(?:stay|remain|stand|hold|keep|freeze|rest|do not move|sit tight|hang on|hang about|hold on"
    r"|give it|give that|pause"
    r"|do nothing|count)(?: (?:right |just )?(?:still|put|there|here|where you are|in place|as you are|a while|it))*(?: for"
    r"| to)?(?: about| around| roughly)? "
    r"(?P<n>\d+|a|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|sixty|half a)(?: (?P<unit>seconds?|minutes?"
    r"|secs?|mins?))?\b(?! (?:step|metre|meter))"
)
_SPAN = re.compile(r"\b(?:half a minute|thirty seconds)\b")
_VERBLESS = re.compile(
    r"^(?P<n>(?:a|one|two|three|four|five|six|\d+|a few|a couple of|half a|another)(?: more)? (?:small |big |little )?(?:steps?"
    r"|paces?|metres?|meters?)) "
    r"(?P<way>forwards?|ahead|straight ahead|straight on)\b"
)
_FORWARD = re.compile(
    r"^(?:straight )?(?:forwards?|ahead) (?P<n>(?:a|one|two|three|four|five|six|\d+|a few|a couple of|half a) (?:steps?|paces?"
    r"|metres?|meters?))\b"
)
_DEGREES = re.compile(
    r"^(?P<n>\d+|ninety|forty five|thirty|sixty|twenty|ten|fifteen) degrees? (?:to (?:the|your) )?(?P<way>left|right|clockwise"
    r"|counterclockwise)\b"
)
_SIDEWAYS = re.compile(r"^(?:to (?:the|your) )?(?P<way>left|right) (?P<n>\d+|ninety|forty five|thirty|sixty|twenty|ten|fifteen) degrees?\b")
_WHATEVER = re.compile(
    r"\b(?:which ?ever|what ?ever)(?: one)?(?: of (?:the|these|those|your|my)(?: (?:two|three|four))?)? "
    r"(?P<n>[a-z-]+(?: (?!is\b|are\b)[a-z-]+)?)(?: (?:is|are|it is that is|happens to be|you (?:left|have left)"
    r"|has been left|was left|that is)) (?P<rest>[a-z]+)"
)
_NEITHER = re.compile(
    r"\b(?P<n>what|something|(?:the|an?|that) [a-z]+)(?: that| which)? (?:is (?:not|neither) (?P<a>(?:(?:an?|the) )?[a-z]+) (?:and|or|nor)"
    r"(?: that| which)?(?: is)?(?: not)? (?P<b>(?:(?:an?|the) )?[a-z]+))(?= from\b| off\b| out of\b|$| ,)"
)
_OPEN = re.compile(r"\b(?:(?:is|are) )?(?:hanging|standing|left|lying|gaping|sitting|wide|still standing|still hanging) (?:wide )?open\b")


_LEFT_SO = re.compile(
    r"\b(?:please )?(?:do not|never|let us not|you (?:should|must|can|could) not|we (?:should|must|can) not|better not) (?:ever "
    r"|just )?(?:leave|keep|let) "
    r"(?P<n>(?:the|that|this|my|your|it)\b[^,]*?) (?:be |stay |standing |stand |lying )?(?P<s>open|on|running|off|closed|shut)"
    r"(?: like (?:that|this)| all (?:day|night|the time)| any longer| overnight| too long| now)*$"
)
_OTHERWISE = {"open": "close", "on": "turn off", "running": "turn off", "off": "turn on", "closed": "open", "shut": "open"}


_LOOK_WHETHER = re.compile(
    r"\blook around\b ?,? (?:and |to )?(?:see|check|find out|tell me|let me know) (?:if|whether|what|where|who|which) .*$"
)
_WAITS = re.compile(
    r"(?:just |please |now |then )?(?:wait|hold|hang|give|stay|pause|rest|one|half|a|stop|stand|sit|remain|count|stick around)\b"
)
_A_WHILE = re.compile(
    r"(?<=\w)(?<! in) (?:for )?(?:a|one|half a|just a) (?:minute|sec|second|moment|mo|bit|tick|while|little while|wee while)"
    r"(?=$| ,| and | then )"
)


def plainly(text: str, lexicon: Lexicon) -> str:
    """A sentence (words joined by blanks) without idle motions and additions, its idioms as orders."""
    text = _MOTION.sub(lambda m: "" if _orders(m.group("rest"), lexicon) else m.group(), text)
    text = _STAY.sub(_waiting, text)
    text = _VERBLESS.sub(r"walk forward \g<n>", text)
    text = _FORWARD.sub(r"walk forward \g<n>", text)
    text = _DEGREES.sub(r"turn \g<way> \g<n> degrees", text)
    text = _SIDEWAYS.sub(r"turn \g<way> \g<n> degrees", text)
    text = _WHATEVER.sub(lambda m: f"the {' '.join(map(singular, m.group('n').split()))} that is {m.group('rest')}", text)
    text = _LEFT_SO.sub(lambda m: f"{_OTHERWISE[m.group('s')]} {m.group('n')}", text)
    text = _NEITHER.sub(_but_these, text)
    text = _OPEN.sub(lambda m: "is open" if m.group().startswith(("is ", "are ")) else "open", text)
    text = re.sub(r"\blook (?:round|about)(?= first|$| ,| and | then )", "look around", text)
    text = _LOOK_WHETHER.sub("look around", text)
    if not _WAITS.match(text):
        text = _A_WHILE.sub("", text)
    return _untailed(text)


def _but_these(match: re.Match[str]) -> str:
    """`the one that is not blue and not an umbrella` -> the one except the blue one and the umbrella."""
    named = "the thing" if match.group("n") in {"what", "something"} else match.group("n")
    return f"{named} except {_called(match.group('a'))} and {_called(match.group('b'))}"


def _called(said: str) -> str:
    article, _, noun = said.rpartition(" ")
    return f"the {noun}" if article else f"the {noun} one"


def _orders(rest: str, lexicon: Lexicon) -> bool:
    """Whether what follows is something to do by itself."""
    said = tuple(rest.split())
    return said[0] not in {"wait", "stand", "stay", "be"} and lexicon.begins(said)


def _waiting(match: re.Match[str]) -> str:
    number, unit = match.group("n"), match.group("unit") or "seconds"
    if unit.startswith("m"):
        return f"wait {number} minutes"
    return f"wait {number} seconds" if number not in {"a", "half a"} else match.group()


@cache
def _tails() -> re.Pattern[str]:
    return re.compile(r"(?<=\w)(?: ,)? (?:" + "|".join(words("tails")) + r")(?= ?$| , | and | then )")


def _untailed(text: str) -> str:
    for _ in range(3):
        shorter = _tails().sub("", text)
        if shorter == text or len(shorter.split()) < 2:
            break
        text = shorter
    return text
