"""The things that all pages of a person share: terminal and look, profile, sounds, a bot."""

from __future__ import annotations

import os
from collections.abc import Callable

from hearts_client.session.analyst import Ask

from .input.palette import palette
from .input.ui import Ui
from .pages.options_page import OptionsPage
from .pictures.theme import Theme
from .profile import Profile
from .settings.settings import Settings
from .sound.notes import Sound


class Shared:
    """The terminal of one person, with all that their pages need."""

    def __init__(
        self, ui: Ui, theme: Theme, profile: Profile, ring: Callable[[Sound], None], ask: Ask
    ) -> None:
        """``profile`` is that of whoever is there, ``ring`` lets something be heard, and ``ask``
        asks a bot what it thinks of a position.
        """
        self.ui = ui
        self.theme = theme
        self.profile = profile
        self.ring = ring
        self.ask = ask

    def use(self, settings: Settings) -> None:
        """Let everything look as other settings say."""
        if settings.colors is not self.theme.settings.colors:
            self.ui.use(palette(settings.colors, environ=os.environ))
        self.theme.settings = settings

    def use_profile(self, profile: Profile) -> None:
        """Let everything be as another person has it."""
        self.profile = profile
        self.use(profile.settings)
        self.theme.own_cards = profile.own_cards

    async def change_options(self) -> str:
        """Let the person change the settings; give a line if they cannot be kept."""
        theme = self.theme
        own = list(theme.own_cards)
        page = OptionsPage(theme.settings, self.use, own_cards=own, ascii=theme.ascii)
        return await self.profile.kept.keep_settings(await self.ui.run(page))
