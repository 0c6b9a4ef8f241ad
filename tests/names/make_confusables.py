"""Makes the table of hearts/names/confusables.py: ``python -m tests.names.make_confusables FILE``.

It reads ``confusables.json`` of the package ``confusable-homoglyphs`` 3.3.1 (Unicode 15.1, UTS 39),
whose path is the argument: for each character those that look like it, in both directions.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

TABLE = Path(__file__).parents[2] / "hearts" / "names" / "confusables.py"
SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "COMBINING", "EXTENDED ARABIC-INDIC DIGIT")
_HEAD = '''"""Characters that look alike, of Latin, Greek and Cyrillic letters, and digits.

Made by tests/names/make_confusables.py out of Unicode's confusables.txt (UTS 39, version 15.1),
(c) 2023 Unicode, Inc., used under the Unicode License v3 (https://www.unicode.org/license.txt).
"""

from __future__ import annotations

UNICODE_VERSION = "15.1"
'''
_FOOT = '''"""Words in pairs: what stands for all characters of the word behind it."""
'''
WIDTH = 92


def stays(character: str) -> bool:
    """Return True if NFKD leaves a character alone, so that the table has to know it."""
    return unicodedata.normalize("NFKD", character) == character


def is_wanted(character: str) -> bool:
    if character.isascii():
        return character.isprintable()
    name = unicodedata.name(character, "")
    return stays(character) and name.startswith(SCRIPTS)


def pairs(file: Path) -> dict[str, str]:
    """Return the character, or the two or three, that stand for each that looks like them."""
    data = json.loads(file.read_text(encoding="utf-8"))
    groups: dict[str, set[str]] = {}
    several: dict[str, str] = {}
    for character, others in data.items():
        for other in (each["c"] for each in others):
            if len(character) == 1 and len(other) == 1:
                joined = groups.get(character, {character}) | groups.get(other, {other})
                groups.update(dict.fromkeys(joined, joined))
            elif len(character) == 1 and 1 < len(other) <= 3 and other.isascii():
                several[character] = other
    found = {}
    for character in sorted(groups.keys() | several.keys()):
        if not is_wanted(character):
            continue
        group = groups.get(character, {character})
        # ASCII first, then the letter that stands for most others.
        stands = min(group, key=lambda each: (not each.isascii(), not each.islower(), each))
        stands = several.get(stands, several.get(character, stands))
        if stands != character and is_wanted(stands[0]):
            found[character] = stands
    return found


def table(found: dict[str, str]) -> str:
    """Return the module."""
    by_stand: dict[str, str] = {}
    for character, stands in found.items():
        by_stand[stands] = by_stand.get(stands, "") + character
    lines, line = [], ""
    for word in (ascii(w)[1:-1] for pair in sorted(by_stand.items()) for w in pair):
        if len(line) + len(word) > WIDTH:
            lines.append(line)
            line = ""
        line += word.replace("\\'", "'").replace('"', '\\"') + " "
    rows = "".join(f'    "{each}"\n' for each in [*lines, line])
    return f"{_HEAD}LIKE = (\n{rows})\n{_FOOT}"


if __name__ == "__main__":
    found = pairs(Path(sys.argv[1]))
    TABLE.write_text(table(found), encoding="ascii")
