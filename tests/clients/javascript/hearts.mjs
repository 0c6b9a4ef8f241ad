#!/usr/bin/env node
// A Hearts client in JavaScript, for Node 20, without packages. It plays a session by itself:
//
//     node hearts.mjs --host 127.0.0.1 --name Ann --computers 3
//     node hearts.mjs --dialect dealer --cut --name Bob
//
// It prints a line for each message. After a lost connection it comes back to its seat.
// The exit status is 0 after a whole session, 1 after a refusal or where no server can be reached,
// 2 where the server says something that SocketSpec.md does not allow.

import { randomFillSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Chat } from '../../../hearts_web/page/client/chat.js';
import { Aborted, Lost, Nonsense, Refused } from '../../../hearts_web/page/client/errors.js';
import { newSeat } from '../../../hearts_web/page/client/session.js';
import { Wire } from '../../../hearts_web/page/client/wire.js';
import { dealerSession } from './dealer.mjs';
import { nameProver } from './own_name.mjs';
import { Plain } from './plain.mjs';
import { openTcp } from './tcp_line.mjs';

/** How long to wait before each try to come back: a minute in all. */
const WAITS_IN_SECONDS = [0.5, 1, 2, 4, 8, 10, 10, 10, 10];

const NO_SUCH_GAME = -103;
const TABLE_CLOSED = -104;

const DIALECTS = { plain: plainSession, dealer: dealerSession };

const TEXTS = { host: '127.0.0.1', name: 'JavaScript', table: '', say: '', dialect: 'plain', secret: '', known: '' };

const NUMBERS = { port: 7626, 'taunt-port': 7627, computers: 0, 'end-score': 0, again: 0, drop: 0 };
const HIGHEST = { port: 65535, 'taunt-port': 65535, computers: 3, 'end-score': 10_000 };

function readOptions() {
  const options = { cut: { type: 'boolean', default: false } };
  for (const [name, normally] of Object.entries({ ...TEXTS, ...NUMBERS })) {
    options[name] = { type: 'string', default: String(normally) };
  }
  const { values } = parseArgs({ options });
  for (const name of Object.keys(NUMBERS)) {
    const highest = HIGHEST[name] ?? 1_000_000;
    if (!/^\d+$/.test(values[name]) || Number(values[name]) > highest) {
      throw new Error(`--${name} is a number from 0 to ${highest}`);
    }
    values[name] = Number(values[name]);
  }
  if (!Object.hasOwn(DIALECTS, values.dialect)) {
    throw new Error(`--dialect is one of: ${Object.keys(DIALECTS).join(', ')}`);
  }
  if (!/^([\da-f]{32})?$/.test(values.secret)) throw new Error('--secret is 32 digits of hex');
  return values;
}

function show(message, numbers = [], texts = []) {
  const words = numbers.map((number) => ` ${number}`).join('');
  console.log(`${message}:${words}${texts.map((text) => `\t${text}`).join('')}`);
}

/** What has to outlive a connection, so that the player can come back (5.6). */
const newKept = () => ({
  ...newSeat(randomFillSync),
  scores: [0, 0, 0, 0],
  flag: 0,
  games: 0,
  said: false,
  dropped: false,
  failures: 0, // tries to come back since the seat was last taken
});

/** Plays over one connection, to the end of the session. */
async function plainConnection({ kept, open, options, chat, proveName }) {
  const wire = new Wire(await open());
  try {
    await new Plain(wire, kept, options, chat, show, proveName).session();
  } catch (error) {
    if (error instanceof Refused) show('refused', [error.code], [error.message]);
    throw error;
  } finally {
    wire.close();
    show('end');
  }
}

function canComeBack(error, kept) {
  if (kept.gameNumber === 0 || kept.failures === WAITS_IN_SECONDS.length) return false;
  if (error instanceof Refused && error.code === NO_SUCH_GAME && kept.hands > 0) {
    kept.hands = -1; // a power cut may have lost hands (5.6)
    return true;
  }
  if (error instanceof Refused) return ![NO_SUCH_GAME, TABLE_CLOSED].includes(error.code);
  return error instanceof Lost;
}

async function plainSession(evening) {
  for (;;) {
    try {
      return await plainConnection(evening);
    } catch (error) {
      if (!canComeBack(error, evening.kept)) throw error;
    }
    await evening.sleep(WAITS_IN_SECONDS[evening.kept.failures]);
    evening.kept.failures += 1;
  }
}

function session(options) {
  const { host, port, 'taunt-port': tauntPort } = options;
  const chat = new Chat(
    () => openTcp(host, tauntPort),
    (taunter, text) => show('taunt', [taunter], [text]),
  );
  return DIALECTS[options.dialect]({
    kept: newKept(),
    options,
    show,
    open: () => openTcp(host, port),
    chat: {
      async join(seat) {
        const why = tauntPort === 0 ? '' : await chat.join(seat);
        if (why !== '') console.error(`no chat: ${why}`);
      },
      say: (text) => chat.say(text),
    },
    proveName: nameProver(options, show),
    waits: WAITS_IN_SECONDS,
    sleep: (seconds) => sleep(seconds * 1000),
  });
}

let options;
try {
  options = readOptions();
} catch (wrong) {
  console.error(wrong.message);
  process.exit(2);
}
try {
  await session(options);
} catch (error) {
  if (![Refused, Aborted, Lost, Nonsense].includes(error.constructor)) throw error;
  console.error(error.message);
  process.exit(error instanceof Nonsense ? 2 : 1);
}
process.exit(0); // leaves the chat
