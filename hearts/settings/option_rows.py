"""Rows that describe the options of a command line, and the exit statuses of commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

DONE, NOT_ALL, FAILED, INTERRUPTED = 0, 1, 2, 130


class OptionRow(Struct, frozen=True):
    """An option or argument; what is not set is as argparse has it."""

    help: str
    metavar: str | tuple[str, ...] | UnsetType = UNSET
    type: Callable[[str], object] | UnsetType = UNSET
    default: object = UNSET
    nargs: int | str | UnsetType = UNSET
    action: str | UnsetType = UNSET
    choices: Sequence[str] | UnsetType = UNSET
    const: str | UnsetType = UNSET
    dest: str | UnsetType = UNSET


def switch(help: str) -> OptionRow:
    return OptionRow(help, action="store_true")


class OptionGroup(Struct, frozen=True):
    title: str
    """That of its group in the help; empty for options of the command itself."""
    options: Mapping[str, OptionRow]
    is_choice: bool = False
    """One option at most may be given."""


def add_options(command: argparse.ArgumentParser, sections: Iterable[OptionGroup]) -> None:
    groups: dict[str, argparse._ActionsContainer] = {"": command}
    for section in sections:
        if section.title not in groups:
            groups[section.title] = command.add_argument_group(section.title)
        group = groups[section.title]
        if section.is_choice:
            group = group.add_mutually_exclusive_group()
        for name, option in section.options.items():
            given = {key: value for key, value in asdict(option).items() if value is not UNSET}
            group.add_argument(name, **given)
