"""What went wrong, as a person is told it."""

from __future__ import annotations

import pytest

from hearts.errors import HeartsError, RemoteProtocolError
from hearts.session.client_events import RegistrationRefused
from hearts.session.messages import Refusal
from hearts_client.session.visit import complaint

PASSWORD = "give one with --password"


@pytest.mark.parametrize(
    ("error", "came_back", "says"),
    [
        (RemoteProtocolError("nonsense"), True, "nonsense"),
        (
            RegistrationRefused(Refusal.BAD_PASSWORD, ""),
            False,
            f"the server refuses: the password is wrong or missing; {PASSWORD}",
        ),
        (
            RegistrationRefused(-999, "no"),
            True,
            "the server refuses: no. The game stays saved: try again later",
        ),
        (RegistrationRefused(Refusal.NO_SUCH_GAME, "gone"), False, "the server refuses: gone"),
        (
            RegistrationRefused(Refusal.NO_SUCH_GAME, "gone"),
            True,
            "the server refuses: gone. That game is no longer saved",
        ),
        (
            RegistrationRefused(Refusal.TABLE_TAKEN, "taken"),
            True,
            "the server refuses: taken. That game is no longer saved",
        ),
        (RegistrationRefused(Refusal.SERVER_FULL, "full"), False, "the server refuses: full"),
    ],
)
def test_what_is_said(error: HeartsError, came_back: bool, says: str) -> None:
    assert complaint(error, came_back=came_back, password=PASSWORD) == says
