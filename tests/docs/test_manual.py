"""Man pages and completion are those of the programs; man and shells take them."""

from __future__ import annotations

import subprocess
from shutil import which

import pytest

from .manual import PROGRAMS, SHARE, texts

COMPLETED = {
    "hearts-server re": "records remove reports",
    "hearts-server records ": "list show replay export delete",
    "hearts-server records list --l": "--last",
    "hearts-server --log-level ": "debug info warning error",
    "hearts-server --data-dir doc": "docs",
    "hearts-server verify READ": "README.md",
    "hearts-arena run --schedule t": "two-vs-two",
    "hearts-client --dialect ": "plain dealer",
    "hearts-bot --port ": "",
}
_ASK = """\
source share/bash-completion/completions/$1
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
$(complete -p $1 | sed 's/.*-F \\([^ ]*\\).*/\\1/')
echo "${COMPREPLY[@]}"
"""


def test_they_are_made_from_the_programs() -> None:
    for path, text in texts().items():
        assert path.read_text("utf-8") == text, "python -m tests.docs.manual writes it"


@pytest.mark.heavy
@pytest.mark.parametrize(("line", "words"), COMPLETED.items())
def test_a_shell_completes(line: str, words: str) -> None:
    done = subprocess.run(
        ["bash", "-eu", "-c", _ASK, "bash", *line.split(" ")],
        cwd=SHARE.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr) == (words, "")


@pytest.mark.heavy
@pytest.mark.parametrize("program", PROGRAMS)
def test_man_and_shells_take_them(program: str) -> None:
    page = SHARE / "man/man1" / f"{program}.1"
    tries = (
        ("man", "--warnings", "-E", "UTF-8", "-l", page),
        ("mandoc", "-T", "lint", "-W", "warning", page),
        ("zsh", "-n", SHARE / "zsh/site-functions" / f"_{program}"),
        ("fish", "-n", SHARE / "fish/vendor_completions.d" / f"{program}.fish"),
    )
    for command in tries:
        if which(command[0]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, ""), done.stdout
