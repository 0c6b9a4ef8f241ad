"""One example of every message of the dealer dialect, and the file of them: ``dealer.json``.

``python -m tests.vectors.dealer_examples`` writes the file anew; the tests only read it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hearts.dealer import answers as a
from hearts.dealer import messages as m
from hearts.dealer.answers import Answer
from hearts.dealer.messages import Message
from hearts.dealer.numbers import AbortLater, DealerState, PlayerKind, Presence
from hearts.dealer.structures import PlayerInfo, RulesInfo, Score, Trick
from hearts.errors import Fault, Reason
from hearts.game.cards import Card, Suit
from hearts.game.cuts import four_hashes, hash_of, shown_cuts
from hearts.game.events import ChosenBy
from hearts.game.rules import ExactEnd, Moon, Passing, Rules, parse_rules

from .dealer_payloads import answer_payloads, message_payloads, read_payload

FILE = Path(__file__).parent / "dealer.json"


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


_TRICK = Trick(
    (None, Card.parse("7S"), Card.parse("QS"), None), Suit.SPADES, 1, 5, True, None, False, True
)
_DONE = Trick(_cards("KS 7S QS JD"), Suit.SPADES, 1, 5, True, 0, True, True)
_BEFORE_LEAD = Trick((None,) * 4, None, 2, 13, True, None, False, False)
_RULES = RulesInfo(parse_rules("mac2000"), 50)
_SPOT = RulesInfo(parse_rules("spot-hearts"), 500)
_ALL_RULES = RulesInfo(
    Rules(True, Moon.MINUS, ExactEnd.ZERO, True, True, True, Passing.NEVER, True, True),
    10_000,
)
_SCORES = (Score(-5, 0, 1, 2), Score(103, 2, 0, 0), Score(26, 1, 1, 0), Score(0, 0, 0, 1))
_PLAYERS = (
    PlayerInfo(0, PlayerKind.EXTERNAL_HUMAN, 450, Presence.THERE, "Zoë", "plays for fun"),
    PlayerInfo(1, PlayerKind.EXTERNAL_NETWORK, 0, Presence.STAND_IN, "BOB", ""),
    PlayerInfo(2, PlayerKind.CPU, 200, Presence.THERE, "Larry", "nyuk"),
    PlayerInfo(3, PlayerKind.FREE, 0, Presence.AWAY, "", ""),
)

_VALUES = four_hashes(bytes(range(100 + 8 * player, 132 + 8 * player)) for player in range(4))
_SHOWN = shown_cuts(four_hashes(map(hash_of, _VALUES)), _VALUES)
_OWN = bytes.fromhex("0123456789abcdef" * 4)

MESSAGES: tuple[Message, ...] = (
    m.AbortGame(AbortLater.COME_BACK, "the server shuts down"),
    m.DoPass(
        30_000,
        DealerState.PLAYER_3_PASS,
        2,
        Rules().direction(0),
        _cards("AH 2C KD QS"),
        (20_000, 240_000),
    ),
    m.DoneHand(0, None, 3, _SCORES, None, (26, 26, 26, 0), ()),
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
    m.NewGame(_RULES, 60_000),
    m.NewHand(4, Rules().direction(3)),
    m.NewRulesMessage(_ALL_RULES),
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
    m.QueryNewRules(60_000, DealerState.NEW_GAME, _RULES),
    m.RegisterOpponents(_PLAYERS),
    m.RegisterPlayer(None, DealerState.INIT, 1),
    m.TakeCard(Card.parse("JD")),
    m.TakePass(1, Rules().direction(0), _cards("2H TC AS")),
    m.TakeTrick(_DONE, (13, -10, 0, 3)),
    m.TrickDone(_DONE, (13, -10, 0, 3)),
    m.Waiting(DealerState.PLAYER_1_PASS, (0, 2), 6_000, 24_000),
    m.CardPlayedMessage(_TRICK, 2, Card.parse("QS"), ChosenBy.COMPUTER),
    m.PlayerChange(3, _PLAYERS[1]),
    m.MoonChoice(60_000, DealerState.SUMMING_HAND, (20_000, 45_500)),
    m.PlayAgainMessage(None, DealerState.SUMMING_GAME),
    m.CutMessage(5_000, DealerState.SHUFFLING, 12),
    m.DealCommitment(12, bytes(range(32)), (_SHOWN.hashes[0], b"", _SHOWN.hashes[2], b"")),
    m.DealProof(12, bytes(range(16)), _SHOWN.cuts, _VALUES, _SHOWN.missing),
    m.ServerNotice("a payload length of -1 is outside 0..1024"),
    m.Pong(b"\x00\xff ping"),
    m.AnswerError(0, 221, Fault.NOT_PLAYER_0, -1, Fault.NOT_PLAYER_0.text),
    m.SeatedMessage(3, 7, 0x12345678, "Ann's table"),
    m.RefusedMessage(-104, "that table is taken or closed"),
    m.Replay(True),
    m.FirstLead(2),
    m.MoonChosenMessage(1, False, ChosenBy.PLAYER),
    m.AgainDecided(None, False, ChosenBy.CLOCK),
    m.RulesStay(2, "a player does not agree"),
    m.ScoreCard(_SCORES),
    m.TableMessage("club", 0, True, 0, 2, None, _SPOT, 60_000, ("Zoë", "BOB", "", "")),
    m.TablesMessage(3),
    m.Taken(220),
    m.PlayerCommentMessage(1, "two more?"),
    m.SeatMoved(3),
    m.GiveSeatQuery(60_000, DealerState.NEW_HAND, 0, True),
    m.SeatStays(2, "the player does not agree"),
    m.InvitableMessage(
        17, PlayerInfo(0, PlayerKind.EXTERNAL_HUMAN, 300, name="Eve", comment="any game")
    ),
    m.InvitableCount(1),
    m.InvitationMessage(
        30_000, DealerState.INIT, 0, "club", True, _RULES, 60_000, ("Zo\u00eb", "BOB", "", "")
    ),
    m.InvitationOver(17, False, "the player does not come"),
    m.RestClaimedMessage(2, _cards("AH KH AS")),
    m.AbortHandMessage(5),
    m.QueryAbort(60_000, DealerState.NEW_HAND, False),
    m.PlayGoesOn(2, "a player does not agree"),
)
ANSWERS: tuple[Answer, ...] = (
    a.PassAnswer(_cards("AS KS QS")),
    a.LeadAnswer(Card.parse("2C")),
    a.PlayAnswer(Card.parse("AH")),
    a.RulesAnswer(True),
    a.Introduction(PlayerKind.EXTERNAL_CPU, 820, True, "counts spades", hash_of(_OWN)),
    a.MoonAnswer(True),
    a.AgainAnswer(False),
    a.CutAnswer(_OWN, hash_of(bytes(32))),
    a.Ping(b"\x00\xff ping"),
    a.ProposeRulesRequest(_ALL_RULES),
    a.ReplacePlayerRequest(3),
    a.OpenSeatRequest(2),
    a.CommentRequest("two more?"),
    a.StartTableRequest(),
    a.LeaveTableRequest(),
    a.AskTablesRequest(),
    a.AskTableRequest("club"),
    a.MoveSeatRequest(3),
    a.GiveSeatAnswer(True),
    a.InvitableRequest(True),
    a.AskInvitableRequest(),
    a.InviteRequest(17),
    a.InvitationAnswer(True),
    a.ClaimRestRequest(),
    a.AbortAnswer(True),
    a.ProposeAbortRequest(True),
)


def read_file() -> list[dict[str, Any]]:
    """The examples as they are stored."""
    stored: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return stored


def main() -> None:
    rows = []
    for sender, examples, payloads in (
        ("server", MESSAGES, message_payloads()),
        ("client", ANSWERS, answer_payloads()),
    ):
        for example in examples:
            name, described = payloads[example.TYPE]
            payload = example.encode()
            rows.append(
                {
                    "from": sender,
                    "type": int(example.TYPE),
                    "name": name,
                    "payload": payload.hex(),
                    "fields": read_payload(described, payload),
                }
            )
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{FILE.name}: {len(rows)} messages")


if __name__ == "__main__":
    main()
