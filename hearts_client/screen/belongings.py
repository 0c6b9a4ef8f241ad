"""What the program knows of one person at the beginning: his settings, his memory, his folders."""

from __future__ import annotations

import argparse

from msgspec.structs import replace

from hearts_client.commands.arguments import default_name, dialect_of, profile_of, tls_of
from hearts_client.session.places import Places, places_of
from hearts_client.words.style import Sort

from .remembered import Remembered
from .settings import Colors, Settings
from .visits import Customs


class Belongings:
    """All of it, with what the command line says, which goes before what is remembered."""

    def __init__(self, given: argparse.Namespace, profile: str) -> None:
        """Reads the person's files. ``profile`` is empty for whoever uses none."""
        self.places: Places = places_of(profile)
        self.remembered = Remembered(self.places.config)
        self.settings = _settings(given, self.remembered.settings)
        self.customs = Customs(
            dialect=dialect_of(given),
            sessions=self.places.sessions,
            records=given.record or self.places.records,
            turn_limit=given.turn_limit or 0,
        )
        memory = self.remembered.memory
        # A name on the command line is that of the person for whom the program was started.
        said = given.name if profile == profile_of(given) else ""
        self.name: str = said or memory.name or self.places.profile or default_name()
        """What the person is called before he has said it here."""
        self.remembered.memory = replace(
            memory,
            name=said or memory.name,
            tls=tls_of(given) or memory.tls,
            taunt_port=memory.taunt_port if given.taunt_port is None else given.taunt_port,
        )


def _settings(given: argparse.Namespace, settings: Settings) -> Settings:
    if given.sort is not None:
        settings = replace(settings, sort=Sort(given.sort))
    if given.bot_pause is not None:
        settings = replace(settings, bot_pause=given.bot_pause)
    if given.color == "never":
        settings = replace(settings, colors=Colors.NONE)
    return settings
