"""Names that belong to somebody, at the server: guests, claims, proofs, and who attacks them."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import msgspec
import pytest
import trio
import trio.testing

from hearts.errors import InvalidName
from hearts.names.keys import KeyPair
from hearts.names.proof import Meeting, NameProof, NameState, NameWish, Said
from hearts.session.messages import Refusal
from hearts.settings.table import ConfigError
from hearts_server.console.acts import Acts
from hearts_server.console.protocol import (
    Answer,
    AppointModerator,
    BanPerson,
    Done,
    LookAtNames,
)
from hearts_server.datadir import KEPT_FILES, KeptBytes
from hearts_server.moderation.book import ActDone, Measure, MeasureKind
from hearts_server.names.claims import (
    INVITED,
    MOST_INVITATIONS,
    MOST_NAMES,
    SEASON,
    ClaimedNames,
)
from hearts_server.names.desk import NameOffice
from hearts_server.names.stored import DAY, PROBATION, UNUSED, Claim, NameKey, Stored
from hearts_server.running.composition import Running
from tests.independent.plain_client import ClientHabits, OwnSession

from .house import Caller, House, call, listening, options, text
from .people import Keyholder, challenged, shown

with_names = pytest.mark.house("--names")
ALONE = (-2, 1 << 4 | 0b1110, 0, 0, 1000)


@asynccontextmanager
async def connected(server: Running) -> AsyncIterator[Caller]:
    """A connection over a socket, which is closed at the end of the block."""
    caller = await call(server.port)
    async with caller.stream:
        yield caller


async def send_nothing(answer: Answer) -> None:
    pass


async def names_at_table(caller: Caller) -> list[str]:
    await caller.send(*ALONE)
    return (await caller.seated())[1]


def names_seen(session: OwnSession) -> tuple[str, ...]:
    return next(fact.texts for fact in session.facts if fact.kind == "seated")


async def test_without_names_nothing_changes(made: House) -> None:
    caller = await made.greet("~Ann", -17, 3, b"abc", -18, 2, b"ab")
    assert await caller.numbers(2) == (0, 0)
    await caller.send(-17, 40, bytes(32) + b"host:123", -18, 98, bytes(98))
    assert await caller.numbers(2) == (0, 0)
    assert (await names_at_table(caller))[0] == "~Ann"


class TestGuests:
    @with_names
    async def test_a_client_that_knows_nothing_of_names_is_a_guest(self, made: House) -> None:
        assert await names_at_table(await made.greet("Ann")) == ["~Ann", "Moe", "Larry", "Curly"]
        assert (await names_at_table(await made.greet("~~Ann")))[0] == "~Ann"
        assert (await names_at_table(await made.greet("é" * 15)))[0] == "~" + "é" * 14

    @with_names
    async def test_the_mark_is_told_in_lists_and_to_others(self, made: House) -> None:
        await made.guest(name="Ann")
        bob = await made.greet("Bob", -8)
        assert await bob.number() == 1
        assert await bob.string() == "Table 1"
        await bob.numbers(2)
        assert [await bob.string() for _ in range(4)] == ["~Ann", "", "", ""]

    @with_names
    async def test_a_guest_has_a_name_like_a_claimed_one(self, made: House) -> None:
        ann = await made.call()
        assert await Keyholder("Ann").comes(ann, NameWish.CLAIM) is NameState.CLAIMED
        assert (await names_at_table(await made.greet("Ann")))[0] == "~Ann"
        assert (await names_at_table(ann))[0] == "Ann"

    @with_names
    async def test_the_minimal_client_plays_a_whole_game(self, made: House) -> None:
        session = OwnSession(ClientHabits("Ann", options=options(end=20, computers=0b1110)))
        await made.play([session])
        assert names_seen(session)[0] == "~Ann"
        assert session.facts[-1].kind == "end"

    @with_names
    async def test_who_comes_back_needs_no_proof(self, made: House) -> None:
        ann = await made.call()
        assert await Keyholder("Ann").comes(ann, NameWish.CLAIM) is NameState.CLAIMED
        await ann.send(*ALONE)
        number, game_id = await ann.numbers(2)
        assert await ann.string() == "Ann"
        back = await made.greet("Ann", -5, number, game_id, 0, 1000, 0, 1000)
        assert await back.number() == 1
        assert (await back.seated())[1][0] == "Ann"


class TestOwnSeats:
    @with_names
    @pytest.mark.parametrize("act", ["free", "give-up"])
    async def test_who_waits_under_a_name_that_ends_is_sent_away(
        self, made: House, act: Literal["free", "give-up"]
    ) -> None:
        """The next owner of the name is not to have the seat."""
        ann = await made.call()
        assert await Keyholder("Ann").comes(ann, NameWish.CLAIM) is NameState.CLAIMED
        await ann.send(1000)
        assert await ann.silent(1.0)
        assert isinstance(
            await Acts(made.server).answer(LookAtNames(act, "Ann"), send_nothing), Done
        )
        assert await ann.ended()

    @with_names
    async def test_another_device_has_the_seat(self, made: House) -> None:
        office = made.server.names
        assert office is not None
        office.claims = claimed_before(made)
        ann = Keyholder("Ann")
        first = await made.call()
        assert await ann.comes(first, NameWish.CLAIM) is NameState.CLAIMED
        await first.send(*ALONE)
        number, game_id = await first.numbers(2)
        second = await made.call("192.0.2.9")
        assert await ann.comes(second, NameWish.SEATS) is NameState.OWN
        assert ann.notes[0] == f"seat {number} {game_id} 0 1000"
        await second.send(-5, *map(int, ann.notes[0].split()[1:]), -1, 1000)
        assert await second.number() == 1
        assert (await second.seated())[1][0] == "Ann"
        while not await first.ended():
            pass
        # A stranger who says Ann is told of no seat, and neither is somebody by another name.
        thief = Keyholder("Ann", b"thief")
        assert await thief.comes(await made.call("192.0.2.9"), NameWish.SEATS) is NameState.TAKEN
        assert not thief.notes

    @with_names
    async def test_whose_name_it_was_before_keeps_the_seat(self, made: House) -> None:
        office = made.server.names
        assert office is not None
        office.claims = claimed_before(made)
        first = await made.call()
        assert await Keyholder("Ann").comes(first, NameWish.CLAIM) is NameState.CLAIMED
        await first.send(*ALONE)
        await first.seated()
        assert await office.claims.free("Ann")
        office.claims = ClaimedNames(made.data_dir.kept_networks().others("names"), b"s" * 32)
        other = Keyholder("Ann", b"other")
        assert await other.comes(await made.call("192.0.3.1"), NameWish.CLAIM) is NameState.CLAIMED
        assert await other.comes(await made.call("192.0.3.1"), NameWish.SEATS) is NameState.OWN
        assert not any(note.startswith("seat") for note in other.notes)


def claimed_before(made: House) -> ClaimedNames:
    """Names whose claims are a minute old when they are made."""
    kept = made.data_dir.kept_networks().others("names")
    return ClaimedNames(kept, b"s" * 32, clock=lambda: time.time() - 60)


class TestClaims:
    @with_names
    async def test_a_name_is_claimed_once_and_proved_from_then_on(self, made: House) -> None:
        ann = Keyholder("Ann")
        assert await ann.comes(await made.call()) is NameState.FREE
        assert await ann.comes(await made.call(), NameWish.CLAIM) is NameState.CLAIMED
        assert "kept for you for a week" in ann.notes[0]
        assert await ann.comes(await made.call(), NameWish.CLAIM) is NameState.OWN
        caller = await made.call()
        assert await ann.comes(caller) is NameState.OWN
        assert (await names_at_table(caller))[0] == "Ann"
        other = Keyholder("Ann", b"somebody else")
        caller = await made.call("192.0.2.2")
        assert await other.comes(caller) is NameState.TAKEN
        assert (await names_at_table(caller))[0] == "~Ann"

    @with_names
    async def test_marks_in_front_are_no_part_of_the_name(self, made: House) -> None:
        ann = Keyholder("Ann")
        caller = await made.greet("~Ann")
        assert await ann.claims(caller) == NameState.CLAIMED
        assert (await names_at_table(caller))[0] == "Ann"

    @with_names
    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("ann", "could be taken for Ann"),
            ("АnnА", "of one script"),
            ("Moe", "the server's own"),
            ("MОЕ".replace("M", "М"), "the server's own"),
            ("Player 17", "the server's own"),
            ("*Ann", "begins with a letter"),
            ("Ann", "somebody else's"),
        ],
    )
    async def test_a_claim_that_is_refused(self, made: House, name: str, why: str) -> None:
        assert await Keyholder("Ann").comes(await made.call(), NameWish.CLAIM) > 0
        caller = await made.greet(name, -10, 0, address="192.0.2.2")
        assert await caller.number() == 1
        assert await Keyholder(name, b"other").claims(caller) == Refusal.NO_CLAIM
        assert why in await caller.string()
        assert await caller.ended()

    @with_names
    async def test_a_key_has_one_name(self, made: House) -> None:
        assert await Keyholder("Ann", b"one").comes(await made.call(), NameWish.CLAIM) > 0
        other = Keyholder("Bob", b"one")
        assert await other.comes(await made.call()) is NameState.FREE
        assert other.notes == ["Your name here is Ann."]
        caller = await made.greet("Bob")
        assert await other.claims(caller) == Refusal.NO_CLAIM

    @with_names
    async def test_a_thousand_claims_of_a_network(self, made: House) -> None:
        async def claim(number: int, address: str) -> int:
            caller = await made.greet(f"Name {number}", address=address)
            reply = await Keyholder(f"Name {number}").claims(caller)
            await caller.leave()
            return reply

        # They cost nothing but the pace of questions, and after that the day.
        replies = []
        for number in range(40):
            replies.append(await claim(number, "192.0.2.7"))
            made.server.names.pace.__init__(2.0)  # type: ignore[union-attr, misc]
        assert replies == [2] * 3 + [Refusal.NO_CLAIM] * 37
        for number in range(100, 140):
            replies.append(await claim(number, f"192.0.2.{number}"))
            made.server.names.pace.__init__(2.0)  # type: ignore[union-attr, misc]
        assert replies.count(2) == 12, "a /24 claims as many as four of its addresses"
        assert await claim(200, "203.0.113.1") == 2

    @with_names
    async def test_a_name_is_kept_after_a_game_with_people(self, made: House) -> None:
        office = made.server.names
        assert office is not None
        ann, bob = await made.call(), await made.call()
        for caller, name in ((ann, "Ann"), (bob, "Bob")):
            assert await Keyholder(name).comes(caller, NameWish.CLAIM) is NameState.CLAIMED
            await caller.stream.aclose()
        await office.game_over(["Ann"])
        assert not any(claim.is_kept for claim in office.claims.all())
        await office.game_over(["Ann", "~Bob"])
        assert [claim.name for claim in office.claims.all() if claim.is_kept] == ["Ann"]

    @with_names
    async def test_the_table_tells_whose_game_is_over(self, made: House) -> None:
        told: list[list[str]] = []
        made.server.metrics.game_over = lambda people: told.append(list(people))
        wanted = options(end=20, computers=0b1100)
        await made.play([OwnSession(ClientHabits(name, options=wanted)) for name in ("Ann", "Bob")])
        assert told == [["~Ann", "~Bob"]]

    @with_names
    async def test_a_server_that_cannot_store_claims_nothing(
        self, made: House, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert made.server.names is not None
        (made.data_dir.path / "names").mkdir()
        caller = await made.greet("Ann", -10, 0)
        assert await caller.number() == 1
        assert await Keyholder("Ann").claims(caller) == Refusal.SERVER_FULL
        assert "cannot save" in await caller.string()
        assert not made.server.names.claims.all()
        assert "names-not-stored" in caplog.text
        caplog.clear()


class TestAttacks:
    @with_names
    async def test_a_proof_of_another_connection(self, made: House) -> None:
        ann = Keyholder("Ann")
        first = await made.greet("Ann")
        meeting = await challenged(first)
        proof = NameProof.of(Said("Ann", 0, NameWish.CLAIM), meeting, ann.key(meeting))
        assert await shown(first, proof) == NameState.CLAIMED
        assert await first.number() == 1
        await first.string()
        # On the same connection it counts once.
        assert await shown(first, proof) == NameState.UNTOLD
        other = await made.greet("Ann")
        await challenged(other)
        assert await shown(other, proof) == Refusal.BAD_PROOF
        assert await other.ended()
        # Without a challenge of its own nothing is looked at.
        third = await made.greet("Ann")
        assert await shown(third, proof) == NameState.UNTOLD

    @with_names
    async def test_a_proof_that_was_changed_on_the_way(self, made: House) -> None:
        caller = await made.greet("Ann", -10, 0)
        assert await caller.number() == 1
        meeting = await challenged(caller)
        key = Keyholder("Ann").key(meeting)
        proof = NameProof.of(Said("Ann", 0, NameWish.PROVE), meeting, key)
        claim = NameProof(NameWish.CLAIM, proof.kind, proof.key, proof.signature)
        assert await shown(caller, claim) == Refusal.BAD_PROOF
        assert await caller.string() == "the proof of the name does not hold"

    @with_names
    async def test_a_public_key_with_the_signature_of_somebody_else(self, made: House) -> None:
        ann = Keyholder("Ann")
        assert await ann.comes(await made.call(), NameWish.CLAIM) is NameState.CLAIMED
        caller = await made.greet("Ann")
        meeting = await challenged(caller)
        thief = NameProof.of(Said("Ann", 0), meeting, Keyholder("thief").key(meeting))
        stolen = NameProof(thief.wish, thief.kind, ann.key(meeting).public, thief.signature)
        assert await shown(caller, stolen) == Refusal.BAD_PROOF

    @with_names
    async def test_the_dialect_is_signed(self, made: House) -> None:
        caller = await made.greet("Ann", -6, 1)
        assert await caller.number() == 1
        meeting = await challenged(caller)
        key = Keyholder("Ann").key(meeting)
        assert await shown(caller, NameProof.of(Said("Ann", 1), meeting, key)) == NameState.FREE
        caller = await made.greet("Ann", -6, 1)
        assert await caller.number() == 1
        meeting = await challenged(caller)
        assert await shown(caller, NameProof.of(Said("Ann", 0), meeting, key)) == Refusal.BAD_PROOF

    async def test_a_proof_is_worth_nothing_at_another_server(self, tmp_path: Path) -> None:
        ann = Keyholder("Ann")
        async with (
            listening(tmp_path / "good", "--names") as good,
            listening(tmp_path / "evil", "--names") as evil,
            connected(good) as at_good,
            connected(evil) as victim,
            connected(good) as relay,
        ):
            assert await ann.comes(at_good, NameWish.CLAIM) is NameState.CLAIMED
            # Ann proves her name to the evil one, which passes on what it gets.
            for caller in (victim, relay):
                await caller.number()
                await caller.send(text("Ann"))
            theirs, ours = await challenged(victim), await challenged(relay)
            proof = NameProof.of(Said("Ann", 0), theirs, ann.key(theirs))
            assert await shown(relay, proof) == Refusal.BAD_PROOF
            assert ann.key(theirs).public != ann.key(ours).public
        # It cannot pass on the other's challenge as its own: the address is in it.
        asked = ours.asked
        changed = type(asked)(asked.chance, "evil.example:7626")
        challenge = ours.challenge(KeyPair.of_server((tmp_path / "good/secret").read_bytes()))
        assert Meeting.of_challenge(asked, challenge) == ours
        assert Meeting.of_challenge(changed, challenge) is None

    @with_names
    async def test_an_address_that_is_not_the_servers(self, made: House) -> None:
        assert made.server.names is not None
        made.server.names.hosts = lambda: frozenset({"good.example", "*.club.example"})
        for address in ("good.example:1", "a.club.example:7626", "localhost:7626", "[::1]:7"):
            caller = await made.greet("Ann")
            assert (await challenged(caller, address)).asked.address == address
        for address in ("evil.example:7626", "203.0.113.1:7626", "good.example.evil:1"):
            caller = await made.greet("Ann", -10, 0)
            assert await caller.number() == 1
            data = bytes(32) + address.encode()
            await caller.send(-17, len(data), data)
            assert await caller.number() == Refusal.BAD_PROOF
            assert "this server is not" in await caller.string()

    @with_names
    async def test_names_are_not_listed_by_asking(self, made: House) -> None:
        async def asked(number: int) -> NameState:
            return await Keyholder(f"Name {number}").comes(await made.call("192.0.2.9"))

        assert await Keyholder("Name 9").comes(await made.call(), NameWish.CLAIM) > 0
        begin = trio.current_time()
        replies = [await asked(number) for number in range(100, 160)]
        most = 5 + (trio.current_time() - begin) / 2
        assert 5 <= replies.count(NameState.FREE) <= most < 60
        assert set(replies) == {NameState.FREE, NameState.UNTOLD}
        while (state := await asked(160)) is NameState.FREE:
            pass
        assert state is NameState.UNTOLD
        caller = await made.greet("Name 11", address="192.0.2.9")
        assert await Keyholder("Name 11").claims(caller) == Refusal.TOO_MANY_FROM_ADDRESS
        # The owner proves it all the same, and somebody elsewhere is told.
        assert await Keyholder("Name 9").comes(await made.call("192.0.2.9")) is NameState.OWN
        other = Keyholder("Name 9", b"other")
        assert await other.comes(await made.call("192.0.3.1")) is NameState.TAKEN

    @pytest.mark.house("--names", "--password", "fish")
    async def test_names_are_for_those_who_may_play(self, made: House) -> None:
        caller = await made.greet("Ann")
        data = bytes(32) + b"localhost:7626"
        await caller.send(-17, len(data), data)
        assert await caller.number() == Refusal.BAD_PASSWORD
        caller = await made.greet("Ann", -7, text("fish"))
        assert await caller.number() == 1
        assert await Keyholder("Ann").claims(caller) == NameState.CLAIMED

    async def test_a_stolen_data_dir_proves_nothing(self, tmp_path: Path) -> None:
        ann = Keyholder("Ann", b"the words that Ann knows")
        folder = tmp_path / "good"
        async with listening(folder, "--names") as good, connected(good) as caller:
            assert await ann.comes(caller, NameWish.CLAIM) is NameState.CLAIMED
            await names_at_table(caller)
            acts, claimed = Acts(good.server), good.server.names
            assert claimed is not None
            for request in (
                AppointModerator("Ann"),
                BanPerson("Ann", 1, "spam"),
                LookAtNames("invite"),
            ):
                assert isinstance(await acts.answer(request, send_nothing), Done)
            await claimed.claims.claim("Bob", b"b" * 32, 0, "127.0.0.9")
            await claimed.give_up("Bob")
        stolen = json.loads((folder / "names").read_text("utf-8"))
        server = KeyPair.of_server((folder / "secret").read_bytes())
        own = KeyPair.at_server(ann.master, server.public)
        (claim,) = stolen["claims"]
        assert claim.keys() == {"name", "keys", "claimed", "used", "is_kept", "is_listed"}
        assert [it["key"] for it in claim["keys"]] == [own.public.hex()]
        for _, networks in stolen["latest"]:
            assert all(len(digest) == 24 for digest in networks)
        everything = b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
        assert ann.master not in everything
        elsewhere = KeyPair.at_server(ann.master, KeyPair.of_server(bytes(32)).public).public.hex()
        for kept_file in KEPT_FILES:
            data = (folder / kept_file).read_bytes()
            assert own.public.hex().encode() in data
            assert b"127." not in data
            assert elsewhere.encode() not in data
        # At a server with all of it the name is Ann's alone.
        sockets = shutil.ignore_patterns("console", "door*", "web-*")
        shutil.copytree(folder, tmp_path / "evil", ignore=sockets)
        thief = Keyholder("Ann", bytes.fromhex(claim["keys"][0]["key"]))
        async with (
            listening(tmp_path / "evil", "--names") as evil,
            connected(evil) as one,
            connected(evil) as other,
        ):
            assert await thief.comes(one) is NameState.TAKEN
            assert await ann.comes(other) is NameState.OWN


class TestInvitations:
    async def claims(self, made: House, name: str, code: str = "") -> int:
        caller = await made.greet(name, -10, 0)
        assert await caller.number() == 1
        return await Keyholder(name).proves(caller, NameWish.CLAIM, code.encode())

    @pytest.mark.house("--names", "--by-invitation", "--guests", "no")
    async def test_who_is_invited_claims_a_name_once(self, made: House) -> None:
        claims = office_of(made).claims
        some, for_ann = await claims.invite(), await claims.invite("Ann")
        for name, code in (("Eve", ""), ("Eve", "00000000"), ("Eve", for_ann)):
            assert await self.claims(made, name, code) == Refusal.NO_CLAIM
        assert await self.claims(made, "Ann", for_ann) == NameState.CLAIMED
        assert await self.claims(made, "Bob", some) == NameState.CLAIMED
        for code in (some, for_ann):
            assert await self.claims(made, "Eve", code) == Refusal.NO_CLAIM
        assert [claim.name for claim in claims.all()] == ["Ann", "Bob"]

    @pytest.mark.house("--names", "--by-invitation")
    async def test_a_network_has_as_many_names_as_it_is_invited_for(self, made: House) -> None:
        for number in range(5):
            code = await office_of(made).claims.invite()
            assert await self.claims(made, f"Name {number}", code) == NameState.CLAIMED

    async def test_an_invitation_counts_for_a_week_and_outlasts_the_server(self) -> None:
        now, stored = 1e9, list[bytes]()
        names = ClaimedNames(kept(stored), b"s" * 32, clock=lambda: now)
        first, second = await names.invite(), await names.invite("Bob")
        assert first.encode() not in stored[-1]
        now += INVITED - 1
        again = ClaimedNames(kept(stored), b"s" * 32, clock=lambda: now)
        again.by_invitation = True
        await again.claim("Ann", b"a" * 32, 0, "192.0.2.1", first.encode())
        now += 1
        with pytest.raises(InvalidName, match="takes an invitation"):
            await again.claim("Bob", b"b" * 32, 0, "192.0.2.1", second.encode())
        for _ in range(MOST_INVITATIONS):
            await again.invite()
        with pytest.raises(InvalidName, match="enough people"):
            await again.invite()


class TestGivingUp:
    @with_names
    async def test_the_owner_alone_is_told_what_is_stored(self, made: House) -> None:
        ann = Keyholder("Ann")
        assert await ann.comes(await made.call(), NameWish.CLAIM) is NameState.CLAIMED
        book = made.server.book
        await book.put(
            ActDone(0, "x", "x", "x"), Measure(MeasureKind.MUTE, "", "Ann", None, "spam")
        )
        caller = await made.call()
        assert await ann.comes(caller, NameWish.EXPORT) is NameState.OWN
        claim = office_of(made).claims.of("Ann")
        assert claim is not None
        assert ann.notes[0] == "name: Ann"
        assert ann.notes[5].endswith(f": {claim.keys[0].key}")
        assert ann.notes[6] == "mute: spam"
        assert (await names_at_table(caller))[0] == "Ann"
        for thief in (Keyholder("Ann", b"thief"), Keyholder("Bob")):
            for wish in (NameWish.EXPORT, NameWish.GIVE_UP):
                assert await thief.comes(await made.call(), wish) is NameState.UNTOLD
        assert office_of(made).claims.of("Ann") is claim

    @with_names
    async def test_a_name_that_is_given_up_is_free_and_stands_at_no_new_table(
        self, made: House
    ) -> None:
        ann = Keyholder("Ann")
        first = await made.call()
        assert await ann.comes(first, NameWish.CLAIM) is NameState.CLAIMED
        await first.send(-2, 1 << 4, 0, 0, 1000)
        await trio.testing.wait_all_tasks_blocked()
        second = await made.call()
        assert await ann.comes(second, NameWish.GIVE_UP) is NameState.FREE
        assert ann.notes == [
            "The name Ann is given up. player 1 takes its place in games, in a minute or two, "
            "and at tables that still play when they have ended."
        ]
        assert await first.ended()
        assert {"~Ann", "Ann"} & {*await names_at_table(second)} == {"~Ann"}
        other = Keyholder("Ann", b"other")
        assert await other.comes(await made.call("192.0.3.1"), NameWish.CLAIM) is NameState.CLAIMED

    async def test_a_key_that_was_let_in_lately_does_not_give_the_name_up(self) -> None:
        now, stored = 1e9, list[bytes]()
        names = ClaimedNames(kept(stored), b"s" * 32, clock=lambda: now)
        await names.claim("Ann", b"a" * 32, 0, "192.0.2.1")
        await names.keep_after_game(["Ann"])
        await names.let_in("Ann", b"a" * 32, b"b" * 32, 0)
        now += SEASON - 1
        for key, why in ((b"b" * 32, "have no say"), (b"c" * 32, "not yours")):
            with pytest.raises(InvalidName, match=why):
                await names.give_up("Ann", key)
        now += 1
        given_up = await names.give_up("Ann", b"b" * 32)
        again = ClaimedNames(kept(stored), b"s" * 32, clock=lambda: now)
        assert again.stored.given_up == [given_up]
        await again.forget([2])
        assert again.stored.given_up == [given_up]
        await again.forget([1])
        assert b"Ann" not in stored[-1]
        assert ClaimedNames(kept(stored), b"s" * 32).stored.numbers == 1


def office_of(made: House) -> NameOffice:
    assert made.server.names is not None
    return made.server.names


def kept(stored: list[bytes]) -> KeptBytes:
    return KeptBytes(stored[-1] if stored else b"", stored.append)


class TestTime:
    async def test_a_claim_falls_free_without_a_game_and_without_use(self) -> None:
        now, stored = 1e9, list[bytes]()
        names = ClaimedNames(kept(stored), b"s" * 32, clock=lambda: now)
        await names.claim("Ann", b"a" * 32, 0, "192.0.2.1")
        await names.claim("Bob", b"b" * 32, 0, "192.0.2.1")
        await names.keep_after_game(["Bob", "Eve", "~Ann"])
        now += PROBATION - 1
        assert [claim.name for claim in names.all()] == ["Ann", "Bob"]
        now += 1
        assert names.of("Ann") is names.like("ann") is names.of_key(b"a" * 32) is None
        await names.claim("Ann", b"c" * 32, 0, "192.0.2.1")
        bob = names.of("Bob")
        assert bob is not None
        await names.was_proved(bob, b"b" * 32)
        now = bob.used + PROBATION + UNUSED - 1
        assert [claim.name for claim in names.all()] == ["Bob"]
        now += 1
        assert not names.all()
        # A server that starts now says the same.
        assert not ClaimedNames(kept(stored), b"s" * 32, clock=lambda: now).all()

    async def test_use_is_stored_once_a_week(self) -> None:
        now, stored = 1e9, list[bytes]()
        names = ClaimedNames(kept(stored), b"s" * 32, clock=lambda: now)
        await names.claim("Ann", b"a" * 32, 0, "192.0.2.1")
        await names.keep_after_game(["Ann"])
        writes = len(stored)
        for _ in range(21):
            now += DAY
            claim = names.of("Ann")
            assert claim is not None
            await names.was_proved(claim, b"a" * 32)
        assert len(stored) == writes + 3

    async def test_what_is_claimed_outlasts_the_server(self) -> None:
        stored = list[bytes]()
        names = ClaimedNames(kept(stored), b"s" * 32)
        for number in range(3):
            await names.claim(f"Name {number}", bytes([number]) * 32, number % 2, "192.0.2.1")
        assert await names.free("Name 1")
        assert not await names.free("Name 1")
        again = ClaimedNames(kept(stored), b"s" * 32)
        assert again.all() == names.all()
        assert [news.name for news in again.news(b"\1" * 32)] == ["Name 1"]
        assert not [*again.news(b"\2" * 32)]
        with pytest.raises(ValueError, match="enough names"):
            await again.claim("Name 4", b"4" * 32, 0, "192.0.2.1")

    async def test_two_who_claim_one_name_at_once(self) -> None:
        stored = list[bytes]()
        names = ClaimedNames(kept(stored), b"s" * 32)
        won: list[int] = []

        async def claim(number: int) -> None:
            try:
                await names.claim("Ann", bytes([number]) * 32, 0, f"192.0.{number}.1")
            except ValueError:
                return
            won.append(number)

        async with trio.open_nursery() as nursery:
            for number in range(8):
                nursery.start_soon(claim, number)
        assert len(won) == len(stored) == 1
        assert names.of_key(bytes(won) * 32) is names.of("Ann")

    def test_names_that_cannot_be_read_are_not_forgotten(self) -> None:
        for bad in (b"{", b"[]", b'{"claims": [{}]}'):
            with pytest.raises(ConfigError, match="cannot read the names"):
                ClaimedNames(KeptBytes(bad, lambda data: None), b"s" * 32)

    def test_the_most_names_fit(self) -> None:
        claims = [
            Claim(f"{number:030}", (NameKey(f"{number:064x}", 0, 2**31, 2**31),), 2**31, 2**31)
            for number in range(MOST_NAMES)
        ]
        names = ClaimedNames(
            KeptBytes(msgspec.json.encode(Stored(claims)), lambda data: None), b"s" * 32
        )
        assert len(names.all()) == MOST_NAMES
