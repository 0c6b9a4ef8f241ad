"""What SocketSpec.md asks of every client, whatever it speaks behind its Process ID, as checks."""

from __future__ import annotations

from hearts_conformance.checks import Check, Level

MAY = Level.MAY

# Registration

SILENT = Check(
    "start.silent",
    "3.1",
    "send nothing before the Player ID",
    "Read the Player ID first, for a refusal may come in its place; then send the name.",
    Level.SHOULD,
)
NAME = Check(
    "register.name",
    "3.2",
    "send a name of 1 to 30 bytes as a str",
    "A str is an int with the number of bytes and the final NUL, most significant byte first (1.3),"
    " then UTF-8, then one NUL (1.4).",
)
STR_LENGTH = Check(
    "str.length",
    "1.4",
    "the length of a str counts its bytes and the final NUL",
    'The empty text has length 1, "Ann" has 4. Count bytes of UTF-8, not characters.',
)
BLOCKS = Check(
    "register.blocks",
    "3.3",
    "option blocks in their order, each once, as the table has them",
    "Send -10, -7, -8, then -4 or -5, then -2; none is needed.",
    MAY,
)
REPLIES = Check(
    "register.replies",
    "3.3",
    "read the reply of a block before sending what follows",
    "A refusal ends the connection, and what was sent behind the block is lost. Block -2 alone has"
    " no reply.",
    Level.SHOULD,
)
WISHES = Check(
    "register.wishes",
    "3.4",
    "block -2 with three ints that have a meaning",
    "Bits 4-5 are 1 for Hearts; bits 0 and 21-31 are 0.",
    MAY,
)
PROCESS_ID = Check(
    "register.process",
    "3.8",
    "send a Process ID of 0 or more, then wait for what answers it",
    "One int of 0 or more behind the name and the blocks; nothing after it.",
)
RANDOM = Check(
    "register.random",
    "3.8",
    "draw the Process ID at random, anew for each session",
    "0 to 2147483647, by a generator for secrets; not the number of the process, a counter or a"
    " time. It is half of the proof of your seat.",
)
DIRECTION = Check(
    "pass.direction",
    "6.1",
    "pass as each hand says, whatever the cycle",
    "Go by the direction of Pass (P_NEW_HAND), not by a count of your own: with pass=cycle3 the"
    " fourth hand is no hold hand.",
)
REFUSED_SEAT = Check(
    "refused.player",
    "3.7",
    "take a negative Player ID as a refusal, say nothing and close",
    "Ints are signed (1.3). After a refusal read the end of the stream and close.",
)

REFUSED_REPLY = Check(
    "refused.reply",
    "3.3",
    "take a negative int in place of a reply as a refusal, say nothing more and close",
    "Behind block -10 a str with the reason follows. Then read the end of the stream and close.",
    MAY,
)
LISTED = Check(
    "list.read",
    "3.5",
    "read the list of tables that block -8 asks for, whatever is in it",
    "A count of 0 to 100, then for each table a str, two ints and four strs; names may be empty.",
    MAY,
)

# The stream

SPLIT = Check(
    "stream.split",
    "1.6",
    "read messages that arrive byte by byte",
    "A recv gives what is there: read until you have as many bytes as you need.",
)
JOINED = Check(
    "stream.joined",
    "1.6",
    "read several messages that arrive in one piece",
    "Keep what you have read beyond the end of a message.",
)
STAYS = Check(
    "stream.stays",
    "1.7",
    "stay connected until the server ends the connection",
    "Whatever came, read on, and answer what is asked. If your program has ended, --output FILE"
    " keeps what it says.",
)
END = Check(
    "end.close",
    "1.7",
    "after the last game read the end of the stream and close",
    "The server shuts its side; send nothing more, read the end, close.",
)

# Coming back

NUMBERS = Check(
    "back.numbers",
    "5.6",
    "come back with block -5 and the numbers of the seat",
    "Game number, Game ID, Player ID and Process ID of the first registration; at its end the "
    "Process ID again.",
    MAY,
)
TRY_AGAIN = Check(
    "back.try-again",
    "5.6",
    "try again when coming back is refused with -1 or -4",
    "Wait a little longer after each try; give up at -103 and -104.",
    MAY,
)
POWER_CUT = Check(
    "back.power-cut",
    "5.6",
    "after -103 to a count of 1 or more try once more with hands -1",
    "A power cut can cost the server the last hand. Forget the seat when -1 is refused too.",
    Level.SHOULD,
)
OVER = Check(
    "back.over",
    "5.6",
    "after -104 in place of the reply of block -5 forget the seat: close, and do not ask again",
    "The session is over, or the seat is not yours any more. Only -1, -2, -4 and -106 mean later.",
    MAY,
)
HANDS = Check(
    "back.hands",
    "5.6",
    "name a number of hands whose Scores (P_DONE_HAND) you have had, or -1",
    "Count them in the whole session, over all its games. Fewer need the flag of that hand.",
    MAY,
)
GOES_ON = Check(
    "back.goes-on",
    "5.6",
    "play on after coming back, to the end of the session",
    "What follows is read as always, be it told again or new.",
    MAY,
)

OPEN_SEAT = Check(
    "seat.open",
    "14.8",
    "at a table by its name, take an open seat: begin with a hand in the middle of the game",
    "Any direction can be the first one, and the first Scores have the whole standing. Hands are "
    "counted from there.",
    MAY,
)

# The chat

CHAT = Check(
    "chat.register",
    "9.2",
    "register at the taunt server with four ints of your seat",
    "Game number, Game ID, Player ID, Process ID; once, after 3.8.",
    MAY,
)
TAUNT = Check(
    "chat.send",
    "9.3",
    "send a taunt behind the same four ints, as a str of up to 127 bytes",
    "Four ints with each taunt, then the str.",
    MAY,
)
CHAT_HEARD = Check(
    "chat.hear",
    "9.4",
    "read taunts of players 0-3 and notices of -1, and send no answer",
    "An int, then a str; both can come at any time.",
    MAY,
)
CHAT_SPLIT = Check(
    "chat.split",
    "1.6",
    "read taunts that arrive byte by byte",
    "As on the game's connection.",
    MAY,
)
CHAT_JOINED = Check(
    "chat.joined",
    "1.6",
    "read a status and taunts that arrive in one piece",
    "As on the game's connection.",
    MAY,
)
CHAT_REFUSED = Check(
    "chat.refused",
    "9.2",
    "play on when the taunt server refuses with -1",
    "The game does not need the chat.",
    MAY,
)
CHAT_DIES = Check(
    "chat.dies",
    "9.1",
    "play on when the taunt server ends the connection",
    "The game does not need the chat.",
    MAY,
)
CHAT_AWAY = Check(
    "chat.away",
    "9.1",
    "play on when the taunt server ends the connection without a word",
    "The game does not need the chat.",
    MAY,
)

REGISTRATION = (
    *(SILENT, NAME, STR_LENGTH, BLOCKS, REPLIES, WISHES),
    *(PROCESS_ID, RANDOM, REFUSED_SEAT, REFUSED_REPLY, LISTED),
)
STREAM = (SPLIT, JOINED, STAYS, END)
RETURNS = (NUMBERS, HANDS, GOES_ON, TRY_AGAIN, POWER_CUT, OVER, OPEN_SEAT)
CHAT_CHECKS = (
    CHAT,
    TAUNT,
    CHAT_HEARD,
    CHAT_SPLIT,
    CHAT_JOINED,
    CHAT_REFUSED,
    CHAT_DIES,
    CHAT_AWAY,
)
