"""Numbers that people give to commands and settings."""

from __future__ import annotations

import argparse
from importlib.metadata import distribution, entry_points, version
from math import inf

import pytest

from hearts.settings.readers import BadArgument, Place, place, place_text, seconds, whole


@pytest.mark.parametrize("program", sorted(distribution("hearts-server").entry_points.names))
def test_a_program_says_its_version_in_one_line(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (installed,) = entry_points(group="console_scripts", name=program)
    with pytest.raises(SystemExit):
        installed.load()(["--version"])
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert said.startswith(f"{program} {version('hearts-server')} (")


@pytest.mark.parametrize("text", ["0", "11", "", "x", "1.5", "-1", "9" * 5000])
def test_whole_numbers_out_of_bounds(text: str) -> None:
    with pytest.raises(BadArgument, match=r"^give a whole number from 1 to 10, not "):
        whole(1, 10)(text)


@pytest.mark.parametrize("text", ["-0.1", "60.1", "nan", "inf", "soon", "never"])
def test_seconds_out_of_bounds(text: str) -> None:
    with pytest.raises(BadArgument, match=r"^give seconds from 0 to 60, not "):
        seconds(60)(text)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("127.0.0.1:7626", ("127.0.0.1", 7626)),
        ("cards.example:1", ("cards.example", 1)),
        ("[2001:db8::1]:65535", ("2001:db8::1", 65535)),
        ("./socket", "./socket"),
        ("/run/hearts/game:1", "/run/hearts/game:1"),
    ],
)
def test_a_place_is_read_and_written(text: str, where: Place) -> None:
    assert place(text) == where
    assert place_text(where) == text


@pytest.mark.parametrize("text", ["", "7626", ":7626", "cards.example", "a:65536", "::1:7626"])
def test_what_is_no_place(text: str) -> None:
    with pytest.raises(BadArgument, match=r"^give "):
        place(text)


def test_what_is_in_bounds() -> None:
    assert [whole(1, 10)(text) for text in ("1", "10")] == [1, 10]
    assert [seconds(60, "never")(text) for text in ("0", "1.5", "60", "never")] == [0, 1.5, 60, inf]


def test_argparse_says_what_to_give(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=whole(1, 65535))
    with pytest.raises(SystemExit):
        parser.parse_args(["--port", "x"])
    assert (
        "argument --port: give a whole number from 1 to 65535, not 'x'" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("program", "words", "name"),
    [
        ("hearts-client", ["--port"], "hearts-client"),
        ("hearts-client", ["statistics", "--format", "pdf"], "hearts-client statistics"),
        ("hearts-client", ["analyse"], "hearts-client analyse"),
        ("hearts-client", ["mistakes", "--x"], "hearts-client mistakes"),
        ("hearts-client", ["sheet"], "hearts-client sheet"),
        ("hearts-client", ["conformance", "--patience", "x"], "hearts-client conformance"),
        ("hearts-bot", [], "hearts-bot"),
        ("hearts-arena", [], "hearts-arena"),
        ("hearts-arena", ["run"], "hearts-arena run"),
    ],
)
def test_a_mistake_is_one_line(
    program: str, words: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (installed,) = entry_points(group="console_scripts", name=program)
    with pytest.raises(SystemExit) as ended:
        installed.load()(words)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{name}: ")
    assert said.endswith(f" (see {name} --help)\n")
    assert said.count("\n") == 1
