"""One example of every message of the dealer dialect, and the file of them: ``dealer.json``.

``python -m tests.vectors.dealer_examples`` writes the file anew; the tests only read it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hearts.dealer import messages as m
from hearts.dealer.beside import Ping
from hearts.dealer.frames import DealerState, MessageType
from hearts.dealer.structures import Trick
from hearts.errors import Fault, Reason
from hearts.game.cards import Card, Suit, four
from hearts.game.cuts import hash_of, shown_cuts
from hearts.game.events import ChooseMoon, ChosenBy, MoonChosen, Pass, Play, TrickBegun
from hearts.game.rules import ExactEnd, Moon, Passing, Rules, parse_rules
from hearts.session import table_words as w
from hearts.session import wishes
from hearts.session.client_events import DoneHand, Score
from hearts.session.table_words import (
    AbortLater,
    PlayerInfo,
    PlayerKind,
    Presence,
    Refused,
)
from hearts.table import effects as e
from hearts.table import inputs as i
from tests.dealer.payloads import Said, Told, payload, type_of

from .dealer_payloads import answer_payloads, message_payloads, read_payload

FILE = Path(__file__).parent / "dealer.json"


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


_TRICK = Trick(
    (None, Card.parse("7S"), Card.parse("QS"), None), Suit.SPADES, 1, 5, True, None, False, True
)
_DONE = Trick(_cards("KS 7S QS JD"), Suit.SPADES, 1, 5, True, 0, True, True)
_BEFORE_LEAD = Trick((None,) * 4, None, 2, 13, True, None, False, False)
_RULES = (parse_rules("mac2000"), 50)
_SPOT = (parse_rules("spot-hearts"), 500)
_ALL_RULES = (
    Rules(True, Moon.MINUS, ExactEnd.ZERO, True, True, True, Passing.NEVER, True, True),
    10_000,
)
_SCORES = (Score(-5, 0, 1, 2), Score(103, 2, 0, 0), Score(26, 1, 1, 0), Score(0, 0, 0, 1))
_PLAYERS = (
    PlayerInfo(0, PlayerKind.PERSON, 450, Presence.THERE, "Zoë", "plays for fun"),
    PlayerInfo(1, PlayerKind.NOT_SAID, 0, Presence.STAND_IN, "BOB", ""),
    PlayerInfo(2, PlayerKind.COMPUTER, 200, Presence.THERE, "Larry", "nyuk"),
    PlayerInfo(3, PlayerKind.FREE, 0, Presence.AWAY, "", ""),
)

_VALUES = four(bytes(range(100 + 8 * player, 132 + 8 * player)) for player in range(4))
_SHOWN = shown_cuts(four(map(hash_of, _VALUES)), _VALUES)
_OWN = bytes.fromhex("0123456789abcdef" * 4)

MESSAGES: tuple[Told, ...] = (
    w.AbortGame(AbortLater.COME_BACK, "the server shuts down"),
    m.DoPass(
        30_000,
        DealerState.PLAYER_3_PASS,
        2,
        Rules().direction(0),
        _cards("AH 2C KD QS"),
        (20_000, 240_000),
    ),
    DoneHand(0, None, 3, _SCORES, None, (26, 26, 26, 0), ()),
    m.EndGame(_SCORES, (0, 3), 2),
    m.HeartsBroken(),
    m.LeadCard(
        None,
        DealerState.PLAYER_3_PLAY,
        _BEFORE_LEAD,
        (m.LegalCard(Card.parse("2H"), False), m.LegalCard(Card.parse("TC"), True)),
    ),
    m.LoseCard(Card.parse("QS"), ChosenBy.CLOCK),
    m.LosePass(2, Rules().direction(1), _cards("AS KS QS"), ChosenBy.STAND_IN),
    m.NewGame(*_RULES, 60_000),
    m.NewHand(4, Rules().direction(3)),
    e.RulesAgreed(*_ALL_RULES),
    m.PassError(17, 104, Reason.NOT_HELD, 9, Reason.NOT_HELD.text),
    m.PlayCard(
        15_000,
        DealerState.PLAYER_4_PLAY,
        _TRICK,
        (m.LegalCard(Card.parse("2S"), True), m.LegalCard(Card.parse("JD"), False)),
        (0, 0),
    ),
    m.PlayError(99, 118, Reason.FOLLOW_SUIT, 1, Reason.FOLLOW_SUIT.text),
    m.PlayerShotMoon(1, True),
    e.RulesProposed(*_RULES, 60.0),
    w.RegisterOpponents(_PLAYERS),
    m.RegisterPlayer(None, DealerState.INIT, 1),
    m.TakeCard(Card.parse("JD")),
    m.TakePass(1, Rules().direction(0), _cards("2H TC AS")),
    m.TakeTrick(_DONE, (13, -10, 0, 3)),
    m.TrickDone(_DONE, (13, -10, 0, 3)),
    w.Waiting(i.Question.PASS, (0, 2), 6_000, 24_000),
    m.CardPlayedMessage(_TRICK, 2, Card.parse("QS"), ChosenBy.COMPUTER),
    w.PlayerChange(e.Change.STAND_IN, _PLAYERS[1]),
    m.MoonChoice(60_000, DealerState.SUMMING_HAND, (20_000, 45_500)),
    m.PlayAgainMessage(None, DealerState.SUMMING_GAME),
    m.CutMessage(5_000, DealerState.SHUFFLING, 12),
    e.DealPromised(12, bytes(range(32)), (_SHOWN.hashes[0], b"", _SHOWN.hashes[2], b"")),
    m.DealProof(12, bytes(range(16)), _SHOWN.cuts, _VALUES, _SHOWN.missing),
    w.ServerNotice("a payload length of -1 is outside 0..1024"),
    m.Pong(b"\x00\xff ping"),
    m.AnswerError(0, 221, Fault.NOT_PLAYER_0, -1, Fault.NOT_PLAYER_0.text),
    m.SeatedMessage(3, 7, 0x12345678, "Ann's table"),
    Refused(-104, "that table is taken or closed"),
    w.Replay(True),
    TrickBegun(2),
    MoonChosen(1, False, ChosenBy.PLAYER),
    e.AgainSettled(-1, False, ChosenBy.CLOCK),
    e.RulesRefused(2, "a player does not agree"),
    m.ScoreCard(_SCORES),
    w.TableMessage("club", 0, True, 0, 2, None, *_SPOT, 60, ("Zoë", "BOB", "", "")),
    w.TablesMessage(3),
    w.Taken(i.ProposeRules),
    w.PlayerCommentMessage(1, "two more?"),
    w.SeatMoved(3),
    e.SeatWanted(0, True, 60.0),
    e.SeatKept(2, "the player does not agree"),
    w.InvitableMessage(17, PlayerInfo(0, PlayerKind.PERSON, 300, name="Eve", comment="any game")),
    w.InvitableCount(1),
    w.InvitationMessage(30_000, 0, "club", True, *_RULES, 60, ("Zo\u00eb", "BOB", "", "")),
    w.InvitationOver(17, False, "the player does not come"),
    e.RestClaimed(2, _cards("AH KH AS")),
    e.TakenBack(1),
    e.HandAborted(5),
    e.AbortProposed(i.Abort.HAND, 60.0),
    e.AbortRefused(2, "a player does not agree"),
)
ANSWERS: tuple[Said, ...] = (
    Pass(0, _cards("AS KS QS")),
    Play(0, Card.parse("2C")),
    Play(0, Card.parse("AH")),
    i.Vote(0, True),
    w.Introduction(PlayerKind.PROGRAM, 820, True, "counts spades", hash_of(_OWN)),
    ChooseMoon(0, True),
    i.AnswerAgain(0, False),
    i.Cut(0, _OWN, hash_of(bytes(32))),
    Ping(b"\x00\xff ping"),
    i.ProposeRules(0, *_ALL_RULES),
    i.ReplacePlayer(0, 3),
    i.OpenSeat(0, 2),
    wishes.ChatWhileForming(0, "two more?"),
    wishes.StartTable(0),
    i.Resign(0),
    wishes.AskForTables(0),
    wishes.AskForTable(0, "club"),
    wishes.MoveSeat(0, 3),
    wishes.SendAway(0, 2),
    wishes.SetLevel(0, 2, 1),
    wishes.AskHost(0, "report 2"),
    i.GiveSeat(0, True),
    wishes.BeInvitable(0, True),
    wishes.AskForInvitable(0),
    wishes.Invite(0, 17),
    wishes.AnswerInvitation(0, True),
    i.ClaimRest(0),
    i.TakeBack(0, True),
    i.Vote(0, True),
    i.ProposeAbort(0, i.Abort.GAME),
)

SECOND: dict[int, MessageType] = {
    MessageType.LEAD_CARD: MessageType.PLAY_CARD,
    MessageType.QUERY_NEW_RULES: MessageType.QUERY_ABORT,
}
"""The types of what is answered in the same way."""


def read_file() -> list[dict[str, Any]]:
    stored: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return stored


def main() -> None:
    rows: list[dict[str, Any]] = []
    for sender, examples, payloads in (
        ("server", MESSAGES, message_payloads()),
        ("client", ANSWERS, answer_payloads()),
    ):
        for example in examples:
            type_ = type_of(type(example))
            if any(row["type"] == type_ and row["from"] == sender for row in rows):
                type_ = SECOND[type_]
            name, described = payloads[type_]
            data = payload(example)
            rows.append(
                {
                    "from": sender,
                    "type": int(type_),
                    "name": name,
                    "payload": data.hex(),
                    "fields": read_payload(described, data),
                }
            )
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{FILE.name}: {len(rows)} messages")


if __name__ == "__main__":
    main()
