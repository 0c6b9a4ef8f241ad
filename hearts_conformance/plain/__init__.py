"""The plain dialect: its conversation, and its scenarios."""

from hearts.session.messages import Refusal
from hearts.session.registration import ReasonsWanted
from hearts_conformance.scenarios import room
from hearts_conformance.session.checked_registration import CheckedRegistration
from hearts_conformance.session.host import Host
from hearts_conformance.session.scenario_run import ScenarioRun, part

from .conversation import PlainConversation


class PlainScenarioRun(ScenarioRun):
    def _new_conversation(self, host: Host) -> PlainConversation:
        return PlainConversation(self._script, host, self._marks, lambda: self._own)

    def _look_at(self, registration: CheckedRegistration) -> None:
        """Check nothing: a client of the plain dialect says nothing to look at."""

    async def _turn_away(self, registration: CheckedRegistration, refusal: Refusal) -> None:
        await registration.refuse(refusal)
        await part(self._there, "refused.game", self._marks)
        if ReasonsWanted in registration.received:
            self._marks.show("refused.reason")


ROOM = room("plain", PlainScenarioRun)
