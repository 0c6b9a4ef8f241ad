"""The chat beside the table: its lines, the line being typed, and the players who are not heard.

It has the keys only while it is open. A line of somebody else is unread until the chat is opened,
or :meth:`ChatBox.seen` is called; a line that comes while the end of the open chat is in sight is
read at once. Notices and one's own lines are never unread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from msgspec import Struct

from hearts.taunt.messages import shorten
from hearts.wire.text import is_legible, is_visible
from hearts_client.screen.pictures.sights import ChatSight
from hearts_client.words.others import chat_lines
from hearts_client.words.roster import in_a_row
from hearts_client.words.style import sentence
from hearts_client.words.typed import NotUnderstood

from .line_editor import LineEditor

_NOTICE = -1
_KEPT = 500
_SHOWN = 60
"""Lines that are given to a picture, which shows as many as it has room for."""
_STEP = 3
_ONE_LINE = 10_000
_TAUNTS = "!"
"""A line of this alone lists what can be said with one key."""
_DIGITS = "123456789"


class _ChatLine(Struct):
    player: int
    who: str
    text: str
    unread: bool


class ChatBox:
    """The chat of one table, for the person in seat ``me``."""

    def __init__(
        self,
        name: Callable[[int], str],
        find: Callable[[str], int],
        say: Callable[[str], None],
        command: Callable[[str], None],
        taunts: Sequence[str] = (),
    ) -> None:
        """``name`` gives how a player 0-3 is shown, such as :meth:`Roster.title`; ``find`` the
        player whose name is typed, or raises NotUnderstood, such as :meth:`Roster.find`.

        ``say`` gets a line for everybody at the table, which comes back from the server when it is
        said; ``command`` gets one with a slash that is not for the chat, such as ``/agree``.
        """
        self.me = _NOTICE
        """The person's seat; -1 for a watcher, and before it is known."""
        self.is_there = True
        """True if what is said is heard by anybody."""
        self.taunts = taunts
        self._name = name
        self._find = find
        self._send = say
        self._command = command
        self._lines: deque[_ChatLine] = deque(maxlen=_KEPT)
        self.muted: set[int] = set()
        """The players who are not heard, whatever they are called by now."""
        self._editor = LineEditor()
        self.is_open = False
        self._for_taunt = False
        self._draft = ""
        self._pastes = False
        self._back = 0
        self._problem = ""

    # What is said

    def receive(self, player: int, text: str) -> None:
        """Show what a player, 0-3, or a server, -1, has said."""
        if player == _NOTICE:
            self.note(shorten(text))
        elif player not in self.muted:
            at_end = self.is_open and not self._back
            unread = player != self.me and not at_end
            self._add(_ChatLine(player, self._name(player), _calm(shorten(text)), unread))

    def note(self, text: str) -> None:
        """Show an event among the lines of the chat."""
        self._add(_ChatLine(_NOTICE, "", _calm(text), unread=False))

    def not_said(self, why: str) -> None:
        """Show until the next key that the last line could not be sent, and the reason."""
        self._problem = f"Not said: {why}."

    def _add(self, line: _ChatLine) -> None:
        self._lines.append(line)
        if self._back:
            # Somebody who reads what was said before is not moved on.
            self._scroll(1)

    def seen(self) -> None:
        for line in self._lines:
            line.unread = False

    def scroll(self, up: bool) -> None:
        """Scroll to older lines, or towards the latest."""
        self._scroll(_STEP if up else -_STEP)
        if self.is_open and not self._back:
            self.seen()

    def _scroll(self, lines: int) -> None:
        last = max(len(self._audible()) - 1, 0)
        self._back = min(max(self._back + lines, 0), last)

    def _audible(self) -> list[_ChatLine]:
        return [line for line in self._lines if line.player not in self.muted]

    # People who are not heard

    def mute(self, player: int) -> None:
        """Mute a player, and hide what they have said."""
        self.muted.add(player)
        self._scroll(0)

    # Opening and closing

    def open(self) -> None:
        """Take the keys, and show the latest lines."""
        self.is_open = True
        self._for_taunt = False
        self._back = 0
        self._problem = ""
        self.seen()

    def open_taunts(self) -> None:
        """Take the keys until one of the quick messages is chosen."""
        self.open()
        if self.taunts:
            self._for_taunt = True
            self._draft = self._editor.text
            self._editor.put(_TAUNTS)
        else:
            self._problem = "There are no taunts in your options."

    def close(self) -> None:
        """Leave the keys to the table; an unfinished line is there when the chat opens again."""
        self.is_open = False
        self._pastes = False
        self._back = 0
        self._problem = ""
        if self._for_taunt:
            self._editor.put(self._draft)
        elif self._lists_taunts():
            self._editor.put("")

    def _lists_taunts(self) -> bool:
        return bool(self.taunts) and self._editor.text == _TAUNTS

    # Keys

    def key(self, key: str) -> None:
        """Do what a key stands for, as urwid names it; nothing while the chat is not open."""
        if not self.is_open:
            return
        if not self._pastes:
            self._problem = ""
        match key:
            case "begin paste" | "end paste":
                self._pastes = key == "begin paste"
            case "enter" | "tab" if self._pastes:
                # Only who presses Enter says something.
                self._problem = self._editor.key(" ") or self._problem
            case "esc" | "tab":
                self.close()
            case "enter":
                self._enter()
            case "page up" | "page down":
                self.scroll(up=key == "page up")
            case _ if (
                self._lists_taunts() and not self._pastes and key in _DIGITS[: len(self.taunts)]
            ):
                self._editor.put("")
                if self._for_taunt:
                    self.close()
                self._send(self.taunts[int(key) - 1])
            case _:
                self._problem = self._editor.key(key) or self._problem

    def _enter(self) -> None:
        text = self._editor.take().strip()
        if not is_visible(text):
            self.close()
            return
        self._for_taunt = False
        self._back = 0
        self.seen()
        word, _, rest = text.partition(" ")
        match word.lower():
            case "/say":
                if is_visible(rest):
                    self._send(rest.strip())
            case "/mute" | "/unmute" as command:
                self._change_muted(rest.strip(), mutes=command == "/mute")
            case _ if text.startswith("/"):
                self._command(text)
            case _:
                self._send(text)

    def _change_muted(self, who: str, *, mutes: bool) -> None:
        if not who:
            names = in_a_row([self._name(player) for player in sorted(self.muted)])
            self.note(f"You have muted {names}." if self.muted else "You have muted nobody.")
            return
        try:
            player = self._find(who)
        except NotUnderstood as error:
            self._problem = sentence(str(error))
            return
        name = self._name(player)
        if player == self.me:
            self._problem = "You cannot mute yourself."
        elif mutes:
            self.mute(player)
            self.note(f"You have muted {name}; /unmute undoes that.")
        else:
            self.muted.discard(player)
            self.note(f"You hear {name} again.")

    # What is to be seen

    @property
    def unread(self) -> int:
        """Lines of others that were said since the person saw the chat."""
        return sum(line.unread for line in self._audible())

    def sight(self) -> ChatSight:
        audible = self._audible()
        end = len(audible) - self._back
        lines = [(line.who, line.text, line.unread) for line in audible[max(end - _SHOWN, 0) : end]]
        lines += [("", text, False) for text in self._below()]
        editor = self._editor
        return ChatSight(
            lines=tuple(lines),
            unread=self.unread,
            typing=editor.text if self.is_open else None,
            cursor=editor.cursor,
            is_there=self.is_there,
        )

    def _below(self) -> list[str]:
        """Return what stands below the lines while it applies."""
        below = []
        if self._back:
            below.append(f"... {self._back} more: page down")
        if self.is_open and self._lists_taunts():
            below += [f"{digit} {text}" for digit, text in zip(_DIGITS, self.taunts, strict=False)]
        if self._problem:
            below.append(self._problem)
        return below


def _calm(text: str) -> str:
    """Return the text without marks that would paint over others."""
    return text if is_legible(text) else chat_lines("", text, _ONE_LINE)[0]
