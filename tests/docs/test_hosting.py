"""docs/hosting and the systemd unit are held against the program: settings, events, metrics."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from hearts.net.link import LINGER
from hearts_server.commands.main import COMMANDS
from hearts_server.given_settings import parse_config
from hearts_server.journal.threaded import END_LIMIT
from hearts_server.metrics.figures import Metrics
from hearts_server.metrics.page import text_of
from hearts_server.running.node import figures_of
from hearts_server.server import DRAIN_LIMIT, LAST_WORDS_LIMIT
from hearts_server.standby.node import Node
from tests.standby.rows import MemoryRows

from . import settings
from .usage import usage

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "hearts_server"
BOOKS = sorted((ROOT / "docs" / "hosting").glob("*.md"))
TEXT = "\n".join(book.read_text(encoding="utf-8") for book in BOOKS)
UNIT = (FOLDER / "hearts-server.service").read_text(encoding="utf-8")

PROGRAM = re.compile(
    r"(?<![\w./-])(?:/\S*/bin/)?(hearts-server|taunt-server|hearts-web|hearts-ssh|hearts-client)"
    rf"( (?:{'|'.join(COMMANDS)}))?"
    r"(?= |$)([^&|;`\n]*)"
)
OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]*")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", TEXT, flags=re.M | re.S)
    return [re.sub(rf"^{indent}", "", block, flags=re.M) for indent, block in found]


def spans() -> list[str]:
    outside = re.sub(r"^ *```.*?^ *```$", "", TEXT, flags=re.M | re.S)
    return re.findall(r"`([^`\n]+)`", outside)


def has_option(text: str, option: str) -> bool:
    return re.search(rf"(?<![\w-]){option}(?![\w-])", text) is not None


def commands() -> dict[tuple[str, str], set[str]]:
    """The options that stand behind each program and its command."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    for line in lines + spans():
        for program, command, rest in PROGRAM.findall(line):
            found[program, command.strip()].update(OPTION.findall(rest))
    return found


@pytest.mark.parametrize(
    ("program", "command", "options"), [(*key, options) for key, options in commands().items()]
)
def test_every_command_and_option_exists(program: str, command: str, options: set[str]) -> None:
    text = usage(program, *command.split())
    assert {option for option in options if not has_option(text, option)} == set()


def test_every_option_in_the_text_exists() -> None:
    options = {option for span in spans() for option in OPTION.findall(span)}
    known = (
        usage("hearts-server")
        + usage("hearts-client")
        + usage("hearts-client", "names")
        + usage("hearts-web")
        + usage("hearts-ssh")
        + "--quick "
    )
    for command in ("tables", "say", "mute", "ban", "moderator", "invite", "words"):
        known += usage("hearts-server", command)
    assert len(options) > 5
    assert {option for option in options if not has_option(known, option)} == set()


def test_every_setting_in_a_file_exists(tmp_path: Path) -> None:
    found = blocks("toml")
    assert found
    for number, block in enumerate(found):
        file = tmp_path / f"{number}.toml"
        file.write_text(block, encoding="utf-8")
        parse_config(["--config", str(file)])


def table(head: str) -> list[list[str]]:
    """The rows of the tables with this head, each cell without its marks of code."""
    parts = re.findall(rf"^\| {head} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", TEXT, flags=re.M)
    assert parts, head
    return [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        for part in parts
        for line in part.splitlines()
    ]


def test_the_tables_of_settings_name_them_all() -> None:
    for row in table("setting"):
        for name in row[0].split(", "):
            assert has_option(usage("hearts-server"), f"--{name}")
    text = settings.PATH.read_text("utf-8")
    assert text == settings.with_table(text), "python -m tests.docs.settings writes it"


def logged(folder: str) -> dict[str, tuple[set[str], set[str]]]:
    """Levels and keys of every event that the modules of a folder log."""
    keys: dict[str, set[str]] = defaultdict(set)
    levels: dict[str, set[str]] = defaultdict(set)
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(
                        value=ast.Name(id="log") | ast.Attribute(attr="_log"), attr=level
                    ),
                    args=[ast.Constant(value=str(event))],
                    keywords=keywords,
                ):
                    if level == "exception":
                        level = "error"
                        keys[event].add("trace")
                    levels[event].add(level)
                    keys[event] |= {keyword.arg or "" for keyword in keywords}
    return {event: (levels[event], keys[event]) for event in levels}


def listed(cell: str) -> set[str]:
    return set(filter(None, cell.split(", ")))


def test_the_tables_of_events_are_complete() -> None:
    shown: dict[str, list[tuple[set[str], set[str]]]] = defaultdict(list)
    for event, levels, keys, _ in table("event"):
        shown[event].append((listed(levels), listed(keys)))
    assert shown.pop("message") == [({"any"}, {"text"})]
    expected: dict[str, list[tuple[set[str], set[str]]]] = defaultdict(list)
    for folder in ("hearts_server", "taunt_server", "hearts_web", "hearts/net", "hearts/hosting"):
        for event, entry in logged(folder).items():
            expected[event].append(entry)
    assert shown == expected


def metrics_page() -> str:
    """All metrics, with those of a node."""
    metrics = Metrics()
    metrics.show_build()
    node = figures_of("north", Node(MemoryRows()), int)
    return text_of([*metrics.families, *node]).decode()


def test_the_table_of_metrics_is_complete() -> None:
    text = " ".join(row[0] for row in table("metric"))
    shown = set(re.findall(r"hearts_\w+", text))
    real = set(re.findall(r"^# TYPE (\w+) ", metrics_page(), flags=re.M))
    assert shown == {name for name in real if not name.startswith("process_")}


def test_the_alerts_ask_for_metrics_that_are_there() -> None:
    (alerts,) = blocks("yaml")
    used = set(re.findall(r"hearts_\w+", alerts))
    assert len(used) > 3
    for name in used:
        assert f"\n{name}" in metrics_page(), name


# The systemd unit

KNOWN = {
    "Unit": "Description Wants After StartLimitIntervalSec",
    "Install": "WantedBy",
    "Service": """
        Type User Group StateDirectory StateDirectoryMode RuntimeDirectory RuntimeDirectoryMode
        UMask LoadCredential ExecStart ExecReload
        KillSignal KillMode TimeoutStopSec Restart RestartSec RestartPreventExitStatus
        LimitNOFILE TasksMax MemoryMax NoNewPrivileges CapabilityBoundingSet AmbientCapabilities
        ProtectSystem ProtectHome PrivateTmp PrivateDevices PrivateUsers PrivateIPC ProtectClock
        ProtectControlGroups ProtectHostname ProtectKernelLogs ProtectKernelModules
        ProtectKernelTunables ProtectProc ProcSubset RemoveIPC LockPersonality
        MemoryDenyWriteExecute RestrictAddressFamilies RestrictNamespaces RestrictRealtime
        RestrictSUIDSGID SystemCallArchitectures SystemCallFilter SystemCallErrorNumber
    """,
}
"""Names that systemd.unit(5), systemd.service(5), systemd.exec(5) and so on have."""


def unit() -> dict[str, list[tuple[str, str]]]:
    sections: dict[str, list[tuple[str, str]]] = {}
    section = ""
    for line in UNIT.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            sections[section] = []
        elif line and not line.startswith("#"):
            name, equals, value = line.partition("=")
            assert equals, line
            sections[section].append((name, value))
    return sections


def test_the_unit_has_known_names_only() -> None:
    sections = unit()
    assert sections.keys() == KNOWN.keys()
    for section, entries in sections.items():
        names = [name for name, _ in entries if name != "SystemCallFilter"]
        assert len(names) == len(set(names))
        assert set(names) <= set(KNOWN[section].split())


def test_the_unit_starts_the_program(tmp_path: Path) -> None:
    service = dict(unit()["Service"])
    credential, source = service["LoadCredential"].split(":")
    assert source in TEXT
    (tmp_path / credential).write_text(blocks("toml")[0], encoding="utf-8")
    line = service["ExecStart"].replace("${CREDENTIALS_DIRECTORY}", str(tmp_path))
    program, *arguments = shlex.split(line)
    assert Path(program).name == "hearts-server"
    assert f"{Path(program).parent}/pip install" in TEXT
    config = parse_config(arguments)
    assert config.data_dir == Path("/var/lib") / service["StateDirectory"]
    assert f"useradd --system --home-dir {config.data_dir} " in TEXT
    assert f"-u {service['User']} " in TEXT


def test_the_unit_leaves_time_for_an_orderly_end() -> None:
    service = dict(unit()["Service"])
    assert service["KillSignal"] == "SIGTERM"
    assert service["KillMode"] == "mixed"
    needed = DRAIN_LIMIT + LAST_WORDS_LIMIT + END_LIMIT + LINGER + 1
    assert needed < int(service["TimeoutStopSec"]) <= needed + 30


def test_the_unit_has_room_for_the_connections() -> None:
    config = parse_config([])
    assert int(dict(unit()["Service"])["LimitNOFILE"]) > 8 * config.max_tables


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for file in (*FOLDER.glob("*.service"), *(ROOT / "hearts_ssh").glob("hearts-ssh.s*")):
        text = re.sub(r"/opt/hearts/bin/hearts-\w+", sys.executable, file.read_text("utf-8"))
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    verify = ["systemd-analyze", "verify", *map(str, tmp_path.iterdir())]
    done = subprocess.run(verify, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, "")
