"""The limits of SocketSpec.md 11, each with its constant, as the table that stands there.

``python -m tests.docs.limits`` writes the table into the document.
"""

from __future__ import annotations

import re

from hearts.dealer import frames, listener, structures
from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES
from hearts.hosting import waiting_notices as waiting
from hearts.hosting import watchers
from hearts.limits import news, tries, work
from hearts.limits.table_limits import FIRST_TABLES
from hearts.names import proof
from hearts.net import link
from hearts.plain import seat
from hearts.session import messages
from hearts.table import games, seats, wishes
from hearts.table import seat as clocks
from hearts.taunt import messages as taunts
from hearts.wire.codec import NAME_LIMIT, TEXT_LIMIT
from hearts.wire.text import NOTICE_NAMES
from hearts_server import server
from hearts_server.config import Config
from hearts_server.lobby import (
    arrival,
    named_tables,
    open_connections,
    passwords,
    seating,
    sessions,
)
from hearts_server.names import claims, stored
from hearts_server.names import waiting as waiting_keys
from taunt_server import connection, room
from taunt_server import limits as chat
from taunt_server import server as chat_server

from .spec import FILE, sections

CONFIG = Config()
NOTICES = " and ".join(f"`{name}`" for name in NOTICE_NAMES)
TABLE = f"""\
| what | value | unit | host may change |
|---|---|---|---|
| port of the game server | {CONFIG.port} | port | yes |
| port of the taunt server | {CONFIG.taunt_port} | port | yes |
| tables at the same time, at most | {CONFIG.max_tables} | tables | yes |
| connections from one address, at most (0: no limit) | {CONFIG.max_per_address} | connections | yes |
| hands of a session, at most (0: no limit) | {CONFIG.max_hands} | hands | yes |
| hands before that from which no other game begins | {games.LAST_HANDS} | hands | no |
| work for what nobody waits for, each second and connection (0: no limit) | {CONFIG.work_per_connection} | milliseconds | yes |
| pause of reading from a connection that caused more, at most | {work.LONGEST_PAUSE:g} | seconds | no |
| work for pings, frames that mean nothing and repeats, each second and in all | {1000 * work.IDLE_SHARE:g} | milliseconds | no |
| unfinished tables that were opened from one IPv4 address, at most (0: no limit) | {CONFIG.tables.ipv4[0]} | tables | yes |
| from its /24 | {CONFIG.tables.ipv4[1]} | tables | yes |
| unfinished tables that were opened from one IPv6 /64, at most (0: no limit) | {CONFIG.tables.ipv6[0]} | tables | yes |
| from its /56 | {CONFIG.tables.ipv6[1]} | tables | yes |
| from its /48 | {CONFIG.tables.ipv6[2]} | tables | yes |
| first tables of a network that never end early to make room | {FIRST_TABLES} | tables | no |
| other tables may do so without any client after | {named_tables.ROOM_AFTER:g} | seconds | no |
| connections that one address may open at once | {CONFIG.accept_burst} | connections | yes |
| and in a second from then on (0: no limit) | {CONFIG.accept_rate} | connections | yes |
| length of a player's name, at most | {NAME_LIMIT} | bytes | no |
| names that no player has (3.2), {NOTICES} | {len(NOTICE_NAMES)} | names | no |
| length of a table's name, at most | {NAME_LIMIT} | bytes | no |
| length of any other text, at most | {TEXT_LIMIT} | bytes | no |
| option blocks, at most | {messages.MAX_OPTION_BLOCKS} | blocks | no |
| payload of an unknown option block, at most | {TEXT_LIMIT} | bytes | no |
| tables in a list, at most | {messages.MAX_LISTED_TABLES} | tables | no |
| texts in a reply to block -16, at most | {messages.MAX_GREETING} | texts | no |
| length of an address in block -17, at most | {proof.ADDRESS_LIMIT} | bytes | no |
| texts in a reply to block -18, at most | {proof.MOST_NOTES} | texts | no |
| names that one address may claim in 24 h | {claims.CLAIMS.ipv4[0]} | names | no |
| a name that was claimed falls free without a game after | {stored.PROBATION // stored.DAY} | days | no |
| a name that nobody proves falls free after | {stored.UNUSED // stored.DAY} | days | no |
| keys of a name, at most, those counted that it has lost in seven days | {claims.MOST_KEYS} | keys | no |
| a key waits to be let in, at most | {waiting_keys.WAITS:g} | seconds | no |
| wrong codes for a name in that time, at most | {waiting_keys.TRIES} | codes | no |
| keys of a name that wait, at most | {waiting_keys.MOST_OF_NAME} | keys | no |
| a key revokes older ones after | {claims.SEASON // stored.DAY} | days | no |
| wait for the Player ID, at most | {seating.WAIT_LIMIT:g} | seconds | no |
| from Player ID to Process ID, at most | {arrival.REGISTRATION_LIMIT:g} | seconds | no |
| a seat that waits for a Process ID yields to others after | {seating.YIELDS_AFTER:g} | seconds | no |
| to others in another network, if it is not the first of its own | {seating.SECOND_YIELDS_AFTER:g} | seconds | no |
| people of a network who may be unregistered before their seats yield at once | {seating.FRIENDS} | people | no |
| a public table is filled with computers after | {CONFIG.fill_after:g} | seconds | yes |
| end of game, at least | {END_SCORES.start} | points | no |
| end of game, at most | {END_SCORES.stop - 1} | points | no |
| end of game, default | {DEFAULT_END_SCORE} | points | yes |
| turn limit in block -2, at least | {messages.TURN_LIMITS.start} | seconds | no |
| turn limit in block -2, at most | {messages.TURN_LIMITS.stop - 1} | seconds | no |
| turn limit, default | {CONFIG.turn_limit} | seconds | yes |
| a clock starts at the latest after | {clocks.OWING_LIMITS} | turn limits | no |
| lost to the clock for one player in one hand, at most | {clocks.LOST_LIMITS} | turn limits | no |
| short limit | {clocks.HURRIED_LIMIT:g} | seconds | no |
| part of the limit that is taken from no bank | 1/{clocks.FREE_PART:g} | turn limits | no |
| bank of a hand | {clocks.BANK_LIMITS} | turn limits | no |
| bank of a hand, at least | {clocks.LEAST_BANK:g} | seconds | no |
| limit with an empty bank, at least | {clocks.LEAST_LIMIT:g} | seconds | no |
| more time for a choice in the middle of which you come back | {clocks.RETURN_TIME:g} | seconds | no |
| before that, for the acks of what you missed, at most | {clocks.REPLAY_LIMIT:g} | seconds | no |
| the illegal try for one choice that makes the server decide | {clocks.MAX_TRIES} | try | no |
| grace period before a stand-in plays | {CONFIG.grace:g} | seconds | yes |
| grace periods in one game, in all | {clocks.GRACES_IN_GAME} | grace periods | no |
| a table without any client ends after | {CONFIG.pause_limit:g} | seconds | yes |
| a session that is over can be come back to for, at most | {sessions.FINISHED_KEPT:g} | seconds | no |
| names of tables that are not there that an address may ask for at once | {tries.FREE_TRIES} | names | no |
| time for each name more | {tries.LOOK_INTERVAL:g} | seconds | no |
| connections beyond the limits that may come back, in all | {open_connections.RESERVE} | connections | no |
| connections beyond the limits that may come back, from one address | {open_connections.RESERVE_PER_ADDRESS} | connections | no |
| the same, from Player ID to Process ID, at most | {arrival.RESERVE_LIMIT:g} | seconds | no |
| wrong passwords of an address that cost no time | {tries.FREE_TRIES} | tries | no |
| time for each one more in block -7 | {tries.WORD_INTERVAL:g} | seconds | no |
| passwords that are looked at in a second, of all addresses | {tries.WORDS_A_SECOND} | passwords | no |
| longest wait of a block -7 | {tries.LONGEST_WORD_WAIT:g} | seconds | no |
| an address is known after the right password for | {passwords.KNOWN_FOR / 86400:g} | days | no |
| wrong numbers in block -5 from an address that cost no time | {tries.FREE_TRIES} | tries | no |
| time for each one more in block -5 | {tries.GUESS_INTERVAL:g} | seconds | no |
| time between two tries for one seat that are looked at | {tries.SEAT_INTERVAL:g} | seconds | no |
| longest wait of a block -5 | {tries.LONGEST_WAIT:g} | seconds | no |
| hands that are played when the server shuts down, at most | {server.DRAIN_LIMIT:g} | seconds | no |
| bytes that wait until they are due, at most | {seat.EARLY_LIMIT} | bytes | no |
| bytes of frames that wait until the answer before them is taken up, at most | {listener.EARLY_LIMIT} | bytes | no |
| acks owed, at most | {seat.OWED_LIMIT} | acks | no |
| bytes waiting for a slow reader, at most | {link.BACKLOG_LIMIT} | bytes | no |
| bytes of what a client missed that wait for it when it is told more, at most | {arrival.BACKLOG_AT_MOST} | bytes | no |
| time for it to read so far | {arrival.READING_LIMIT:g} | seconds | no |
| reading on before a connection is closed, at most | {link.LINGER:g} | seconds | no |
| length of a taunt, at most | {taunts.TAUNT_LIMIT} | bytes | no |
| length of a taunt that is dropped with a notice, at most | {taunts.DISCARD_LIMIT} | bytes | no |
| taunts of a player in {chat.TAUNT_WINDOW:g} s, at most | {chat.TAUNTS} | taunts | no |
| time over which taunts are counted | {chat.TAUNT_WINDOW:g} | seconds | no |
| time between two notices about too many taunts, at least | {chat.TAUNT_WINDOW:g} | seconds | no |
| from connecting to the taunt server to registering, at most | {connection.REGISTRATION_SECONDS:g} | seconds | no |
| the same while more than half of its places are taken, at most | {chat_server.QUICKLY:g} | seconds | no |
| taunt connections of a seat, at most | {room.CONNECTIONS_PER_SEAT} | connections | no |
| notices of a game that are sent to who registers later, at most | {room.NOTICES_KEPT} | notices | no |
| of these about deals, at most | {room.DEALS_KEPT} | notices | no |
| changes of a player's coming and going that are told at once, at most | {news.NEWS_AT_ONCE} | changes | no |
| time for each one more that is told | {news.NEWS_EVERY:g} | seconds | no |
| notices that nobody hears are kept for | {room.NOTICES_SECONDS:g} | seconds | no |
| wrong registrations of an address at the taunt server that cost no time | {tries.FREE_TRIES} | registrations | no |
| time for each one more | {tries.GUESS_INTERVAL:g} | seconds | no |
| time between two registrations for one seat that are answered after wrong ones | {tries.SEAT_INTERVAL:g} | seconds | no |
| longest wait of a registration at the taunt server | {tries.LONGEST_WAIT:g} | seconds | no |
| payload of a frame of a client, at most | {frames.CLIENT_PAYLOAD_LIMIT} | bytes | no |
| payload of a frame of the server, at most | {frames.SERVER_PAYLOAD_LIMIT} | bytes | no |
| payload of a ping, at most | {structures.PING_LIMIT} | bytes | no |
| answers that cannot be taken, between two that were, at most | {listener.USELESS_LIMIT} | answers | no |
| time that a promise waits for a client that has just come to say whether it cuts | {seats.HASH_LIMIT:g} | seconds | no |
| time to agree to other rules, or to break off what is played | {wishes.VOTE_LIMIT:g} | seconds | no |
| proposals in a game, at most | {wishes.MOST_PROPOSALS} | proposals | no |
| first P_WAITING after | {waiting.FIRST_AFTER:g} | seconds | no |
| the next ones every | {waiting.EVERY:g} | seconds | no |
| length of a player's comment about themselves, at most | {structures.COMMENT_LIMIT} | bytes | no |
| watchers of a table, at most | {watchers.MOST_WATCHERS} | watchers | no |
| delay for watchers | {CONFIG.watch_delay:g} | seconds | yes |
| bytes that a watcher may send between two pings, at most | {listener.IDLE_BYTES} | bytes | no |
"""  # noqa: E501


def shown_table() -> str:
    (shown,) = re.findall(r"(?:^\|.*\n)+", sections()["11"], flags=re.M)
    return str(shown)


def main() -> None:
    """Write the table into the document."""
    text = FILE.read_text(encoding="utf-8")
    FILE.write_text(text.replace(shown_table(), TABLE), encoding="utf-8")


if __name__ == "__main__":
    main()
