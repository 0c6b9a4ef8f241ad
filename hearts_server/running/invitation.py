"""The lines that a host is told when their server starts: the way in for friends, a word on who
else may come in, and the password that the server has made."""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Iterator

from hearts.wire.ssh_door import DoorOpened
from hearts_server.config import Config, fills_container, in_container

DEFAULT_TAUNT_PORT = 7627
"""The port at which a client looks for the chat."""
_SSH_PORT = 22


def invitation(config: Config, address: str, taunt_port: int) -> Iterator[str]:
    """Say what friends type to play here, and a warning if strangers may come as well.

    ``address`` is one that the server listens on.
    """
    port = address.rpartition(":")[2]
    host = _reached_at(config.host)
    name = f"[{host}]" if ":" in host else host
    where = name if port == "7626" else f"{name}:{port}"
    tls = "" if config.tls_cert is None else "--tls "
    chat = "" if taunt_port == DEFAULT_TAUNT_PORT else f" --taunt-port {taunt_port}"
    yield f"friends play with: hearts-client {tls}{where}{chat}"
    if config.password or host.startswith(("127.", "::1", "localhost")):
        return
    if config.open:
        yield "warning: anybody who reaches this address can play"
    else:
        own = "this machine" if in_container() else "this machine and its own network"
        yield f"only {own} can play; --password auto, or --open, lets others in"


def web_invitation(config: Config, port: int) -> str:
    """Say where friends play in a browser: the page is at this port."""
    host = _reached_at(config.web_address)
    name = f"[{host}]" if ":" in host else host
    page = f"{'http' if config.tls_cert is None else 'https'}://{name}:{port}/"
    words = "&words=PASSWORD" if config.password else ""
    return f"play in a browser: {page} (friends meet at their own table: {page}#table=NAME{words})"


def ssh_invitation(config: Config, opened: DoorOpened) -> str:
    """Say what friends type who have neither the program nor a browser."""
    port = "" if opened.port == _SSH_PORT else f"-p {opened.port} "
    host = _reached_at(config.host)
    return f"play by ssh: ssh {port}play@{host} (the key of the door: {opened.fingerprint})"


def _reached_at(host: str) -> str:
    return _own_address() if host in ("", "0.0.0.0", "::") else host


def _own_address() -> str:
    if fills_container():
        return "YOUR-ADDRESS"
    # Connecting a datagram socket sends nothing; it only picks the interface.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


_TEXT = """
    acorn album amber angle ankle apple apron arch arrow atlas attic autumn badge bagel baker
    banjo barn basil basket beach bead bean bear beaver bell bench berry bird bishop blanket
    boat bonnet book boot bottle bowl branch brave bread brick bridge broom brown brush bucket
    butter button cabin cable cactus cake camel camera canal candle canoe canyon carpet carrot
    castle cedar cello chair chalk cheese cherry chest circle clay cliff clock cloud clover
    coach cobalt cocoa coffee comet copper coral corner cotton cousin crane crayon cream cricket
    crown crystal curtain daisy dance desert diamond dinner dolphin donkey door dragon drawer
    dream drum eagle easel echo elbow elm ember engine fable falcon farmer feather fence fern
    fiddle field finger flag flame flute forest fossil fountain fox frost garden garlic gate
    ginger giraffe globe glove goat golden goose grape gravel green guitar hammer harbor harvest
    hazel heron hill honey horse island ivory jacket jasmine jelly jewel jungle kettle kitchen
    kite koala ladder lagoon lake lamp lantern laurel lemon letter lily linen lion lizard
    lobster magnet mango maple marble meadow melon mirror mitten monkey moon mountain muffin
    mule museum needle nest noodle north oasis ocean olive onion orange orchid otter oven oyster
    paddle palace panda paper parrot pasta peach pebble pencil penguin pepper piano pickle
    pigeon pillow pine planet plum pocket pond poppy potato prairie pumpkin puzzle quartz quilt
    rabbit radio raven ribbon river robin rocket rose saddle sailor salmon scarf shadow shell
    silver sofa spruce squirrel stone summer sunset swan table thunder tiger tulip turtle
    umbrella valley violin
"""
WORDS = tuple(_TEXT.split())
"""256 words, so each is worth 8 bits."""
_COUNT = 5


def made_password() -> str:
    return _words(secrets.token_bytes(_COUNT))


def nodes_password(secret: bytes) -> str:
    return _words(hmac.digest(secret, b"the password that nodes have made", "sha256")[:_COUNT])


def _words(numbers: bytes) -> str:
    return "-".join(WORDS[number] for number in numbers)
