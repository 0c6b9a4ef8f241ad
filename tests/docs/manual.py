"""Man pages and completion of all programs, made from the parsers of their command lines.

``python -m tests.docs.manual`` writes them to share, where systems look for them.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from unittest.mock import patch

from hearts.settings.manual import ManualCommand, bash, fish, man_page, with_subcommands, zsh
from hearts_client.commands.main import _COMMANDS as CLIENT_COMMANDS
from hearts_server.commands.main import COMMANDS as SERVER_COMMANDS

SHARE = Path(__file__).parents[2] / "share"
PROGRAMS = {
    "hearts-server": tuple(SERVER_COMMANDS),
    "hearts-client": tuple(CLIENT_COMMANDS),
    **dict.fromkeys(("hearts-bot", "hearts-arena", "hearts-ssh", "hearts-web", "taunt-server"), ()),
}
"""The commands of each program that have a parser of their own."""


def commands(program: str) -> list[ManualCommand]:
    """A program, and then its commands."""
    (installed,) = entry_points(group="console_scripts", name=program)
    main = getattr(import_module(installed.module), installed.attr)
    found: list[ManualCommand] = []
    for words in [[], *([word] for word in PROGRAMS[program])]:
        with patch.object(argparse.ArgumentParser, "print_help", autospec=True) as shown:
            try:
                main([*words, "--help"])
            except SystemExit:
                found += with_subcommands((program, *words), shown.call_args.args[0])
    below = {each.words[1]: each.summary for each in found[1:] if len(each.words) == 2}
    found[0].subcommands.update(below)
    return found


def texts() -> dict[Path, str]:
    """Every file by its path."""
    found = {}
    for program in PROGRAMS:
        every = commands(program)
        others = PROGRAMS.keys() - {program}
        found[SHARE / "man/man1" / f"{program}.1"] = man_page(every, others)
        found[SHARE / "bash-completion/completions" / program] = bash(every)
        found[SHARE / "zsh/site-functions" / f"_{program}"] = zsh(every)
        found[SHARE / "fish/vendor_completions.d" / f"{program}.fish"] = fish(every)
    return found


if __name__ == "__main__":
    for path, text in texts().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
