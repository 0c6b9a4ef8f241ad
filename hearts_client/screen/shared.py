"""The things that all pages of a person share: terminal and look, profile, sounds, a bot."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hearts_client.commands.arguments import default_name, dialect_of, profile_of, tls_of
from hearts_client.par.pars import GivePar, ParFile, Reckoner
from hearts_client.screen.pictures.canvas import Theme
from hearts_client.session.analyst import Ask
from hearts_client.session.places import Places, places_of
from hearts_client.session.replay import HandReplay
from hearts_client.words.style import Sort

from .input.ui import Ui
from .pages.options_page import OptionsPage
from .pictures.card_art import OwnCards
from .pictures.own_cards import WrongCards, read_cards, read_folder
from .settings.kept_files import KeptFiles
from .settings.settings import Colors, Settings
from .sound import Sound


class Profile:
    """Everything that is kept of one person; the command line goes before it."""

    def __init__(self, given: argparse.Namespace, profile: str) -> None:
        """Read the person's files. ``profile`` is empty if none is used.

        Raises WrongCards if the command line names cards that cannot be used.
        """
        self.places: Places = places_of(profile)
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
        self.turn_limit: int = given.turn_limit or 0
        """For a game alone, in seconds; 0 for none."""
        memory = self.kept.memory
        # A name on the command line is that of the person for whom the program was started.
        said = given.name if profile == profile_of(given) else ""
        self.name: str = said or memory.name or self.places.profile or default_name()
        self.kept.memory = replace(
            memory,
            name=said or memory.name,
            tls=tls_of(given) or memory.tls,
            taunt_port=memory.taunt_port if given.taunt_port is None else given.taunt_port,
        )


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
    ask: Ask
    """Asks a bot what it thinks of a position."""
    reckoner: Reckoner

    def reckon(self, hand: HandReplay, give: GivePar) -> None:
        """Ask for the par of a hand, if the person wants to see any."""
        if self.theme.settings.shows_par:
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
        page = OptionsPage(theme.settings, self.use, own_cards=own, ascii=theme.ascii)
        settings = await self.ui.run(page)
        return await self.profile.kept.keep(settings)
