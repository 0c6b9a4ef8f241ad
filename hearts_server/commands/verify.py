"""``hearts-server verify``: reports in words if records are true, and the checks that were made."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from hearts.errors import CorruptRecord
from hearts.game.events import ChosenBy
from hearts.game.verify import DealReport, Proof, Report, verify_records
from hearts.wire.text import count_of, is_legible

_RIGHT, _WRONG, _UNREADABLE = 0, 1, 2
_MAX_BYTES = 64 * 1024 * 1024
_MOST_SHOWN = 80
"""Characters of a text that cannot be shown as it is."""

_PROOFS = {
    Proof.COMMITMENT: "commitment",
    Proof.CODE: "no commitment, deal code only",
    Proof.NONE: "hands given directly, no secret to check them by",
}
_MAKERS = {
    ChosenBy.CLOCK: "by the clock",
    ChosenBy.STAND_IN: "by a stand-in",
    ChosenBy.COMPUTER: "by a computer",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; give 0 if all is right, 1 if something is wrong, 2 if one cannot be read."""
    parser = argparse.ArgumentParser(
        prog="hearts-server verify",
        description="Check records of games: every deal is made again from its code, every "
        "commitment is compared, every choice is tried against the rules, and every trick and "
        "score is counted again.",
        epilog="Exit status: 0 all right, 1 something is wrong, 2 something cannot be read. "
        "The names of the players and the marks that say who chose are taken as they are.",
    )
    parser.add_argument(
        "records",
        nargs="+",
        metavar="RECORD",
        help="a file with one or more records; - for standard input",
    )
    given = parser.parse_args(sys.argv[1:] if arguments is None else arguments)
    return max(_check(name, show_name=len(given.records) > 1) for name in given.records)


def _check(name: str, *, show_name: bool) -> int:
    try:
        reports = verify_records(_text(name))
    except (OSError, UnicodeDecodeError, CorruptRecord) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        print(f"hearts-server verify: cannot read {_file(name)}: {why}", file=sys.stderr)
        return _UNREADABLE
    for report in reports:
        several = show_name or len(reports) > 1
        if several:
            _say(f"{_file(name)}, line {report.line}:")
        for line in report_lines(report):
            _say(f"  {line}" if several else line)
    return _WRONG if any(report.problem is not None for report in reports) else _RIGHT


def _text(name: str) -> str:
    if name == "-":
        data = sys.stdin.buffer.read(_MAX_BYTES + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise CorruptRecord(f"it has more than {_MAX_BYTES >> 20} MiB")
    return data.decode("utf-8")


def report_lines(report: Report) -> Iterator[str]:
    if report.rules is not None:
        players = ", ".join(map(_shown, report.names))
        yield f"players {players}; rules {report.rules}; end at {report.end_score}"
        for deal in report.deals:
            yield _deal_line(deal)
        for name, choices in zip(report.names, report.choices, strict=True):
            yield f"{_shown(name)}: {_choices(choices)}"
        if report.is_taken_back:
            yield "choices were taken back: no statistics count this game"
        yield _outcome(report)
        yield from _numbers(report)
        yield from _order(report)
    if report.problem is not None:
        yield f"WRONG: line {report.problem.line}: {report.problem.what}"
    else:
        yield "all right"


def _deal_line(deal: DealReport) -> str:
    checked = [_PROOFS[deal.proof], "4 hands"]
    if deal.shown is not None:
        checked.insert(1, count_of(sum(map(bool, deal.shown.values)), "number"))
    if deal.passed:
        checked.append(f"{deal.passed} passed cards")
    if deal.passed == 12:
        checked.append("12 received cards")
    checked += [count_of(deal.plays, "play"), count_of(deal.plays // 4, "trick")]
    if deal.points is not None:
        checked.append("points")
    if deal.scored:
        checked.append("scores")
    verdict = "all right" if deal.scored else "all right as far as it goes"
    if deal.aborted:
        verdict = "all right, broken off by the players"
    return f"deal {deal.number}: {', '.join(checked)}: {verdict}"


def _numbers(report: Report) -> Iterator[str]:
    """Count the values of each player that are missing."""
    all_shown = [deal.shown for deal in report.deals if deal.shown is not None]
    if not all_shown:
        return
    counts = [
        f"{_shown(name)} {sum(player in shown.missing for shown in all_shown)} of {of}"
        for player, name in enumerate(report.names)
        if (of := sum(bool(shown.hashes[player]) for shown in all_shown))
    ]
    yield f"numbers missing: {', '.join(counts)}"


def _order(report: Report) -> Iterator[str]:
    """Tell in words what a record cannot show of promises."""
    parts = []
    if any(deal.proof is Proof.COMMITMENT for deal in report.deals):
        parts.append("commitments")
    if any(deal.shown is not None for deal in report.deals):
        parts.append("numbers")
    if parts:
        what = f"{', '.join(parts)} and cards"
        yield f"{what}: which of them was there first no record can show"


def _choices(choices: Counter[ChosenBy]) -> str:
    total = choices.total()
    others = {by: choices[by] for by in _MAKERS if choices[by]}
    if len(others) == 1 and total in others.values():
        (by,) = others
        return f"{count_of(total, 'choice')}, all {_MAKERS[by]}"
    parts = [f"{count} {_MAKERS[by]}" for by, count in others.items()]
    return ", ".join([count_of(total, "choice"), *parts])


def _outcome(report: Report) -> str:
    scores = ", ".join(
        f"{_shown(name)} {score}" for name, score in zip(report.names, report.scores, strict=True)
    )
    if report.winners:
        winners = " and ".join(_shown(report.names[player]) for player in report.winners)
        return f"scores: {scores}; won by {winners}"
    if report.problem is not None or not report.deals:
        return f"scores: {scores}"
    last = report.deals[-1]
    where = f"after deal {last.number}" if last.scored or last.aborted else f"in deal {last.number}"
    return f"scores: {scores}; the record stops {where}, before the end of the game"


def _shown(text: str) -> str:
    # The author of the file must not be able to paint the terminal of those who check it.
    return text if is_legible(text) else ascii(text[:_MOST_SHOWN])


def _file(name: str) -> str:
    return "standard input" if name == "-" else _shown(name)


def _say(line: str) -> None:
    encoding = sys.stdout.encoding or "ascii"
    print(line.encode(encoding, "replace").decode(encoding))
