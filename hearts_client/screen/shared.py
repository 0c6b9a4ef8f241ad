"""The things that all pages of a person share: terminal and look, profile, sounds, a bot."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import trio
from msgspec import Struct
from msgspec.structs import replace

from hearts_client.commands.arguments import default_name, dialect_of, profile_of, tls_of
from hearts_client.days.visitor import days_of
from hearts_client.door_link import DoorLink, VisitorKeeper
from hearts_client.names.kept import KeptNames
from hearts_client.par.pars import GivePar, ParFile, Reckoner
from hearts_client.screen.pictures.canvas import Theme
from hearts_client.session.analyst import AskCost
from hearts_client.session.places import NOWHERE, Places, places_of
from hearts_client.session.replay import HandReplay
from hearts_client.session.saved import (
    Keeper,
    SavedSession,
    known_elsewhere,
    page_of,
    read_all,
)
from hearts_client.words.style import Sort

from .input.ui import Ui
from .pages.options_page import OptionsPage
from .pictures.card_art import OwnCards
from .pictures.own_cards import WrongCards, read_cards, read_folder
from .settings.kept_files import KeptFiles
from .settings.settings import FOR_OWN_MACHINE, Colors, Settings
from .sound import Sound


class Profile:
    """Everything that is kept of one person; the command line goes before it."""

    is_visitor = False
    """True if nothing is kept here, and there is one server (:mod:`hearts_client.hardened`)."""

    def __init__(self, given: argparse.Namespace, places: Places) -> None:
        """Read the person's files.

        Raises WrongCards if the command line names cards that cannot be used.
        """
        self.places = places
        self.kept = KeptFiles(self.places.config)
        self.own_cards, problems = read_folder(self.places.designs)
        self.settings = _settings(given, self.kept.settings)
        if given.cards is not None:
            cards = _said_cards(given.cards)
            self.own_cards[cards.name] = cards
            self.settings = replace(self.settings, own_cards=cards.name)
        elif self.settings.own_cards not in ("", *self.own_cards):
            problems.append(f"There are no cards {self.settings.own_cards} to be used.")
        self.problems = [*self.kept.problems, *problems]
        self.dialect = dialect_of(given)
        """None for the dealer dialect, or for that of a game to come back to."""
        self.records: Path | None = given.record or self.places.records
        """The folder of records; None if nothing can be kept."""
        self.pars = ParFile(self.places.records)
        self.days = days_of(places, None)
        self.turn_limit: int = given.turn_limit or 0
        """For a game alone, in seconds; 0 for none."""
        memory = self.kept.memory
        # A name on the command line is that of the person for whom the program was started.
        is_meant = places.profile.casefold() == profile_of(given).casefold()
        said = given.name if is_meant else ""
        self.name: str = said or memory.name or self.places.profile or default_name()
        self.kept.memory = replace(
            memory,
            name=said or memory.name,
            tls=tls_of(given) or memory.tls,
            taunt_port=memory.taunt_port if given.taunt_port is None else given.taunt_port,
        )

    def keeper(self, saved: SavedSession | None) -> Keeper | None:
        """Return a keeper for a game, which may be ``saved`` already; None if none can be kept."""
        folder = self.places.sessions
        return None if folder is None else Keeper(folder, saved)

    def names(self) -> KeptNames:
        """Read the names of one's own. Raises CannotKeepNames."""
        return KeptNames(self.places.config)

    @property
    def page(self) -> str:
        """The page to which links lead: that of the server that was used last."""
        return page_of(self.kept.memory.host, self.kept.memory.tls)

    async def saved(self) -> tuple[list[SavedSession], list[str]]:
        """Give the games to come back to, the latest first, and a line for each bad file."""
        if self.places.sessions is None:
            return [], []
        return await trio.to_thread.run_sync(read_all, self.places.sessions)


class VisitorProfile(Profile):
    """A person of whom nothing is kept here but, at the door, what their seats need."""

    is_visitor = True

    def __init__(self, given: argparse.Namespace, link: DoorLink, greeting: str) -> None:
        super().__init__(given, NOWHERE)
        self.kept.homeless = ""
        self.problems = [greeting]
        self.link = link
        self.days = days_of(NOWHERE, link)

    def names(self) -> KeptNames:
        return self.link.names

    @property
    def page(self) -> str:
        return page_of(known_elsewhere(self.kept.memory.host), None)

    def keeper(self, saved: SavedSession | None) -> Keeper:
        return VisitorKeeper(self.link, saved)

    async def saved(self) -> tuple[list[SavedSession], list[str]]:
        return self.link.latest_first, []


def profile_opener(given: argparse.Namespace) -> Callable[[str], Profile]:
    """Return the function that reads the profile of a name; empty for that of no name."""
    return lambda name: Profile(given, places_of(name))


def _said_cards(path: Path) -> OwnCards:
    try:
        return read_cards(path)
    except WrongCards as error:
        raise WrongCards(f"the cards {path} cannot be used: {error}") from None


def _settings(given: argparse.Namespace, settings: Settings) -> Settings:
    options = {
        "sort": None if given.sort is None else Sort(given.sort),
        "bot_pause": given.bot_pause,
        "level": given.level,
        "shows_par": False if given.no_par else None,
        "colors": Colors.NONE if given.color == "never" else None,
    }
    return replace(settings, **{name: one for name, one in options.items() if one is not None})


class Shared(Struct):
    """The terminal of one person, with all that their pages need."""

    ui: Ui
    theme: Theme
    profile: Profile
    ring: Callable[[Sound], None]
    """Lets something be heard."""
    ask: AskCost | None
    """Asks a bot what it thinks of a position; None if there is none."""
    reckoner: Reckoner

    def reckon(self, hand: HandReplay, give: GivePar) -> None:
        """AskCost for the par of a hand, if the person wants to see any and has a thread for it."""
        if self.theme.settings.shows_par and not self.profile.is_visitor:
            self.reckoner.ask(self.profile.pars, hand, give)

    def use(self, settings: Settings) -> None:
        if settings.colors is not self.theme.settings.colors:
            self.ui.use(settings.colors)
        self.theme.settings = settings

    def use_profile(self, profile: Profile) -> None:
        self.profile = profile
        self.use(profile.settings)
        self.theme.own_cards = profile.own_cards

    async def change_options(self) -> str:
        """Let the person change the settings; give a line if they cannot be kept."""
        theme = self.theme
        own = list(theme.own_cards)
        hidden = FOR_OWN_MACHINE if self.profile.is_visitor else frozenset()
        page = OptionsPage(
            theme.settings, self.use, own_cards=own, hidden=hidden, ascii=theme.ascii
        )
        settings = await self.ui.run(page)
        return await self.profile.kept.keep(settings)
