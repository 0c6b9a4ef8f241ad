"""What has to agree between nodes, and what a node is told that cannot begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.errors import CorruptRecord
from hearts.game.deal import SECRET_BYTES, deal_code
from hearts.game.rules import parse_rules
from hearts_server.config import Config
from hearts_server.given_settings import parse_config
from hearts_server.standby.agreement import OWN_SETTINGS, Declared, declared, disagreement

SECRET = b"s" * 32
CODE = deal_code(bytes(SECRET_BYTES))
OWN = Declared("0.2", schema=5, oldest=4, settings={"turn-limit": "60"})


def made(*arguments: str, secret: bytes = SECRET) -> Declared:
    return declared(parse_config(arguments), secret, "0.2", 5, 4)


def test_every_setting_is_a_node_s_own_or_has_to_agree() -> None:
    names = set(Config.__struct_fields__)
    assert names >= OWN_SETTINGS
    agreed = {name.replace("_", "-") for name in names - OWN_SETTINGS}
    assert made().settings.keys() == agreed | {"tls-cert"}


def test_what_is_declared_reads_as_the_host_has_written_it() -> None:
    settings = made(
        *("--rules", "mac2000", "--turn-limit", "30", "--fill-after", "never", "--no-web"),
        *("--tables-per-ipv4", "3,9", "--computer-names", "Ann,Bob,Cleo,Dan"),
    ).settings
    assert settings["turn-limit"] == "30"
    assert settings["fill-after"] == "never"
    assert settings["no-web"] == "yes"
    assert settings["tables-per-ipv4"] == "3,9"
    assert settings["computer-names"] == "Ann,Bob,Cleo,Dan"
    assert settings["max-per-network"] == settings["tls-cert"] == "none"
    assert settings["rules"] == str(parse_rules("mac2000"))


def test_paths_places_and_names_may_differ(tmp_path: Path) -> None:
    own = ("--node", "a", "--store", "postgresql://a/b")
    other = ("--node", "b", "--store", "postgresql://a,c/b")
    file = tmp_path / "password"
    file.write_text("open sesame\n")
    here = made(*own, "--port", "1", "--password-file", str(file), "--data-dir", "/a")
    there = made(*other, "--port", "2", "--password", "open sesame", "--log-level", "debug")
    assert disagreement(here, [("b", there)]) is None


def test_it_is_said_which_settings_differ_and_where() -> None:
    here = made("--turn-limit", "30", "--grace", "5")
    said = disagreement(here, [("north", made()), ("south", made("--grace", "6"))])
    assert said is not None
    assert "turn-limit (30 here, 60 at north, 60 at south)" in said
    assert "grace (5 here, 60 at north, 6 at south)" in said


@pytest.mark.parametrize(
    ("arguments", "hidden", "other"),
    [
        (("--password", "sesame"), "sesame", "poppy"),
        (("--deal", CODE), CODE, deal_code(bytes(range(SECRET_BYTES)))),
    ],
)
def test_a_password_and_a_deal_are_compared_and_told_to_nobody(
    arguments: tuple[str, str], hidden: str, other: str
) -> None:
    here, there = made(*arguments), made(arguments[0], other)
    name = arguments[0].removeprefix("--")
    said = disagreement(here, [("north", there)])
    assert said is not None
    assert f"{name} (another one at north)" in said
    for text in (said, repr(here), here.encode()):
        assert hidden not in text
        assert here.settings[name] not in said
    assert disagreement(here, [("north", made(*arguments))]) is None
    assert disagreement(here, [("north", made())]) == said
    assert made(*arguments, secret=b"t" * 32).settings[name] != here.settings[name]


def test_an_older_program_need_not_know_a_setting() -> None:
    older = replace(OWN, program="0.1", schema=4, settings={})
    assert disagreement(OWN, [("north", older)]) is None
    assert disagreement(older, [("north", OWN)]) is None


@pytest.mark.parametrize("other", [replace(OWN, schema=3), replace(OWN, schema=7, oldest=6)])
def test_versions_that_cannot_share_a_store_are_refused(other: Declared) -> None:
    for here, there in ((OWN, other), (other, OWN)):
        said = disagreement(here, [("north", there)])
        assert said is not None
        assert said.startswith("node north is of hearts-server 0.2 and this one of 0.2, which")


@given(st.builds(Declared))
def test_what_is_declared_reads_back(own: Declared) -> None:
    assert Declared.decode(own.encode()) == own


def test_what_a_newer_program_declares_is_passed_over() -> None:
    assert Declared.decode(f'{{"colour": [1], {OWN.encode()[1:]}') == OWN
    with pytest.raises(CorruptRecord):
        Declared.decode("[]")
