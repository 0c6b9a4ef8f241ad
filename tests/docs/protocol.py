"""The wire as data, made from the code's own tables: ``python -m tests.docs.protocol`` writes it.

The package has it as ``hearts/hearts-protocol.json``; what its words mean is said in the file.
"""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Any

from hearts.dealer import layout
from hearts.dealer import structures as st
from hearts.dealer.beside import ANSWERS, INTRODUCTION, REQUESTS, InState, Ping, ToAbort
from hearts.dealer.frames import (
    CLIENT_PAYLOAD_LIMIT,
    SERVER_PAYLOAD_LIMIT,
    DealerState,
    MessageType,
)
from hearts.dealer.messages import MESSAGES, Message, Pong
from hearts.errors import Fault, Reason
from hearts.game import rules as r
from hearts.game.cards import CARDS
from hearts.game.deal import SECRET_BYTES, commitment_notice, disclosure_notice
from hearts.names.proof import CHALLENGE_BYTES, MOST_NOTES, NameKind, NameState, NameWish
from hearts.session import messages as m
from hearts.session.client_states import FIELDS, INT, NEXT, PlainField, State
from hearts.session.registration import PAYLOADS, RANKS
from hearts.settings.readers import LEVELS
from hearts.taunt.messages import SPEAKERS, TAUNT_LIMIT, Status
from hearts.wire.codec import INT_MAX, INT_MIN, NAME_LIMIT, TEXT_LIMIT
from tests.dealer.payloads import Codec, has_more

from .limits import TABLE

FILE = Path(__file__).parents[2] / "hearts" / "hearts-protocol.json"
Data = dict[str, Any]
_ANYTHING: Data = {"type": "int", "min": INT_MIN, "max": INT_MAX}
_HOW = {
    "int": "4 bytes, the most significant first, two's complement, from min to max, or one of "
    "values if it has them",
    "str": "an int, the length with the NUL, then as many bytes of UTF-8 and the NUL; at most most "
    "bytes without it",
    "bytes": "as many bytes as size says, or of a length field, or at most most up to the end",
    "list": "count values of one kind, or an int with their number, at most most, and then those",
    "structure": "the fields of the structure with that name, or those that are given here",
    "optional": "the payload may end before such a field, and then it is not there",
    "where": "the field is there only if the one that is named has that value",
    "refusal": "where a reply or the Game number is due a negative int is a refusal",
}
STRUCTURES: dict[str, Codec] = {
    "trick": st.TRICK,
    "score": st.SCORE,
    "player info": st.PLAYER_INFO,
}
_NAMES = {"wish": "type", "what": "whole game", "seat": "player", "reason": "why"}
"""Names of fields that the documents have, where a value of no dialect has another."""
_REPLIES = {
    m.Tag.REASONS: State.REASONS_REPLY,
    m.Tag.PASSWORD: State.PASSWORD_REPLY,
    m.Tag.DEALER: State.DEALER_REPLY,
    m.Tag.LIST: State.LIST_SIZE,
    m.Tag.TABLE: State.TABLE_REPLY,
    m.Tag.COME_BACK: State.COME_BACK_REPLY,
    m.Tag.WATCH: State.WATCH_REPLY,
}


_SENT = {
    "version": (1, INT_MAX),
    "end of game": (0, r.END_SCORES.stop - 1),
    "turn limit": (INT_MIN, m.TURN_LIMITS.stop - 1),
}
"""Ranges of ints in option blocks; what lies outside is refused."""


def protocol() -> Data:
    return {
        "documents": ["SocketSpec.md", "DealerSpec.md"],
        "versions": {"table": m.TABLE_VERSION, "dealer": m.DEALER_VERSION},
        "how": _HOW,
        "cards": {str(card.wire): str(card) for card in sorted(CARDS, key=lambda card: card.wire)},
        "directions": _named(r.Direction),
        "registration": _registration(),
        "plain": _plain(),
        "rules": _rules(),
        "dealer": _dealer(),
        "taunt": _taunt(),
        "limits": _limits(),
    }


def _int(name: str, low: int = INT_MIN, high: int = INT_MAX) -> Data:
    return {"name": name, "type": "int", "min": low, "max": high}


def _named(numbers: type[Enum]) -> dict[str, str]:
    return {str(each.value): each.name.lower() for each in numbers}


def _plain_field(field: PlainField) -> Data:
    if field.kind == INT:
        kind: Data = {"type": "int", "min": field.lowest, "max": field.highest}
    else:
        kind = {"type": "str", "most": NAME_LIMIT if field.kind == "n" else TEXT_LIMIT}
    if field.count > 1:
        kind = {"type": "list", "count": field.count, "of": kind}
    return {"name": field.name, **kind}


def _registration() -> Data:
    blocks = []
    for tag, order in RANKS.items():
        names = PAYLOADS.get(tag)
        most = NAME_LIMIT if tag == m.Tag.TABLE else TEXT_LIMIT
        text = {"name": m.Tag(tag).name.lower(), "type": "str", "most": most}
        sent = [text] if names is None else [_int(name, *_SENT.get(name, ())) for name in names]
        reply = [
            _plain_field(field) for field in FIELDS.get(_REPLIES.get(m.Tag(tag), State.END), ())
        ]
        if tag == m.Tag.LIST:
            table = [_plain_field(field) for field in FIELDS[State.LISTED_TABLE]]
            most = reply[0]["max"]
            of = {"type": "structure", "fields": table}
            reply = [{"name": "tables", "type": "list", "most": most, "of": of}]
        blocks.append({"tag": tag, "order": order, "fields": sent, "reply": reply})
    size = [_int("length", 0, TEXT_LIMIT), {"name": "bytes", "type": "bytes", "length": "length"}]
    look = [_plain_field(field) for field in FIELDS[State.LOOK_REPLY]]
    (text,) = map(_plain_field, FIELDS[State.GREETING])
    texts = {"name": "texts", "type": "list", "most": m.MAX_GREETING, "of": text}
    notes = [
        {**texts, "name": "notes", "most": MOST_NOTES, "where": {"state of the name": state.value}}
        for state in NameState
        if state
    ]
    challenge = [_plain_field(field) for field in FIELDS[State.CHALLENGE_REPLY]]
    signed = {"type": "bytes", "size": CHALLENGE_BYTES, "where": {"granted": 1}}
    challenge.append({"name": "challenge", **signed})
    proof = [_plain_field(field) for field in FIELDS[State.PROOF_REPLY]]
    there = {"where": {"known": m.LookReply.TABLE.value}}
    look += [{**_plain_field(field), **there} for field in FIELDS[State.LOOKED_TABLE]]
    return {
        "first": [_plain_field(field) for field in FIELDS[State.PLAYER_ID]],
        "name": [{"name": "name", "type": "str", "most": NAME_LIMIT}],
        "blocks": blocks,
        "reserved": {"from": m.FIRST_RESERVED_TAG, "fields": size, "reply": [_int("reply", 0, 0)]},
        "look": {"tag": m.LOOK_TAG, "fields": size, "reply": look},
        "levels": {"tag": m.LEVELS_TAG, "fields": size, "names": LEVELS, "reply": [_int("reply")]},
        "greeting": {"tag": m.GREETING_TAG, "fields": size, "reply": [texts]},
        "challenge": {"tag": m.CHALLENGE_TAG, "fields": size, "reply": challenge},
        "proof": {
            "tag": m.PROOF_TAG,
            "fields": size,
            "wishes": _named(NameWish),
            "kinds": _named(NameKind),
            "reply": [*proof, *notes],
        },
        "most blocks": m.MAX_OPTION_BLOCKS,
        "last": [_int("process id", 0)],
        "seated": [
            _plain_field(field)
            for state in (State.GAME_NUMBER, State.GAME_ID)
            for field in FIELDS[state]
        ],
        "refusals": [{"code": each.value, "text": each.text} for each in m.Refusal],
    }


def _plain() -> Data:
    return {
        "states": {
            state.name.lower(): {
                "fields": [_plain_field(field) for field in FIELDS.get(state, ())],
                "next": [after.name.lower() for after in NEXT[state]],
            }
            for state in State
        },
        "statuses": [{"status": each.value, "text": each.text} for each in Reason],
    }


def _rules() -> Data:
    return {
        "fields": [
            {
                "bit": rule.bit,
                "bits": rule.mask.bit_length(),
                "values": [
                    {"token": value.token, "words": value.words or value.choice}
                    for value in rule.values
                ],
                "against": [other.name for other in r.HOUSE_RULES if other.field in rule.against],
            }
            for rule in r.RULES_BY_BITS
        ],
        "presets": [
            {"name": name, "bits": rules.bits, "end": r.PRESET_ENDS.get(name)}
            for name, rules in r.PRESETS.items()
        ],
    }


def kind_data(kind: Any) -> Data:
    """A kind of field of the dealer dialect."""
    match kind:
        case layout.Number(lowest=low, highest=high):
            return {"type": "int", "min": low, "max": high}
        case layout.Known():
            return _ANYTHING
        case layout.Coded(numbers=numbers):
            return {"type": "int", "values": sorted(numbers.values())}
        case layout.Mapped(kind=of):
            return kind_data(of)
        case layout.Players():
            return {"type": "int", "min": 0, "max": 15}
        case layout.Text(limit=limit):
            return {"type": "str", "most": limit}
        case layout.Raw(size=size):
            return {"type": "bytes", "size": size}
        case layout.Of32():
            return {"type": "bytes", "size": 32}
        case layout.Times(count=count, kind=of):
            return {"type": "list", "count": count, "of": kind_data(of)}
        case layout.Counted(most=most, kind=of):
            return {"type": "list", "most": most, "of": kind_data(of)}
        case layout.MillisecondsLeft():
            return {"type": "int", "min": -1, "max": INT_MAX}
        case layout.TimeBank():
            return {"type": "structure", "structure": "bank", "optional": True}
        case layout.Fields() as codec:
            for name, known in STRUCTURES.items():
                if codec is known:
                    return {"type": "structure", "structure": name}
            return {"type": "structure", "fields": payload_data(codec)}
    if kind is st.RULES:
        return {"type": "structure", "structure": "rules"}
    raise TypeError(f"{kind!r} is no kind of field")


def payload_data(codec: Codec) -> list[Data]:
    """The fields of a payload or a structure."""
    if codec.value in (Ping, Pong):
        return [{"name": "payload", "type": "bytes", "most": st.PING_LIMIT}]
    found = [_state()] if codec is MESSAGES[MessageType.WAITING] else []
    names = {} if issubclass(codec.value, Message) else _NAMES
    for name, kind in codec.kinds.items():
        found += _sent(names.get(name, name), kind)
    if codec is INTRODUCTION:
        found.append({"name": "next hash", **kind_data(layout.OF_32), "where": {"cuts": 1}})
    if has_more(codec):
        found.append({"name": "more", **kind_data(st.MORE), "optional": True})
    return found


def _state() -> Data:
    return {"name": "state", **kind_data(st.STATE)}


def _sent(name: str, kind: Any) -> list[Data]:
    """A field of a value of no dialect, with the state of the dealer that is sent beside it."""
    if isinstance(kind, InState):
        return [{"name": name, **kind_data(kind.kind)}, _state()]
    if isinstance(kind, ToAbort):
        return [_state(), {"name": name, **kind_data(layout.FLAG)}]
    return [{"name": name.replace("_", " "), **kind_data(kind)}]


def _dealer() -> Data:
    left = {"type": "int", "min": -1, "max": INT_MAX}
    structures = {name: payload_data(codec) for name, codec in STRUCTURES.items()}
    structures["rules"] = [
        {"name": name, **kind_data(kind)} for name, kind in st.RULE_KINDS.items()
    ]
    structures["bank"] = [{"name": "free", **left}, {"name": "stock", **left}]
    return {
        "frames": {
            "server": [_int("type"), _int("sequence", 0), _int("length", 0, SERVER_PAYLOAD_LIMIT)],
            "client": [_int("type"), _int("in reply to"), _int("length", 0, CLIENT_PAYLOAD_LIMIT)],
        },
        "states": {str(each.value): f"DS_{each.name}" for each in DealerState},
        "structures": structures,
        "server": [
            {
                "type": number,
                "name": f"P_{MessageType(number).name}",
                "query": number in ANSWERS.keys() - REQUESTS,
                "fields": payload_data(codec),
            }
            for number, codec in sorted(MESSAGES.items())
        ],
        "client": [
            {
                "type": number,
                "name": f"P_{MessageType(number).name}",
                "kind": "request" if number in REQUESTS else "answer",
                "fields": payload_data(codec),
            }
            for number, codec in sorted(ANSWERS.items())
        ],
        "faults": [{"code": each.value, "text": each.text} for each in Fault],
    }


def _taunt() -> Data:
    seat = [_int(name) for name in ("game number", "game id", "player", "process id")]
    text = {"name": "text", "type": "str", "most": TAUNT_LIMIT}
    secret = bytes(SECRET_BYTES)
    notices = (
        commitment_notice(1, secret),
        disclosure_notice(1, secret),
        disclosure_notice(1, secret, bytes(range(32))),
    )
    return {
        "registration": seat,
        "statuses": _named(Status),
        "taunt": [*seat, text],
        "delivery": [_int("player", SPEAKERS.start, SPEAKERS.stop - 1), text],
        "notices": [_notice(text) for text in notices],
    }


def _notice(text: str) -> str:
    """A notice with its values as letters: N a number, H a hash, C a deal code, X cuts."""
    words = [word if word.islower() and word.isalpha() else "?" for word in text.split()]
    letters = iter("NH" if "commitment" in words else "NCX")
    return " ".join(next(letters) if word == "?" else word for word in words)


def _limits() -> list[Data]:
    _, _, *rows = (line[2:-2].split(" | ") for line in TABLE.strip().splitlines())
    return [
        {"what": what, "value": value, "unit": unit, "host may change": change == "yes"}
        for what, value, unit, change in rows
    ]


def text_of(data: Data) -> str:
    """The text of the file: a line for each row."""
    parts = []
    for name, part in data.items():
        if name in ("registration", "plain", "rules", "dealer", "taunt"):
            rows = ",\n  ".join(f"{json.dumps(key)}: {_rows(value)}" for key, value in part.items())
            parts.append(f'"{name}": {{\n  {rows}\n }}')
        else:
            parts.append(f'"{name}": {_rows(part)}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _rows(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n   " + ",\n   ".join(json.dumps(row) for row in value) + "\n  ]"
    if isinstance(value, dict) and len(value) > 5:
        rows = (f"{json.dumps(key)}: {json.dumps(row)}" for key, row in value.items())
        return "{\n   " + ",\n   ".join(rows) + "\n  }"
    return json.dumps(value)


if __name__ == "__main__":
    FILE.write_text(text_of(protocol()), encoding="utf-8")
