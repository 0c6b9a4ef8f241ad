"""Tables that a connection asks for by name, with time handed in."""

from __future__ import annotations

from hearts.limits.tries import FREE_TRIES, LOOK_INTERVAL, NAMES_KNOWN, Looks, Pace

ANN = "192.0.2.1"


def ask(looks: Looks, name: str) -> bool:
    """Ask for a table that is not there; whether that is told."""
    is_told = looks.admits(name, 0.0)
    if is_told:
        looks.missed(0.0)
    return is_told


def test_names_that_were_asked_for_are_no_new_questions() -> None:
    looks = Looks(Pace(LOOK_INTERVAL), ANN)
    names = [f"table {number}" for number in range(FREE_TRIES)]
    assert all(ask(looks, name) for _ in range(3) for name in names)
    assert not ask(looks, "one more")
    assert not ask(looks, "one more"), "what was not told is not known"
    assert ask(looks, names[0])


def test_a_connection_keeps_few_names() -> None:
    pace = Pace(LOOK_INTERVAL)
    looks = Looks(pace, ANN)
    for number in range(NAMES_KNOWN + 1):
        assert looks.admits(f"table {number}", 0.0), "it is there"
    for _ in range(FREE_TRIES):
        assert ask(Looks(pace, ANN), "not there")
    assert not ask(looks, "table 0")
    assert ask(looks, "table 1")
