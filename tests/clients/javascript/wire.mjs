// Ints and strs over one TCP connection (SocketSpec.md, 1.3-1.7).

import { once } from 'node:events';
import { connect } from 'node:net';

/** The connection is gone, or could not be made. */
export class Lost extends Error {}

/** The other side says something that SocketSpec.md does not allow. */
export class Nonsense extends Error {}

export const LONGEST_STR = 1024;
const CONNECT_MILLISECONDS = 10_000;

/** What could end a line or turn the direction of writing; no str may hold it (1.4). */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a str: its bytes with the NUL at the end (1.4). */
export function textOf(bytes) {
  if (bytes.at(-1) !== 0) throw new Nonsense('a str without a NUL at its end');
  let text;
  try {
    text = utf8.decode(bytes.subarray(0, -1));
  } catch {
    throw new Nonsense('a str that is not UTF-8');
  }
  if (CONTROL.test(text)) throw new Nonsense('a str with a control character');
  return text;
}

/** A str as bytes, its length before it. */
export function strOf(text) {
  const bytes = Buffer.from(`${text}\0`);
  return Buffer.concat([intsOf(bytes.length), bytes]);
}

export function intsOf(...ints) {
  const bytes = Buffer.alloc(4 * ints.length);
  ints.forEach((int, place) => bytes.writeInt32BE(int, 4 * place));
  return bytes;
}

export class Wire {
  #socket;
  #pieces;
  #unread = Buffer.alloc(0);
  #unsent = [];

  static async open(host, port) {
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
    socket.on('error', () => {}); // who reads hears of it
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MILLISECONDS) });
    } catch (error) {
      socket.destroy();
      throw new Lost(`cannot connect to ${host}, port ${port}: ${error.code ?? error.message}`);
    }
    return new Wire(socket);
  }

  constructor(socket) {
    this.#socket = socket;
    this.#pieces = socket[Symbol.asyncIterator]();
  }

  /** What is sent is collected, so that an ack and the choice after it go in one write. */
  send(...ints) {
    this.sendBytes(intsOf(...ints));
  }

  sendStr(text) {
    this.sendBytes(strOf(text));
  }

  sendBytes(bytes) {
    this.#unsent.push(bytes);
  }

  flush() {
    if (this.#unsent.length > 0) this.#socket.write(Buffer.concat(this.#unsent));
    this.#unsent = [];
  }

  async int(what, lowest = -(2 ** 31), highest = 2 ** 31 - 1) {
    const value = (await this.bytes(4)).readInt32BE();
    if (value < lowest || value > highest) {
      throw new Nonsense(`${what} is ${value}, not ${lowest} to ${highest}`);
    }
    return value;
  }

  async ints(count, what, lowest, highest) {
    const values = [];
    while (values.length < count) values.push(await this.int(what, lowest, highest));
    return values;
  }

  async str() {
    return textOf(await this.bytes(await this.int('the length of a str', 1, LONGEST_STR)));
  }

  /** Waits for the end of the stream. */
  async end() {
    try {
      await this.bytes(1);
    } catch (error) {
      if (error instanceof Lost) return;
      throw error;
    }
    throw new Nonsense('bytes behind the last message');
  }

  async bytes(count) {
    this.flush();
    while (this.#unread.length < count) {
      const piece = await this.#pieces.next().catch((error) => {
        throw new Lost(`the connection broke: ${error.code ?? error.message}`);
      });
      if (piece.done) throw new Lost('the connection ended');
      this.#unread = Buffer.concat([this.#unread, piece.value]);
    }
    const bytes = this.#unread.subarray(0, count);
    this.#unread = this.#unread.subarray(count);
    return bytes;
  }

  close() {
    this.#socket.destroy();
  }
}
