"""The modules of the page that need no page, in node; and what the page weighs."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import trio

from hearts.bots.swift.par import Par
from hearts.session.hand_link import format_link
from hearts.wire.day_chain import OVER_AFTER
from hearts_client.days.told import DayResult
from hearts_client.days.words import result_lines
from hearts_web.command import site_files
from hearts_web.files import LATER, PAGE, file_of, join_files, tag_of_all
from hearts_web.options import WebConfig
from tests.server.test_days import ANN, BOB, CLEO, DayHouse
from tests.session.test_hand_link import hands_by_chance

HERE = Path(__file__).parent
MOST_PACKED_BYTES = 212_000
TYPESCRIPT = "5.9.3"
"""Of TypeScript."""


def test_the_client_modules() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    tests = subprocess.run(
        [node, "--test", *HERE.glob("*.test.mjs")], capture_output=True, text=True, timeout=120
    )
    assert tests.returncode == 0, tests.stdout + tests.stderr


def test_two_hundred_links_lead_to_the_same_scores(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    given = []
    for seed in range(50):
        for hand in hands_by_chance(seed):
            game, played = hand.played()
            assert played.scored is not None
            points, link = played.scored.points, format_link(hand)
            given.append({"link": link, "points": points, "scores": game.scores})
    file = tmp_path / "links.json"
    file.write_text(json.dumps(given))
    command = [node, "--test", "--test-name-pattern=given links", str(HERE / "links.test.mjs")]
    env = {**os.environ, "LINKS": str(file)}
    tests = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert "# pass 1" in tests.stdout
    assert len(given) == 200


def shared_lines() -> list[object]:
    """The three lines to share of some results, as a terminal says them."""
    found: list[object] = []
    for place in (0, 1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111):
        for usual in (None, 12, 24, 25, 26.5):
            result = DayResult("2026-11-27", place, 130, (12, 0, 5, 8))
            sums = 0 if usual is None else int(usual * 2)
            hands = range(1, 1 if usual is None else 5)
            par = Par(8, (sums, 0, 0, 0), (1000, 0, 0, 0))
            said = list(result_lines(result, dict.fromkeys(hands, par), is_over=place > 9))[-3:]
            told = {"day": "2026-11-27", "place": place, "count": 130, "points": [12, 0, 5, 8]}
            found.append({"result": told, "usual": usual, "isOver": place > 9, "said": said})
    return found


async def test_what_a_server_tells_of_days(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    house = DayHouse()
    left = bytes(16)
    house.play(ANN, 1)
    house.play(BOB, 2)
    house.play(CLEO, network="127.0.0.1")
    house.play(left, hands=3)
    told: dict[str, object] = {"own": await house.told(ANN), "host": await house.told(CLEO)}
    told |= {"left": await house.told(left)}
    house.now += OVER_AFTER
    house.days.wants_listed = lambda name, begun: name == "Player 1"
    told |= {"over": await house.told(ANN), "open": await house.told(BOB)}
    told |= {"lines": shared_lines()}
    file = tmp_path / "days.json"
    file.write_text(json.dumps(told))
    command = [node, "--test", "--test-name-pattern=every line", str(HERE / "days.test.mjs")]
    env = {**os.environ, "DAYS": str(file)}
    tests = await trio.run_process(command, capture_stdout=True, check=False, env=env)
    assert tests.returncode == 0, tests.stdout
    assert b"# pass 1" in tests.stdout


def test_the_client_modules_need_no_page() -> None:
    for module in (PAGE / "client").glob("*.js"):
        text = module.read_text(encoding="utf-8")
        assert "from '../" not in text, module.name
        assert "document." not in text, module.name


def test_the_page_asks_nobody_else_and_is_small() -> None:
    packed = 0
    for file in PAGE.rglob("*"):
        if file.suffix not in {".js", ".css", ".html", ".svg"} or file.suffixes == [".d", ".ts"]:
            continue
        data = file.read_bytes()
        packed += len(gzip.compress(data))
        text = data.decode()
        own = text.replace("http://www.w3.org/", "").replace("// https://hyperelliptic.org/", "")
        assert "http://" not in own, file.name
        assert "https://" not in own, file.name
    assert packed < MOST_PACKED_BYTES


def test_a_browser_keeps_all_that_the_page_loads() -> None:
    files = site_files(PAGE, WebConfig())
    told = json.loads(files["/config.json"].plain.data)
    loaded, found = set(), ["/"]
    while found:
        path = found.pop()
        loaded.add(path)
        text = files[path].plain.data.decode()
        named = re.findall(r"(?:from|src=|href=|import) ?['\"]([\w./-]+)['\"]", text)
        near = (Path(path).parent / name for name in named)
        paths = {re.sub(r"[^/]+/\.\./", "", each.as_posix()) for each in near}
        found += (each for each in paths - loaded if each.endswith(".js"))
        loaded |= paths
    assert len(loaded) == 7
    assert sorted(f".{path}" for path in loaded) == sorted(told["files"])
    lasting = {path for path, file in files.items() if file.lasts}
    (later,) = (path for path in lasting if path.startswith(f"/{LATER}-"))
    assert files[later].plain.data == (PAGE / "vendor" / "ed25519.js").read_bytes()
    assert lasting - {later} == loaded - {"/", "/icon-192.png", "/manifest.webmanifest"}
    assert files["/manifest.webmanifest"].kind == "application/manifest+json"


def test_modules_are_joined_or_refused() -> None:
    def joined(**texts: str) -> str:
        texts |= {"index.html": '<script type="module" src="a.js"></script>'}
        made = join_files({f"/{name}": file_of(text.encode(), "") for name, text in texts.items()})
        return "".join(file.plain.data.decode() for file in made.values())

    ring = {"a.js": "import { b } from './b.js';\n", "b.js": "import { a } from './a.js';\n"}
    with pytest.raises(ValueError, match="imports itself"):
        joined(**ring)
    with pytest.raises(ValueError, match="cannot be joined: export default 1"):
        joined(**{"a.js": "export default 1;\n"})


def test_a_module_of_others_that_is_loaded_later_is_a_file_of_its_own() -> None:
    texts = {
        "index.html": '<script type="module" src="app/a.js"></script>',
        "app/a.js": "const { c } = await import('../vendor/c.js');\n",
        "vendor/c.js": "export const c = 1;\n",
    }
    made = join_files({f"/{name}": file_of(text.encode(), "") for name, text in texts.items()})
    (later,) = (path for path in made if path.startswith(f"/{LATER}-"))
    assert made[later].plain.data.decode() == texts["vendor/c.js"]
    assert made[later].lasts
    (joint,) = (made[path] for path in made if path.startswith("/page-"))
    assert f"const {{ c }} = await import('.{later}');" in joint.plain.data.decode()
    assert later not in made["/"].plain.data.decode()


def test_the_tag_of_the_page_is_another_one_for_another_page() -> None:
    one, other = file_of(b"1", "text/plain"), file_of(b"2", "text/plain")
    tags = [tag_of_all(files) for files in ({"/": one}, {"/": other}, {"/a": one}, {})]
    assert len(set(tags)) == 4


@pytest.mark.heavy
def test_the_types_of_the_page() -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "hearts-tests" / f"typescript-{TYPESCRIPT}"
    compiler = folder / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder)]
        got = subprocess.run([*install, f"typescript@{TYPESCRIPT}"], capture_output=True, text=True)
        if got.returncode != 0:
            pytest.skip(f"npm could not install typescript: {got.stderr.strip()[-200:]}")
    checked = subprocess.run([compiler, "-p", PAGE], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
