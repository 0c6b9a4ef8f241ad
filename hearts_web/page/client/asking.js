// What one may ask of a server without sitting down: its tables (SocketSpec.md, 3.5 and 3.6).

import { readDay } from './days.js';
import { Registration } from './registration.js';
import { Wire } from './wire.js';

/**
 * The public tables, the server's greeting, and the levels that computers may play at, as bits. Raises Lost, Refused, Nonsense.
 * @param {() => Promise<import('./wire.js').Line>} open
 * @param {string} name of the player
 * @param {string} password
 */
export function listTables(open, name, password) {
  return asked(open, name, password, async (registration) => {
    const levels = await registration.levels();
    const greeting = await registration.greeting();
    return { levels, greeting, tables: await registration.list() };
  });
}

/**
 * What the table of a name is; null where there is none, undefined where it is not told; and the server's greeting. Raises Lost, Refused, Nonsense.
 * @param {() => Promise<import('./wire.js').Line>} open
 * @param {string} name of the player
 * @param {string} password
 * @param {string} table
 */
export function askTable(open, name, password, table) {
  return asked(open, name, password, async (registration) => {
    const greeting = await registration.greeting();
    return { greeting, told: await registration.ask(table) };
  });
}

/**
 * What a visitor is told of the deal of the day; null where there is none. Raises Lost, Refused, Nonsense.
 * @param {() => Promise<import('./wire.js').Line>} open
 * @param {string} name of the player
 * @param {string} password
 * @param {Uint8Array} visitor their token
 */
export function askDay(open, name, password, visitor) {
  return asked(open, name, password, async (registration) => {
    const texts = await registration.greeting(visitor);
    // Raises Refused where nothing is told for want of a password.
    if (texts.length === 0) await registration.list();
    return readDay(texts);
  });
}

/**
 * Asks something in a registration that takes no seat.
 * @template Answer
 * @param {() => Promise<import('./wire.js').Line>} open
 * @param {string} name
 * @param {string} password
 * @param {(registration: Registration) => Promise<Answer>} ask
 */
export async function asked(open, name, password, ask) {
  const wire = new Wire(await open());
  try {
    const registration = new Registration(wire);
    await registration.begin(name, password);
    return await ask(registration);
  } finally {
    wire.close();
  }
}
