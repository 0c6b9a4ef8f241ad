"""The settings: defaults, the command line, the file, and one clear line for what is wrong."""

from __future__ import annotations

import argparse
import subprocess
import sys
from math import inf
from pathlib import Path

import pytest
from msgspec import Struct

from hearts.game.deal import parse_deal_code
from hearts.game.events import Deal
from hearts.game.rules import PRESETS, parse_rules
from hearts.limits.networks import PerNetwork
from hearts.settings.table import ConfigError, option, rows
from hearts_server.children.chat_process import taunt_options
from hearts_server.children.web_process import web_options
from hearts_server.config import PASSWORD_VARIABLE, Config
from hearts_server.given_settings import parse_config
from hearts_web.options import WebConfig
from hearts_web.options import parse_arguments as web_arguments
from taunt_server.config import TauntConfig
from taunt_server.config import parse_arguments as taunt_arguments

CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
CUTS = "01" * 32


def test_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    config = parse_config([])
    assert (config.host, config.port, config.taunt_port) == ("0.0.0.0", 7626, 7627)
    assert config.taunt_address == "0.0.0.0"
    assert (config.end_score, config.turn_limit, config.grace) == (None, 60, 60)
    assert (config.fill_after, config.bot_pause) == (20, 0.5)
    assert config.rules == parse_rules("standard")
    assert config.data_dir == tmp_path / "hearts-server"
    assert not config.password
    assert config.computer_names == ("Moe", "Larry", "Curly", "Shemp")


def test_the_command_line() -> None:
    config = parse_config(
        [
            *("--host", "::1", "--taunt-host", "127.0.0.1", "--port", "0", "--rules", "mac2000"),
            *("--end-score", "50", "--turn-limit", "0", "--fill-after", "never"),
            *("--password", "fish & chips", "--deal", CODE, "--deal", CODE.lower()),
            *("--no-taunt-server", "--log-level", "DEBUG"),
        ]
    )
    assert (config.host, config.taunt_address, config.port) == ("::1", "127.0.0.1", 0)
    assert (config.end_score, config.turn_limit, config.fill_after) == (50, 0, inf)
    assert config.rules == parse_rules("jack,moon=choice,exact=wins,pass=left")
    assert config.password == "fish & chips"
    assert config.deal == (Deal.from_secret(parse_deal_code(CODE)),) * 2
    assert config.no_taunt_server
    assert config.log_level == "debug"


def test_limits_by_network() -> None:
    config = parse_config([])
    assert config.connections == PerNetwork((32, 128), (32, 64, 128))
    assert config.tables == PerNetwork((16, 64), (8, 16, 32))
    config = parse_config(
        [
            *("--max-per-address", "5", "--max-per-network", "0"),
            *("--tables-per-ipv4", "0", "--tables-per-ipv6", "1, 2,3"),
        ]
    )
    assert config.connections == PerNetwork((5, 0), (5, 0, 0))
    assert config.tables == PerNetwork((0, 0), (1, 2, 3))


def test_deals_that_were_cut() -> None:
    config = parse_config(["--deal", f"{CODE}+{CUTS}", "--deal", CODE])
    secret = parse_deal_code(CODE)
    cut = Deal.from_secret(secret, bytes.fromhex(CUTS))
    assert config.deal == (cut, Deal.from_secret(secret))


def test_rules_and_a_deal_in_one_text(tmp_path: Path) -> None:
    config = parse_config(["--deal", f"mac2000#{CODE}", "--deal", f"{CODE}+{CUTS}"])
    assert config.rules == PRESETS["mac2000"]
    assert config.deal[0] == Deal.from_secret(parse_deal_code(CODE))
    same = ["--rules", "mac2000", "--deal", f"mac2000#{CODE}"]
    assert parse_config(same).rules == PRESETS["mac2000"]
    file = tmp_path / "hearts.toml"
    file.write_text(f'deal = ["jack#{CODE}"]\n', encoding="utf-8")
    assert parse_config(["--config", str(file)]).rules == parse_rules("jack")
    assert parse_config(["--rules", "jack", "--deal", CODE]).rules == parse_rules("jack")


@pytest.mark.parametrize(
    ("names", "all_names"),
    [
        ("Ann,Bob,Cy", ("Ann", "Bob", "Cy", "Moe")),
        (" Zoë Blanc , Moe,Cy ", ("Zoë Blanc", "Moe", "Cy", "Larry")),
        ("A,B,C,D", ("A", "B", "C", "D")),
        ("-a,b,c", ("-a", "b", "c", "Moe")),
    ],
)
def test_what_computers_are_called(names: str, all_names: tuple[str, ...], tmp_path: Path) -> None:
    assert parse_config([f"--computer-names={names}"]).computer_names == all_names
    file = tmp_path / "hearts.toml"
    file.write_text(f'computer-names = "{names}"', encoding="utf-8")
    assert parse_config(["--config", str(file)]).computer_names == all_names


def test_a_file_and_the_command_line_which_wins(tmp_path: Path) -> None:
    file = tmp_path / "hearts.toml"
    file.write_text(
        'rules = "windows93"\nturn-limit = 30\nend_score = 50\nno-taunt-server = true\n'
        f'grace = 2.5\ndeal = ["{CODE}"]\nfill-after = "never"\n'
    )
    config = parse_config(["--config", str(file), "--end-score", "75"])
    assert config.rules == parse_rules("windows93")
    assert (config.turn_limit, config.end_score, config.grace) == (30, 75, 2.5)
    assert config.no_taunt_server
    assert config.fill_after == inf
    assert len(config.deal) == 1


def test_where_the_password_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    password = tmp_path / "password"
    password.write_text("fish & chips\n")
    in_file = ["--password-file", str(password)]
    settings = tmp_path / "hearts.toml"
    assert parse_config(in_file).password == "fish & chips"
    monkeypatch.setenv(PASSWORD_VARIABLE, "peas")
    assert parse_config([]).password == "peas"
    assert parse_config(in_file).password == "fish & chips"
    assert parse_config(["--password", "salt"]).password == "salt"
    for text in ('password = "vinegar"', f'password-file = "{tmp_path / "other"}"'):
        settings.write_text(text)
        both = ["--config", str(settings)]
        assert parse_config([*both, *in_file]).password == "fish & chips"
        assert parse_config([*both, "--password", "salt"]).password == "salt"
    with pytest.raises(ConfigError, match="not both"):
        parse_config(["--password", "salt", *in_file])
    with pytest.raises(ConfigError, match="--password-file: cannot read"):
        parse_config(["--password-file", str(tmp_path / "other")])
    password.write_text("two\nlines\n")
    with pytest.raises(ConfigError, match="control characters"):
        parse_config(in_file)
    monkeypatch.setenv(PASSWORD_VARIABLE, "a\nb")
    with pytest.raises(ConfigError, match=PASSWORD_VARIABLE):
        parse_config([])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--port", "65536"], "--port: give a whole number from 0 to 65535"),
        (["--port", "-1"], "--port"),
        (["--port", "http"], "'http'"),
        (["--taunt-port", "x"], "--taunt-port"),
        (["--rules", "nonsense"], "--rules"),
        (["--rules", "moon=minus,moon=others"], "--rules"),
        (["--rules", "moon=maybe"], "--rules"),
        (["--end-score", "0"], "from 1 to 10000"),
        (["--end-score", "10001"], "from 1 to 10000"),
        (["--turn-limit", "3601"], "--turn-limit"),
        (["--turn-limit", "1.5"], "--turn-limit"),
        (["--grace", "-1"], "--grace: give seconds"),
        (["--grace", "nan"], "--grace: give seconds"),
        (["--grace", "inf"], "--grace: give seconds"),
        (["--fill-after", "soon"], "'never'"),
        (["--bot-pause", "61"], "--bot-pause"),
        (["--computers", "best"], "--computers: give one of novice, simple, swift, strong, expert"),
        (["--max-tables", "0"], "from 1 to"),
        (["--max-per-address", "many"], "--max-per-address"),
        (
            ["--max-per-network", "1,2"],
            "give N,N,N for an IPv4 /24, an IPv6 /56, an IPv6 /48, or 0",
        ),
        (["--tables-per-ipv4", "16"], "--tables-per-ipv4: give N,N for an address, its /24, or 0"),
        (["--tables-per-ipv6", "8,-1,2"], "--tables-per-ipv6"),
        (["--accept-rate", "-1"], "--accept-rate"),
        (["--accept-burst", "0"], "--accept-burst"),
        (["--password", ""], "--password"),
        (["--password", "a\nb"], "--password"),
        (["--password", "x" * 1024], "--password"),
        (["--log-level", "loud"], "give one of debug, info, warning, error"),
        (["--proxy-listen", "[::1]:7"], "--open"),
        (["--web-name", "cards.example"], "--password auto"),
        (["--open", "--password", "fish"], "--open"),
        (["--deal", "0004-1061"], "--deal"),
        (["--deal", CODE[:-1] + "H"], "--deal"),
        (["--deal", CODE + "+12"], "--deal: what stands behind '+' is no cut"),
        (["--deal", f"mac2001#{CODE}"], "--deal: 'mac2001' is no rule"),
        (["--deal", f"jack#{CODE}", "--rules", "bleed"], "one set of rules, not bleed and jack"),
        (["--deal", f"jack#{CODE}", "--deal", f"dump#{CODE}"], "not dump and jack"),
        (["--computer-names", "Ann"], "--computer-names: give three or four different names"),
        (["--computer-names", "A,B,A"], "different"),
        (["--computer-names", "A,B,C,D,E"], "three or four"),
        (["--computer-names", "A,,C"], "a name has 1 to 30 bytes that can be read, not ''"),
        (["--computer-names", "A,B," + "ö" * 16], "30 bytes"),
        (["--computer-names", "A,B,\x1b[1m"], "that can be read"),
        (["--computer-names", "A,B,\u2800"], "that can be read"),
        (["--tls-cert", "host.pem"], "give --tls-cert FILE and --tls-key FILE, or none"),
        (["--tls-key", "host.key"], "give --tls-cert FILE and --tls-key FILE, or none"),
        (["--node", "north"], "share a database; give --store"),
        (
            ["--taunt-proxy-listen", "10.0.0.1:8", "--no-taunt-server"],
            "for the taunt server that this one starts",
        ),
        (["--colour", "red"], "--help"),
        (["--port"], "--help"),
    ],
)
def test_a_bad_setting_is_told_in_one_line(arguments: list[str], told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(arguments)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"port = ", "is no TOML file"),
        (b"\xff\xfe", "is no TOML file"),
        (b"prot = 7626", "unknown setting 'prot'; did you mean port?"),
        (b"turn_limits = 5", "unknown setting 'turn_limits'; did you mean turn-limit?"),
        (b"[server]\nport = 1", "unknown setting 'server'; known: accept-burst, "),
        (b"turn-limit = 5\nturn_limit = 6", "has 'turn_limit' twice"),
        (b"port = true", "--port"),
        (b"port = [1, 2]", "--port"),
        (b'port = "high"', "--port"),
        (b'no-taunt-server = "yes"', "--no-taunt-server: give true or false"),
        (b"deal = 7", "--deal"),
    ],
)
def test_a_bad_file_is_told_in_one_line(content: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "hearts.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        parse_config(["--config", str(file)])
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_store_in_a_database() -> None:
    url = "postgresql://hearts@db.example.org/hearts"
    assert parse_config(["--store", url]).store == url
    assert parse_config([]).store == ""
    with pytest.raises(ConfigError, match="--store: give postgresql://USER@HOST/DATABASE"):
        parse_config(["--store", "/var/lib/hearts"])
    with pytest.raises(ConfigError, match="leave it out with --store"):
        parse_config(["--store", url, "--journal", "full"])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        parse_config(["--config", str(tmp_path / "nothing.toml")])


def test_help_tells_every_setting_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse_config(["--help"])
    assert ended.value.code == 0
    told = " ".join(capsys.readouterr().out.split())
    for name, row in rows(Config).items():
        assert f"{option(name)} {row.metavar}" in told
    assert told.count("(default:") == told.count("(default: ")
    assert argparse.SUPPRESS not in told


def test_the_ipv6_network_of_this_machine_is_its_own() -> None:
    alone = ("unshare", "--map-root-user", "--net", "sh", "-ec")
    address = (
        "ip link set lo up; ip addr add 203.0.113.5 dev lo; ip addr add 2001:db8:77::5/64 dev lo"
    )
    if subprocess.run([*alone, address], capture_output=True, check=False).returncode:
        pytest.skip("no network for this process alone can be made")
    program = (
        "from hearts_server.config import is_own; import sys; print(*map(is_own, sys.argv[1:]))"
    )
    networks = ("2001:db8:77::/64", "2001:db8:78::/64", "192.0.2.1", "203.0.113.5")
    asked = [*alone, f'{address}; exec "$0" -c "$@"', sys.executable, program, *networks]
    assert subprocess.check_output(asked, text=True) == "True False False True\n"


@pytest.mark.parametrize(("child", "kind"), [("web", WebConfig), ("taunt", TauntConfig)])
def test_a_child_has_the_settings_that_it_gets(child: str, kind: type[Struct]) -> None:
    got = [name for name, row in rows(Config).items() if child in row.children]
    assert "log_level" in got
    assert rows(kind).keys() >= {name.removeprefix(f"{child}_") for name in got}


def test_a_child_gets_what_its_server_has() -> None:
    given = [
        *("--open", "--web-proxy-listen", "[::1]:7", "--web-name", "a.example,*.b.example"),
        *("--tls-cert", "host.pem", "--tls-key", "host.key", "--accept-rate", "3"),
        "--names",
    ]
    config = parse_config(given)
    web = web_arguments(web_options(config))
    assert web.has_names
    assert (web.proxy_listen, list(web.name)) == (("::1", 7), ["a.example", "*.b.example"])
    assert (web.tls_cert, web.tls_key) == (Path("host.pem"), Path("host.key"))
    assert (web.accept_rate, web.accept_burst, web.log_level) == (3, 50, "info")
    alone = ["--secret-file", "secret"]
    taunt = taunt_arguments([*alone, *taunt_options(config)])
    assert (taunt.tls_cert, taunt.accept_rate) == (Path("host.pem"), 3)
