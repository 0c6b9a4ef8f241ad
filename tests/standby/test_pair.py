"""The pair of compose.yaml: its commands as processes, with a real HAProxy in front."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import pytest

from hearts_server.running.invitation import nodes_password
from tests.old.archive import BOT
from tests.postgres.place import Schema
from tests.postgres.server import PostgresServer
from tests.soak.soak_server import ROOT, free_port
from tests.web.test_reverse_proxies import program, running

from .nodes import SECRET

pytestmark = pytest.mark.heavy

BALANCER = ROOT / "hearts_server" / "pair" / "haproxy.cfg"
FRONT = (7626, 7627, 7680)
BEHIND = (7636, 7637, 7690)
"""Ports of the balancer, and of each node behind it: for the game, the chat and the page."""
PASSWORD = nodes_password(SECRET)
GAMES = 20
LIMIT = 120


@contextmanager
def node(
    name: str, folder: Path, url: str, ports: Mapping[int, int]
) -> Iterator[subprocess.Popen[str]]:
    """A node that stands by or plays, begun with its command in compose.yaml."""
    services = msgspec.yaml.decode((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    command = shlex.split(services[name]["command"])
    values = {
        "postgresql://hearts@database/hearts": url,
        **{f"0.0.0.0:{port}": f"127.0.0.1:{own}" for port, own in ports.items()},
    }
    assert values.keys() <= set(command)
    folder.mkdir(mode=0o700)
    (folder / "secret").write_bytes(SECRET)
    (folder / "secret").chmod(0o600)
    # What a container has for itself.
    own = ("--host", "127.0.0.1", "--port", "0", "--taunt-port", "0", "--web-port", "0")
    words = [values.get(word, word) for word in command]
    with subprocess.Popen(
        [sys.executable, "-m", "hearts_server", *words, *own, "--data-dir", folder],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert any("stands by" in line for line in process.stdout)
            yield process
        finally:
            process.kill()


def test_players_go_on_at_the_other_node(tmp_path: Path, postgres: PostgresServer) -> None:
    url = Schema(postgres).url
    front = {port: free_port() for port in FRONT}
    behind = {name: {port: free_port() for port in BEHIND} for name in ("north", "south")}
    settings = BALANCER.read_text("utf-8")
    for port, own in front.items():
        settings = settings.replace(f"bind :{port}\n", f"bind 127.0.0.1:{own}\n")
    for name, ports in behind.items():
        for port, own in ports.items():
            settings = settings.replace(f" {name}:{port}\n", f" 127.0.0.1:{own}\n")
    # So the first players come before the balancer knows which node listens.
    settings = settings.replace("inter 500ms", "inter 3s")
    (tmp_path / "haproxy.cfg").write_text(settings, "utf-8")
    where = ("--port", str(front[7626]), "--password", PASSWORD, "--retry-limit", str(LIMIT))
    what = ("--count", "4", "--table", "bots", "--games", str(GAMES))
    with ExitStack() as stack:
        north, _ = [
            stack.enter_context(node(name, tmp_path / name, url, ports))
            for name, ports in behind.items()
        ]
        stack.enter_context(running(program("haproxy"), "-db", "-f", str(tmp_path / "haproxy.cfg")))
        bots = stack.enter_context(running(sys.executable, *BOT, "simple", *where, *what))
        assert bots.stdout is not None
        assert any("game 1 ended" in line for line in bots.stdout)
        north.kill()
        rest = bots.stdout.read()
        assert bots.wait(LIMIT) == 0
    assert rest.count(f"game {GAMES} ended") == 4
