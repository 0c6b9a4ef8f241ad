"""The command ``hearts-client names``: a name of one's own, and the words that it comes back by."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable, Sequence

import trio

from hearts.errors import HeartsError
from hearts.names.codes import code_typed, shown_code
from hearts.names.proof import NameKind, NameWish
from hearts.names.words import CHECKED, WrongWords, is_word, secret_of, words_of
from hearts.settings.option_rows import DONE, FAILED, OptionGroup, OptionRow, add_options, switch
from hearts_client.names import own_keys
from hearts_client.names.kept import KeptNames
from hearts_client.names.own_name import UNSAFE, OwnName, claim
from hearts_client.session.places import at_home, places_of
from hearts_client.session.visit import Guest
from hearts_client.words.style import sentence

from . import arguments as shared

_ABOUT = """\
A name of your own: at a host who lets names be claimed nobody else has it, and
you prove that it is yours by a key. Without options the names that you have are
listed.

The key is made of a secret, which is kept in a file for you alone. Twelve words
on paper give it back, on another machine too: they are shown once.
"""

_NOTHING = "n"
"""An answer at the end of what is typed: no word, no code, and no yes."""


def main(arguments: Sequence[str]) -> int:
    given = _parse(arguments)
    return shared.run_tool("names", lambda: shared.run_task(_run, given))


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = shared.tool_parser("names", _ABOUT)
    wishes = {
        "--claim": OptionRow(
            "claim your name at this server, or take it back there after --restore",
            "HOST[:PORT]",
            shared.address,
        ),
        "--list": OptionRow(
            "let your name stand in the standings of this server, and in its list of a day",
            "HOST[:PORT]",
            shared.address,
        ),
        "--unlist": OptionRow("let it stand there no more", "HOST[:PORT]", shared.address),
        "--export": OptionRow(
            "print all that this server stores about your name, but for your games",
            "HOST[:PORT]",
            shared.address,
        ),
        "--give-up": OptionRow(
            "give your name up at this server, for good: a number takes its place in stored games",
            "HOST[:PORT]",
            shared.address,
        ),
        "--ask-in": OptionRow(
            "have the name that you have on another device, which lets this one in by a code",
            "HOST[:PORT]",
            shared.address,
        ),
        "--let-in": OptionRow(
            "let another device of yours have the name, by the code that it shows",
            "HOST[:PORT]",
            shared.address,
        ),
        "--devices": OptionRow(
            "list the devices that have the name, and revoke one", "HOST[:PORT]", shared.address
        ),
        "--words": switch("write down the words, if that is not done yet"),
        "--restore": switch("have the names of twelve words, which are asked for"),
        "--forget": OptionRow("know this server no more, so that its key may change", "ADDRESS"),
    }
    add_options(parser, [OptionGroup("", wishes, is_choice=True)])
    who = {
        "--name": OptionRow("the name (default: your login name)", type=shared.name_text),
        "--invitation": OptionRow("with --claim: the code from the host", "CODE", _code),
        "--program": switch("with --claim: the name is that of a program, and shown as one"),
        "--profile": OptionRow("the names of this profile", "NAME", shared.profile_text),
    }
    without = shared.password_options("the server may refuse")
    add_options(parser, [OptionGroup("", who), without, *shared.TLS_OPTIONS])
    return parser.parse_args(arguments)


def _code(text: str) -> str:
    if not (code := code_typed(text)):
        raise argparse.ArgumentTypeError(f"give eight letters and digits, not {text!r}")
    return code


async def _run(given: argparse.Namespace) -> int:
    places = places_of(shared.profile_of(given))
    kept = KeptNames(at_home(places.config))
    asked, act = _wish(given)
    if asked is not None:
        known = kept.at(OwnName(kept, *asked).address)
        name = given.name or (known.name if known and not given.claim else "")
        name = name or places.profile or shared.default_name()
        guest = Guest(*asked, name, shared.tls_of(given), shared.password_of(given))
        if guest.tls is None:
            print(UNSAFE)
        if not isinstance(act, NameWish):
            return await act(kept, guest)
        if act is NameWish.GIVE_UP and not await _is_sure(name):
            print("The name is yours as before.")
            return FAILED
        if act is NameWish.EXPORT:
            print(*await claim(kept, guest, act), sep="\n")
            return DONE
        code = (given.invitation or "").encode()
        kind = NameKind.PROGRAM if given.program else NameKind.PERSON
        print(f"{name}:", *await claim(kept, guest, act, code, kind))
    elif given.restore:
        return await _restore(kept)
    elif given.forget is not None:
        await kept.forget(given.forget)
    elif not given.words:
        for address, server in kept.servers.items():
            print(f"{server.name or '(no name)'} at {address}")
    if given.words or given.claim is not None:
        return await _show_words(kept)
    return DONE


_Act = Callable[[KeptNames, Guest], Awaitable[int]]


def _wish(given: argparse.Namespace) -> tuple[tuple[str, int] | None, NameWish | _Act]:
    """Return the server to which something is wished, None for none, and the wish."""
    wishes: dict[NameWish | _Act, tuple[str, int] | None] = {
        NameWish.CLAIM: given.claim,
        NameWish.LIST: given.list,
        NameWish.UNLIST: given.unlist,
        NameWish.EXPORT: given.export,
        NameWish.GIVE_UP: given.give_up,
        _ask_in: given.ask_in,
        _let_in: given.let_in,
        _devices: given.devices,
    }
    found = ((server, wish) for wish, server in wishes.items() if server is not None)
    return next(found, (None, NameWish.PROVE))


async def _ask_in(kept: KeptNames, guest: Guest) -> int:
    code = await own_keys.ask_in(kept, guest)
    if code:
        print(f"  {shown_code(code)}\n{own_keys.TYPE_THERE}")
    while code:
        if await _ask("Press Enter when it is typed there, or type n to leave: ") != "":
            return FAILED
        if await own_keys.is_let_in(kept, guest):
            break
        print("It is not let in yet.")
    print(f"{guest.name} is your name here too.")
    return DONE


async def _let_in(kept: KeptNames, guest: Guest) -> int:
    typed = await _ask("The code that the other device shows: ")
    device = await own_keys.find_waiting(kept, guest, typed)
    print(device.line)
    print(own_keys.IS_YOURS)
    if await _ask("Let it in (yes or no)? ") != "yes":
        return FAILED
    await own_keys.let_in(kept, guest, device)
    print(f"{guest.name} is the name of that device too.")
    return DONE


async def _devices(kept: KeptNames, guest: Guest) -> int:
    keys = dict(enumerate(await own_keys.keys_of(kept, guest), 1))
    for number, each in keys.items():
        print(f"{number:3}  {each.line}")
    typed = await _ask("Number of a device to revoke, or Enter for none: ")
    if not typed.isdecimal() or int(typed) not in keys:
        return DONE
    await own_keys.revoke(kept, guest, keys[int(typed)])
    print("Its key is revoked.")
    return DONE


async def _show_words(kept: KeptNames) -> int:
    """Show the words until the person has shown that they have them; give the exit status."""
    if not kept.owes_words:
        return DONE
    words = words_of(kept.secret)
    print("Write these words down. With them you have your names on any machine; without them")
    print("nobody can give them back.")
    for number, word in enumerate(words, 1):
        print(f"{number:4}  {word}")
    for number in CHECKED:
        if not is_word(await _ask(f"Word {number}: "), words[number - 1]):
            print("That is another word. 'hearts-client names --words' shows them again.")
            return FAILED
    await kept.wrote_down()
    print("Good. They are not shown again.")
    return DONE


async def _restore(kept: KeptNames) -> int:
    try:
        await kept.use_secret(secret_of(await _ask("The twelve words: ")))
    except WrongWords as error:
        raise HeartsError(sentence(str(error))) from None
    print("Your names are yours here too: 'hearts-client names --claim HOST' takes each back.")
    return DONE


async def _is_sure(name: str) -> bool:
    question = f"Give up {name}, with its results, for good? Somebody else can claim it. Type yes: "
    return (await _ask(question)).strip().lower() == "yes"


async def _ask(what: str) -> str:
    try:
        return (await trio.to_thread.run_sync(input, what)).strip()
    except EOFError:
        return _NOTHING
