"""Cuts: the deal follows from the secret and from what the players add, and all can check it."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import pytest
import trio

from hearts.game.deal import deal_code
from hearts_server.commands import verify
from hearts_server.commands.main import main
from hearts_server.config import JOURNAL_FILE
from hearts_server.journal.sqlite import file_archive
from tests.independent.dealer import PlayerConnection
from tests.independent.dealer_frames import CUT, DEAL_PROOF
from tests.independent.dealer_proof import dealt
from tests.independent.plain_client import OwnSession

from .dealers import play, settings, sit
from .house import House, judge, listening, options
from .ports import ListeningChat


def four(**more: object) -> list[OwnSession]:
    """Two who cut, one of this dialect who does not, and one of the other."""
    sessions: list[OwnSession] = []
    for seat in range(4):
        given = {"cuts": seat in (1, 2), "again": 1, "options": options("jack", 20), **more}
        kind = OwnSession if seat == 3 else PlayerConnection
        sessions.append(kind(settings(seat, **given)))
    return sessions


def proofs(session: OwnSession) -> list[tuple[bytes, bytes]]:
    assert isinstance(session, PlayerConnection)
    return [(f["secret"], f["cuts"]) for f in session.frames if f.type == DEAL_PROOF]


def cut_of(cuts: bytes, seat: int) -> bytes:
    return cuts[8 * seat : 8 * seat + 8]


async def test_cuts_are_in_the_proof_the_journal_and_the_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sessions = four(table="the cut")
    async with listening(tmp_path, "--turn-limit", "0") as server:
        await play(server.port, sessions)
    report = judge(sessions)
    assert report.games == 2
    speakers = [s for s in sessions if isinstance(s, PlayerConnection)]
    told = proofs(speakers[0])
    assert all(proofs(session) == told for session in speakers)
    assert len(told) == report.hands
    for session in speakers:
        asked = sum(frame.type == CUT for frame in session.frames)
        wants = session.settings.cuts
        assert asked == (report.hands if wants else 0)
        cut = [any(cut_of(cuts, session.me)) for _, cuts in told]
        assert sum(cut) == asked
    plain = next(s for s in sessions if not isinstance(s, PlayerConnection))
    hands = [fact.numbers for fact in plain.facts if fact.kind == "hand"]
    assert hands == [tuple(dealt(*proof)[plain.me]) for proof in told]
    with contextlib.closing(file_archive(tmp_path / JOURNAL_FILE)) as journal:
        lines = list(journal.session(1).lines)
    assert sum(line.startswith("promise ") for line in lines) == report.hands
    capsys.readouterr()
    assert main(["records", "show", "1", "--data-dir", str(tmp_path)]) == 0
    record = tmp_path / "a.record"
    record.write_text(capsys.readouterr().out, encoding="utf-8")
    assert verify.main([str(record)]) == 0
    assert "cut" in capsys.readouterr().out


async def test_the_notices_of_the_chat_have_the_cuts(made: House, chat: ListeningChat) -> None:
    sessions = four()
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, *sessions)
    judge(sessions)
    told = proofs(sessions[0])
    deals = [words for words in chat.texts if words.startswith("deal ")]
    assert len(deals) == 2 * len(told)
    for number, (secret, cuts) in enumerate(told, 1):
        commitment, proof = deals[2 * number - 2 : 2 * number]
        assert commitment == f"deal {number} commitment {hashlib.sha256(secret).hexdigest()}"
        words = f" cuts {cuts.hex()}" if any(cuts) else ""
        assert proof == f"deal {number} was {deal_code(secret)}{words}"
    assert any(any(cuts) for _, cuts in told)
