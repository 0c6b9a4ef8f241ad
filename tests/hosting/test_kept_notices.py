"""What a table says again in the chat, to a taunt server that has just begun."""

from __future__ import annotations

from hearts.game.deal import parse_notice
from hearts.hosting.table_chat import OTHERS_KEPT, GameNotice

from .desk import COMPUTER, DEALER, GAME, PLAIN, TableDesk


def test_the_last_notices_are_kept_and_deals_do_not_push_them_out() -> None:
    desk = TableDesk("pass=never", (DEALER, PLAIN, COMPUTER, COMPUTER))
    desk.begin()
    for number in range(OTHERS_KEPT + 2):
        desk.host.notice(f"notice {number}")
    desk.host.notice("the chat is back", passing=True)
    desk.leave(1)
    desk.do_due()
    said = [text for text in desk.said if parse_notice(text) is None]
    said.remove("the chat is back")
    assert len(said) > OTHERS_KEPT + 2
    kept = list(desk.host.chat.kept())
    assert kept == [GameNotice(GAME, text) for text in said[-OTHERS_KEPT:]]
    deals = [each.text for each in desk.host.chat.standing() if isinstance(each, GameNotice)]
    assert all(parse_notice(text) is not None for text in deals)


def test_what_has_waited_is_kept_when_it_is_told() -> None:
    desk = TableDesk("pass=never", (DEALER, PLAIN, COMPUTER, COMPUTER))
    desk.begin()
    for number in range(7):
        desk.host.chat.announce(f"news {number}", 1, desk.now)
    told = len(desk.said)
    desk.host.chat.send_due(desk.now + 1000)
    assert desk.said[told:] == ["news 6"]
    assert list(desk.host.chat.kept())[-1] == GameNotice(GAME, "news 6")
