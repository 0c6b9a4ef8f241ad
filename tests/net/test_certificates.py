"""The files that TLS needs: what is wrong with them, and new ones for old."""

from __future__ import annotations

import logging
import os
import shutil
import ssl
from pathlib import Path

import pytest
import trio

from hearts.net import (
    Certificate,
    TlsError,
    TlsLink,
    client_tls,
    connect_to_own,
    open_listeners,
    server_tls,
)

from .link_ends import TIMEOUT, receive_exactly
from .tls_peers import FILES, HOST, context, echo


class TestFiles:
    @pytest.mark.parametrize(
        ("certificate", "key", "told"),
        [
            ("house.pem", "stranger.key", "does not belong to the certificate"),
            ("house.pem", "locked.key", "has a password"),
            ("house.pem", "house.pem", "no PEM file with a private key"),
            ("house.key", "house.key", "no PEM file with a certificate"),
            ("nothing.pem", "house.key", "No such file"),
            ("house.pem", "nothing.key", "No such file"),
        ],
    )
    def test_files_that_cannot_be_used(self, certificate: str, key: str, told: str) -> None:
        with pytest.raises(TlsError, match=told) as caught:
            server_tls(FILES / certificate, FILES / key)
        assert "\n" not in str(caught.value)

    def test_a_torn_file(self, tmp_path: Path) -> None:
        torn = tmp_path / "torn.pem"
        torn.write_bytes((FILES / "house.pem").read_bytes()[:200])
        with pytest.raises(TlsError, match=r"cannot use the certificate"):
            server_tls(torn, FILES / "house.key")
        with pytest.raises(TlsError, match=r"cannot use the certificates of .*torn\.pem"):
            client_tls(torn, insecure=False)

    def test_a_file_of_trust_that_is_none(self) -> None:
        with pytest.raises(TlsError, match="no PEM file with a certificate"):
            client_tls(FILES / "README.md", insecure=False)
        with pytest.raises(TlsError, match="No such file"):
            client_tls(FILES / "nothing.pem", insecure=False)

    def test_trust_of_the_system_checks_names(self) -> None:
        made = client_tls(None, insecure=False)
        assert made.check_hostname
        assert made.verify_mode is ssl.CERT_REQUIRED


class TestRenewal:
    async def test_new_files_count_for_new_connections(
        self, tmp_path: Path, nursery: trio.Nursery
    ) -> None:
        certificate = self.lay(tmp_path, "house", "house")
        before = certificate.context
        await certificate.renew()
        assert certificate.context is before
        nursery.start_soon(certificate.watch, 0.01)
        self.copy(tmp_path, "stranger", "stranger")
        with trio.fail_after(TIMEOUT):
            while certificate.context is before:  # noqa: ASYNC110
                await trio.sleep(0.01)
        nursery.cancel_scope.cancel()

    async def test_files_that_do_not_fit_change_nothing_until_they_do(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        certificate = self.lay(tmp_path, "house", "house")
        before = certificate.context
        self.copy(tmp_path, "stranger", "house")
        await certificate.renew()
        assert certificate.context is before
        assert "certificate-not-renewed" in caplog.text
        (tmp_path / "own.key").unlink()
        await certificate.renew()
        assert certificate.context is before
        self.copy(tmp_path, "stranger", "stranger")
        await certificate.renew()
        assert certificate.context is not before
        assert "certificate-renewed" in caplog.text

    def lay(self, folder: Path, certificate: str, key: str) -> Certificate:
        self.copy(folder, certificate, key)
        return Certificate(folder / "own.pem", folder / "own.key")

    def copy(self, folder: Path, certificate: str, key: str) -> None:
        for name, ending in ((certificate, "pem"), (key, "key")):
            shutil.copy(FILES / f"{name}.{ending}", folder / "new")
            os.replace(folder / "new", folder / f"own.{ending}")


class TestOwn:
    """The two servers of one host, who know each other by their certificate."""

    @pytest.mark.parametrize("name", ["house", "elsewhere", "expired"])
    async def test_the_own_certificate_is_enough(self, name: str, nursery: trio.Nursery) -> None:
        port = await self.listen(name, nursery)
        async with await connect_to_own(HOST, port, FILES / f"{name}.pem") as stream:
            await stream.send_all(b"x")
            assert await receive_exactly(stream, 1) == b"x"
        nursery.cancel_scope.cancel()

    async def test_any_other_is_not(self, nursery: trio.Nursery) -> None:
        port = await self.listen("stranger", nursery)
        with pytest.raises(TlsError, match=r"another certificate than .*house\.pem"):
            await connect_to_own(HOST, port, FILES / "house.pem")
        nursery.cancel_scope.cancel()

    async def listen(self, name: str, nursery: trio.Nursery) -> int:
        async def serve(stream: trio.SocketStream) -> None:
            link = TlsLink(stream, nursery, context(name))
            await link.run(echo(link))

        listeners = await open_listeners(HOST, 0)
        nursery.start_soon(trio.serve_listeners, serve, listeners)
        return int(listeners[0].socket.getsockname()[1])
