"""Passwords that the server makes: words that can be said on the telephone."""

from __future__ import annotations

import hmac
import secrets

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
    """A new password of 40 bits."""
    return _words(secrets.token_bytes(_COUNT))


def nodes_password(secret: bytes) -> str:
    """The password of all nodes that share a secret, which does not follow from it."""
    return _words(hmac.digest(secret, b"the password that nodes have made", "sha256")[:_COUNT])


def _words(numbers: bytes) -> str:
    return "-".join(WORDS[number] for number in numbers)
