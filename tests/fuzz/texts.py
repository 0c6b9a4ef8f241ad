"""Targets: everything that makes values of a text.

Each returns for every input, or raises what is a finding. The one error that a reader may raise is
caught here; what it gives is printed and read back.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hearts.errors import CorruptRecord, InvalidDealCode, InvalidRules
from hearts.game.deal import deal_code, parse_deal_code, parse_notice
from hearts.game.events import Deal
from hearts.game.record import FORMAT_LINE, format_action, parse_action, parse_record
from hearts.game.rules import RULE_BITS_MASK, parse_rules, rules_from_bits
from hearts.game.verify import verify_record, verify_records
from hearts.net.logline import pair, quoted
from hearts.session.client_registration import RegistrationRequest
from hearts.session.resume_token import InvalidResumeToken, ResumeToken
from hearts.settings.table import ConfigError
from hearts.table.steps import format_step, parse_step
from hearts_server.given_settings import parse_config
from hearts_server.lobby.passwords import MOST_KNOWN, KnownNetworks

from .source import Source, text_of

_DEAL_CODE = re.compile(r"[0-9A-Za-z \-]*")


def record(data: bytes) -> None:
    """A record that is read is printed so that it is read as the same, and passes every check."""
    given = text_of(data)
    report = verify_record(given)
    try:
        read = parse_record(given)
    except CorruptRecord:
        assert report.problem is not None
        return
    again = parse_record(str(read))
    assert again == read
    assert again.replay().scores == read.replay().scores == report.scores
    # What is printed has scores after each hand.
    assert verify_record(str(read)).problem is None


def records(data: bytes) -> None:
    """A text of several records gives a report on each, or is none."""
    given = text_of(data)
    try:
        reports = verify_records(given)
    except CorruptRecord:
        return
    assert len(reports) == given.splitlines().count(FORMAT_LINE)
    last = len(given.splitlines())
    for report in reports:
        assert report.problem is None or report.line <= report.problem.line <= last


def action(data: bytes) -> None:
    _line(text_of(data), parse_action, format_action)


def step(data: bytes) -> None:
    _line(text_of(data), parse_step, format_step)


def _line(line: str, parse: Callable[[str], Any], form: Callable[[Any], str]) -> None:
    try:
        read = parse(line)
    except CorruptRecord:
        return
    if isinstance(read, Deal) and read.secret is None:
        # Hands that are no deal are for the game to refuse.
        return
    printed = form(read)
    assert parse(printed) == read
    if isinstance(read, Deal):
        # A deal code may be written in several ways, and cuts of nothing as no cuts.
        assert read.shown is None or printed.split(" ")[2:] == line.split(" ")[2:]
        return
    assert printed == line, f"{line!r} was read as {printed!r}"


def rules(data: bytes) -> None:
    """Rules are printed and numbered so that they are read as the same."""
    try:
        read = parse_rules(text_of(data))
    except InvalidRules:
        pass
    else:
        assert parse_rules(str(read)) == rules_from_bits(read.bits) == read
        assert not read.bits & ~RULE_BITS_MASK
    bits = Source(data).int32()
    try:
        numbered = rules_from_bits(bits)
    except InvalidRules:
        return
    assert numbered.bits == bits & RULE_BITS_MASK


def deal(data: bytes) -> None:
    """A deal code is read as one secret, and holds nothing but its characters."""
    given = text_of(data)
    try:
        secret = parse_deal_code(given)
    except InvalidDealCode:
        pass
    else:
        assert parse_deal_code(deal_code(secret)) == secret
        assert _DEAL_CODE.fullmatch(given.strip()), f"{given!r} is no deal code"
    if len(data) >= 16:
        assert parse_deal_code(deal_code(data[:16])) == data[:16]


def notice(data: bytes) -> None:
    """A notice about a deal has one way to be written."""
    given = text_of(data)
    read = parse_notice(given)
    if read is not None:
        assert read.format() == given


def progress(data: bytes) -> None:
    """What a client remembers of its seat is read back as the same, or refused."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    try:
        read = ResumeToken.from_dict(value)
    except InvalidResumeToken:
        return
    again = read.to_dict()
    assert ResumeToken.from_dict(json.loads(json.dumps(again))) == read
    # It can be sent.
    assert list(RegistrationRequest.to_come_back(read).blocks())


def config(data: bytes) -> None:
    """A configuration file gives settings, or one clear line."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "server.toml"
        path.write_bytes(data)
        try:
            parse_config(["--config", str(path)])
        except ConfigError:
            return


def known_networks(data: bytes) -> None:
    """A file of known networks is read as far as it makes sense, and is written as it was read."""
    secret, password = bytes(32), b"sesame"
    known = KnownNetworks(secret, password, data)
    assert len(known) <= MOST_KNOWN
    written = known.to_bytes()
    assert KnownNetworks(secret, password, written).to_bytes() == written
    now = 2e9
    known.add("192.0.2.7", now)
    assert known.knows("192.0.2.7", now)
    assert not KnownNetworks(secret, b"another", known.to_bytes()).knows("192.0.2.7", now)


def logline(data: bytes) -> None:
    """A value in a log line ends where it ends, whoever chose its text."""
    given = text_of(data)
    value = quoted(given)
    assert value.isascii()
    assert value.isprintable()
    if value != given:
        assert json.loads(value) == given
    else:
        assert given
        assert not set(given) & set(' "=')
    assert pair("key", given).startswith("key=")
