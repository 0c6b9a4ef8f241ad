"""Man pages and completion of commands as texts, made from the parsers of their command lines."""

from __future__ import annotations

import argparse
import re
import shlex
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

DATE = "2026-11-27"
"""The day of the release; it is the same at each build."""
NOTE = "made from the parsers of the program by python -m tests.docs.manual"
_FILES, _FOLDERS = {"FILE", "PATH", "RECORD"}, {"DIR", "FOLDER"}


class Argument(Struct, frozen=True):
    """An option or an argument of a command; an argument has no flags."""

    flags: tuple[str, ...]
    value: str
    """As the help shows it; empty for a switch."""
    help: str
    choices: tuple[str, ...]

    @property
    def gist(self) -> str:
        """The beginning of the help."""
        return re.split(r"[:;.]? \(|[:;] |\. ", self.help)[0]

    @property
    def kind(self) -> str:
        """The way in which its value is completed."""
        name = self.value.strip("[]. ").split(" ")[0]
        kinds = {"files": name in _FILES, "folders": name in _FOLDERS, "words": self.choices != ()}
        return next((kind for kind, is_so in kinds.items() if is_so), "text")


class ManualCommand(Struct, frozen=True):
    """A program, or a command of it."""

    words: tuple[str, ...]
    parser: argparse.ArgumentParser
    subcommands: dict[str, str]
    """With a summary of each."""
    groups: dict[str, list[Argument]]

    @property
    def path(self) -> str:
        return " ".join(self.words[1:])

    @property
    def summary(self) -> str:
        """The first sentence of the description."""
        return (self.parser.description or "").split(". ")[0].rstrip(".")

    @property
    def options(self) -> list[Argument]:
        return [option for group in self.groups.values() for option in group]


def with_subcommands(
    words: tuple[str, ...], parser: argparse.ArgumentParser
) -> Iterator[ManualCommand]:
    """Yield a command that these words call, and then all below it."""
    below: dict[str, argparse.ArgumentParser] = {}
    groups: dict[str, list[Argument]] = {}
    for group in parser._action_groups:
        for action in group._group_actions:
            if isinstance(action, argparse._SubParsersAction):
                below = dict(action.choices)
            elif action.help != argparse.SUPPRESS:
                groups.setdefault(group.title or "", []).append(_argument(parser, action))
    more = {name: list(with_subcommands((*words, name), each)) for name, each in below.items()}
    yield ManualCommand(
        words, parser, {name: each[0].summary for name, each in more.items()}, groups
    )
    for each in more.values():
        yield from each


def _argument(parser: argparse.ArgumentParser, action: argparse.Action) -> Argument:
    formatter = parser._get_formatter()
    default = (action.metavar or action.dest) if not action.option_strings else action.dest.upper()
    value = "" if action.nargs == 0 else formatter._format_args(action, str(default))
    words = formatter._expand_help(action) if action.help else ""
    listed = re.fullmatch(r"\{(.*)\}", value)
    choices = tuple(map(str, action.choices or (listed[1].split(",") if listed else ())))
    return Argument(tuple(action.option_strings), value, words, choices)


# Man pages


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped, flags=re.M)


def _filled(text: str) -> str:
    lines = textwrap.wrap(text, 70, break_long_words=False, break_on_hyphens=False)
    return _roff("\n".join(lines))


def _paragraph(parser: argparse.ArgumentParser, text: str | None) -> Iterator[str]:
    """Yield the lines of a description; those that argparse leaves as they are stay so."""
    if text:
        is_raw = parser.formatter_class is argparse.RawDescriptionHelpFormatter
        shown = _roff(text.strip()) if is_raw else _filled(text)
        yield ".PP"
        yield from (".nf", re.sub(r"\n{2,}", "\n.sp\n", shown), ".fi") if is_raw else (shown,)


def man_page(every: Sequence[ManualCommand], others: Iterable[str]) -> str:
    """Return the page of a program, which names other programs."""
    first, *below = every
    program = first.words[0]
    lines = [
        f'.\\" {NOTE}',
        f'.TH {program.upper()} 1 {DATE} "Hearts server"',
        ".SH NAME",
        f"{_roff(program)} \\- {_roff(first.summary[0].lower() + first.summary[1:])}",
        ".SH SYNOPSIS",
    ]
    for number, each in enumerate(every):
        lines += [".br"] * bool(number)
        arguments = [option.value for option in each.options if not option.flags]
        shown = ["[OPTION]...", *arguments, *["COMMAND"] * bool(number and each.subcommands)]
        lines.append(f"\\fB{_roff(' '.join(each.words))}\\fR {_roff(' '.join(shown))}")
    lines += [".SH DESCRIPTION", *list(_paragraph(first.parser, first.parser.description))[1:]]
    lines += [".SH OPTIONS", *_listed(first)]
    if below:
        lines.append(".SH COMMANDS")
    for each in below:
        lines += [f".SS {_roff(' '.join(each.words))}"]
        lines += list(_paragraph(each.parser, each.parser.description))[1:]
        lines += [*_listed(each), *_paragraph(each.parser, each.parser.epilog)]
    if more := list(_paragraph(first.parser, first.parser.epilog)):
        lines += [".SH NOTES", *more[1:]]
    also = ", ".join(f"\\fB{_roff(name)}\\fR(1)" for name in sorted(others))
    lines += [".SH SEE ALSO", also, ".PP", "\\fBhearts\\-server docs\\fR says where the rest lies."]
    return "\n".join(lines) + "\n"


def _listed(command: ManualCommand) -> Iterator[str]:
    for option in command.options:
        flags = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in option.flags)
        value = f"\\fI{_roff(option.value)}\\fR" if option.value else ""
        yield from (".TP", f"{flags} {value}".strip(), _filled(option.help))


# Completion


def _cases(every: Sequence[ManualCommand]) -> str:
    """Return the words behind which another command begins, each behind those before it."""
    below = [each.path for each in every[1:]]
    return " | ".join(shlex.quote(path) for path in below) or "'  '"


def _offers(command: ManualCommand) -> tuple[Sequence[str], str]:
    """Return the words that may come besides options, and how an argument is completed."""
    rest = next((option for option in command.options if not option.flags), None)
    if rest is None:
        return tuple(command.subcommands), "text"
    return (*command.subcommands, *rest.choices), rest.kind


_BASH_KINDS = {"files": "-f", "folders": "-d", "text": ""}


def bash(every: Sequence[ManualCommand]) -> str:
    program = every[0].words[0]
    name = "_" + program.replace("-", "_")
    lines = [
        f"# bash completion for {program}, {NOTE}",
        f"{name}() {{",
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} at='' i",
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        '        case "${at:+$at }${COMP_WORDS[i]}" in',
        f"        {_cases(every)}) at=${{at:+$at }}${{COMP_WORDS[i]}} ;;",
        *("        esac", "    done", '    case "$at $before" in'),
    ]
    for command in every:
        for option in command.options:
            if option.flags and option.value:
                names = "|".join(shlex.quote(f"{command.path} {flag}") for flag in option.flags)
                lines.append(f"    {names}) {_compgen(option.kind, option.choices)} ;;")
    lines += ["    *)", '        case "$at" in']
    for command in every:
        flags = [flag for option in command.options for flag in option.flags]
        words, kind = _offers(command)
        lines += [
            f"        {shlex.quote(command.path)})",
            f"            if [[ $word == -* ]]; then {_compgen('words', flags)}",
            f"            else {_compgen('words' if words else kind, words)}; fi ;;",
        ]
    lines += ["        esac", "    esac", "}", f"complete -F {name} -o filenames {program}"]
    return "\n".join(lines) + "\n"


def _compgen(kind: str, words: Sequence[str]) -> str:
    if kind == "text":
        return "COMPREPLY=()"
    how = f"-W {shlex.quote(' '.join(words))}" if kind == "words" else _BASH_KINDS[kind]
    return f'mapfile -t COMPREPLY < <(compgen {how} -- "$word")'


def zsh(every: Sequence[ManualCommand]) -> str:
    program = every[0].words[0]
    lines = [
        *(f"#compdef {program}", f"# {NOTE}", "local at='' i depth=0"),
        *("for ((i = 2; i < CURRENT; i++)); do", '    case "${at:+$at }${words[i]}" in'),
        f"    {_cases(every)}) at=${{at:+$at }}${{words[i]}}; depth=$((i - 1)) ;;",
        *("    esac", "done", "shift $depth words", "(( CURRENT -= depth ))", 'case "$at" in'),
    ]
    for command in every:
        specs = []
        for option in command.options:
            help = re.sub(r"([\[\]:\\])", r"\\\1", option.gist)
            action = {"files": "_files", "folders": "_files -/", "text": " "}.get(
                option.kind, f"({' '.join(option.choices)})"
            )
            value = f":{option.value.split(' ')[0].strip('[]').replace(':', ' ')}:{action}"
            specs += [f"{flag}[{help}]{value if option.value else ''}" for flag in option.flags]
            if not option.flags:
                specs.append(f"*{value}")
        if command.subcommands:
            specs.append(f"1:command:({' '.join(command.subcommands)})")
        shown = " ".join(map(shlex.quote, specs))
        lines.append(f"{shlex.quote(command.path)}) _arguments {shown} ;;")
    return "\n".join([*lines, "esac"]) + "\n"


def fish(every: Sequence[ManualCommand]) -> str:
    program = every[0].words[0]
    name = "__" + program.replace("-", "_") + "_at"
    below = " ".join(shlex.quote(each.path) for each in every[1:])
    lines = [
        f"# {NOTE}",
        f"function {name}",
        "    set -l at ''",
        "    for word in (commandline -opc)[2..]",
        '        set -l next (string trim "$at $word")',
        f"        contains -- $next {below}; and set at $next",
        *("    end", '    test "$at" = "$argv"', "end", f"complete -c {program} -f"),
    ]
    kinds = {"": "", "files": " -r -F", "folders": " -x -a '(__fish_complete_directories)'"}
    for command in every:
        here = f"complete -c {program} -n {_fish(f'{name} {_fish(command.path)}')}"
        for option in command.options:
            how = "" if not option.value else kinds.get(option.kind, " -x")
            if option.choices:
                how += f" -a {_fish(' '.join(option.choices))}"
            flags = " ".join(
                f"-l {f[2:]}" if f[:2] == "--" else f"-s {f[1:]}" for f in option.flags
            )
            if flags:
                lines.append(f"{here} {flags}{how} -d {_fish(option.gist)}")
            elif option.kind != "text":
                lines.append(f"{here}{how.replace(' -x', '').replace(' -r', '')}")
        for word, summary in command.subcommands.items():
            lines.append(f"{here} -a {word} -d {_fish(summary)}")
    return "\n".join(lines) + "\n"


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
