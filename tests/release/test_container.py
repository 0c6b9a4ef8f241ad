"""The image of Containerfile as a container, on this machine's network and with a volume.

buildah builds it and runc runs it, both as root. Its base is a Debian that debootstrap makes once,
in the user's cache: a registry may be out of reach.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hearts.settings.version import program_version
from tests.old.archive import BOT
from tests.release.tree import copy_tree
from tests.soak.soak_server import ROOT, free_port
from tests.web.test_reverse_proxies import running

LIMIT = 60
"""Seconds for what should take a few."""
GAMES = 12
TOOLS = ("buildah", "debootstrap", "runc")
DEBIAN = "bookworm"


def lacking() -> str:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return f"there is no {missing[0]}"
    return "" if os.geteuid() == 0 else "only root can run a container here"


pytestmark = [
    pytest.mark.heavy,
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(lacking()), reason=lacking()),
]


def cache() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hearts-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def base() -> Path:
    """Return the root folder of a small Debian."""
    folder = cache() / f"debian-{DEBIAN}"
    if not folder.exists():
        made = folder.with_suffix(".new")
        shutil.rmtree(made, ignore_errors=True)
        packages = "--include=python3-venv,ca-certificates"
        command = ("debootstrap", "--variant=minbase", packages, DEBIAN, made)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"debootstrap: {done.stdout[-200:]}")
        shutil.rmtree(made / "var" / "cache" / "apt" / "archives")
        shutil.rmtree(made / "var" / "lib" / "apt" / "lists")
        made.rename(folder)
    return folder


class Images:
    """Images that only this test has."""

    def __init__(self, folder: Path) -> None:
        settings = folder / "storage.conf"
        places = f'runroot = "{folder}/run"\ngraphroot = "{folder}/images"\n'
        settings.write_text(f'[storage]\ndriver = "overlay"\n{places}', "utf-8")
        self._environment = {**os.environ, "CONTAINERS_STORAGE_CONF": str(settings)}
        made = self.do("from", "scratch")
        self.do("add", "-q", made, str(base()), "/")
        self.do("commit", "-q", "--rm", made, "localhost/base")

    def remove(self) -> None:
        """Leave nothing mounted, so that the folder can be removed."""
        self.do("rm", "-a")

    def do(self, *words: str) -> str:
        done = subprocess.run(
            ["buildah", *words], env=self._environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def built(self, tree: Path) -> str:
        (cache() / "pip").mkdir(exist_ok=True)
        mounted = ("/etc/ssl/certs:/etc/ssl/certs:ro", f"{cache()}/pip:/root/.cache/pip")
        options = ["-q", "--isolation", "chroot", "--format", "docker"]
        options += [word for place in mounted for word in ("-v", place)]
        return self.do("build", *options, "--build-arg", "BASE=localhost/base", str(tree))

    def config(self, image: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.do("inspect", "--type", "image", image))
        config: dict[str, Any] = found["Docker"]["config"]
        return config

    def unpacked(self, image: str) -> str:
        return self.do("mount", self.do("from", "--pull-never", image))


class Container:
    """A container as compose.yaml has it: no root, no powers, and only /data can be written."""

    def __init__(
        self, images: Images, image: str, folder: Path, data: Path, port: int, metrics_port: int
    ) -> None:
        self.config = images.config(image)
        self._metrics_port = metrics_port
        self._folder = folder
        self._name = folder.name
        folder.mkdir()
        subprocess.run(["runc", "spec"], cwd=folder, check=True)
        settings = json.loads((folder / "config.json").read_text("utf-8"))
        own = ("--port", port, "--metrics-port", metrics_port, "--taunt-port", 0)
        alone = ("--web-port", 0)
        user, group = map(int, self.config["User"].split(":"))
        settings["process"] |= {
            "terminal": False,
            "user": {"uid": user, "gid": group},
            "args": [*self.config["Entrypoint"], *self.config["Cmd"], *map(str, own + alone)],
            "env": self.config["Env"],
            "capabilities": {},
        }
        settings["root"] = {"path": images.unpacked(image), "readonly": True}
        (volume,) = self.config["Volumes"]
        settings["mounts"].append({"destination": volume, "source": str(data), "options": ["bind"]})
        # All else is a container's own; its network would need a bridge.
        settings["linux"]["namespaces"].remove({"type": "network"})
        (folder / "config.json").write_text(json.dumps(settings), "utf-8")

    @contextmanager
    def runs(self) -> Iterator[subprocess.Popen[str]]:
        with subprocess.Popen(
            ["runc", "run", self._name], cwd=self._folder, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None
                assert any("password" in line for line in process.stdout)
                yield process
            finally:
                subprocess.run(["runc", "delete", "-f", self._name], capture_output=True)

    def do(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["runc", "exec", self._name, *words], capture_output=True, text=True, check=False
        )

    def is_healthy(self) -> bool:
        kind, *check = self.config["Healthcheck"]["Test"]
        assert kind == "CMD"
        own = [word.replace("7681", str(self._metrics_port)) for word in check]
        assert own != check
        return self.do(*own).returncode == 0

    def end(self, process: subprocess.Popen[str]) -> None:
        """End it as ``podman stop`` does."""
        subprocess.run(["runc", "kill", self._name, "TERM"], check=True)
        assert process.wait(LIMIT) == 0


@pytest.fixture
def images(tmp_path: Path) -> Iterator[Images]:
    made = Images(tmp_path)
    yield made
    made.remove()


def test_a_table_outlives_its_container_and_its_image(images: Images, tmp_path: Path) -> None:
    later = copy_tree(tmp_path / "later")
    project = later / "pyproject.toml"
    project.write_text(
        project.read_text("utf-8").replace(f'"{program_version()}"', '"9.9"', 1), "utf-8"
    )
    first, next_one = images.built(ROOT), images.built(later)
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, 10001, 10001)
    ports = free_port(), free_port()
    old, new = (
        Container(images, image, tmp_path / name, data, *ports)
        for name, image in ((f"hearts-{ports[0]}", first), (f"hearts-{ports[0]}-next", next_one))
    )
    with old.runs() as process:
        assert old.is_healthy()
        assert "Read-only" in old.do("touch", "/opt/hearts/x").stderr
        assert old.do("id", "-u").stdout == "10001\n"
        invited = old.do("hearts-server", "invitation").stdout
        assert "YOUR-ADDRESS" in invited
        password = invited.split("the password is ")[1].split()[0]
        where = ("--port", str(ports[0]), "--password", password, "--retry-limit", str(LIMIT))
        what = ("--count", "4", "--table", "bots", "--games", str(GAMES))
        with running(sys.executable, *BOT, "simple", *where, *what) as bots:
            said = bots.stdout
            assert said is not None
            assert any("game 1 ended" in line for line in said)
            old.end(process)
            with old.runs() as process:
                assert "9.9" not in old.do("hearts-server", "--version").stdout
                assert any("game 4 ended" in line for line in said)
                old.end(process)
            with new.runs() as process:
                assert "9.9" in new.do("hearts-server", "--version").stdout
                rest = said.read()
                assert bots.wait(LIMIT) == 0
                new.end(process)
    assert rest.count(f"game {GAMES} ended") == 4
