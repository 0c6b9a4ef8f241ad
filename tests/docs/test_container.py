"""Containerfile and compose.yaml against the program, and against each other."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hearts.net.link import LINGER
from hearts_server.config import Config
from hearts_server.given_settings import parse_config
from hearts_server.journal.threaded import END_LIMIT
from hearts_server.server import DRAIN_LIMIT, LAST_WORDS_LIMIT

from .usage import usage

ROOT = Path(__file__).parents[2]
IMAGE = (ROOT / "Containerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = msgspec.yaml.decode((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: each for name, each in SERVICES.items() if "build" in each}
BOOK = (ROOT / "docs" / "hosting" / "container.md").read_text("utf-8")


def words(instruction: str) -> list[str]:
    (found,) = re.findall(rf"^{instruction} (\[.*\])$", IMAGE, flags=re.M)
    listed: list[str] = json.loads(found)
    return listed


def settings(command: str) -> Config:
    """The settings of a server that is begun with these words behind those of the image."""
    program, *own = words("ENTRYPOINT")
    assert program == "hearts-server"
    return parse_config([*own, *shlex.split(command)])


def test_the_image_begins_a_server_that_can_be_asked_for_its_health() -> None:
    config = settings(shlex.join(words("CMD")))
    assert config.password
    (check,) = re.findall(r"HEALTHCHECK .*'http://127\.0\.0\.1:(\d+)/health'", IMAGE)
    assert (config.metrics_host, config.metrics_port) == ("127.0.0.1", int(check))
    exposed = re.findall(r"^EXPOSE (.*)$", IMAGE, flags=re.M)
    assert exposed == [f"{config.port} {config.taunt_port} {config.web_port}"]


def test_the_volume_is_where_data_dirs_are(monkeypatch: pytest.MonkeyPatch) -> None:
    (volume,) = re.findall(r"^VOLUME (.*)$", IMAGE, flags=re.M)
    assert f"XDG_DATA_HOME={volume} " in IMAGE
    monkeypatch.setenv("XDG_DATA_HOME", volume)
    assert settings("").data_dir.parent == Path(volume)
    for service in OURS.values():
        assert [place.split(":")[1] for place in service["volumes"]] == [volume]
    (secret,) = SERVICES["secret"]["command"][2:]
    assert f"/south/{settings('').data_dir.name}/secret" in secret
    (user,) = re.findall(r"^USER (.*)$", IMAGE, flags=re.M)
    assert f"chown -R {user} " in secret


def test_the_servers_of_compose_are_begun_with_settings_that_there_are() -> None:
    assert OURS.keys() == {"hearts", "north", "south"}
    for name, service in OURS.items():
        config = settings(service["command"].replace("${HEARTS_OPTIONS:-}", ""))
        assert config.node == ("" if name == "hearts" else name)
        assert config.password
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        needed = DRAIN_LIMIT + LAST_WORDS_LIMIT + END_LIMIT + LINGER + 1
        assert needed < int(service["stop_grace_period"].removesuffix("s")) <= needed + 30
        assert f"--stop-timeout {service['stop_grace_period'].removesuffix('s')} " in BOOK


def test_one_server_needs_no_profile_and_the_balancer_brings_the_pair() -> None:
    started = {name for name, service in SERVICES.items() if "profiles" not in service}
    assert started == {"hearts"}
    needed = {"balancer"}
    for _ in SERVICES:
        needed |= {other for name in needed for other in SERVICES[name].get("depends_on", ())}
    assert needed == {"balancer", "north", "south", "database", "secret"}
    assert all("pair" in SERVICES[name]["profiles"] for name in needed)
    assert SERVICES["hearts"]["depends_on"]["database"]["required"] is False
    assert SERVICES["balancer"]["ports"] == SERVICES["hearts"]["ports"]
    assert set(COMPOSE["volumes"]) == {
        place.split(":")[0]
        for service in SERVICES.values()
        for place in service.get("volumes", ())
        if not place.startswith("./")
    }


def test_the_commands_in_the_comment_and_the_book_exist() -> None:
    text = BOOK + (ROOT / "compose.yaml").read_text("utf-8")
    asked = set(re.findall(r"exec \w+ hearts-server (\w+)", text))
    assert "invitation" in asked
    for command in asked:
        assert usage("hearts-server", command)
