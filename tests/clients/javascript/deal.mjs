// Whether the cards were dealt as the server had promised (SocketSpec.md, 7).

import { createHash } from 'node:crypto';

import { Nonsense } from './wire.mjs';

export const CUT_LENGTH = 8;

const NO_CUT = Buffer.alloc(CUT_LENGTH);

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The words of 7.2, without end. */
function* words(secret, cuts) {
  const key = sha256(Buffer.from('hearts deal 1'), secret, cuts);
  const number = Buffer.alloc(4);
  for (let k = 0; ; k += 1) {
    number.writeUInt32BE(k);
    const block = sha256(key, number);
    for (let at = 0; at < block.length; at += 4) yield block.readUInt32BE(at);
  }
}

/** The cards of the four players, each sorted (7.3). */
export function deal(secret, cuts) {
  const stream = words(secret, cuts);
  const uniform = (n) => {
    let word;
    do word = stream.next().value;
    while (word >= 2 ** 32 - (2 ** 32 % n));
    return word % n;
  };
  const deck = Array.from({ length: 52 }, (_, place) => place + 1);
  for (let i = 51; i >= 1; i -= 1) {
    const j = uniform(i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return [0, 1, 2, 3].map((p) => deck.slice(13 * p, 13 * p + 13).sort((a, b) => a - b));
}

/** What one player was promised of a deal, and gave to it. It outlives a connection. */
export class PromisedDeal {
  #cut = NO_CUT;
  #mayBeLate = true;

  constructor(number, commitment) {
    this.number = number;
    this.commitment = Buffer.from(commitment);
  }

  /** The same deal is promised again after one came back. */
  again(commitment) {
    if (!this.commitment.equals(commitment)) {
      throw new Nonsense(`the commitment of deal ${this.number} has changed`);
    }
    this.#mayBeLate = true;
  }

  cutWith(bytes) {
    this.#cut = bytes;
    this.#mayBeLate = false;
  }

  cutWasLate() {
    this.#mayBeLate = true;
  }

  /** Raises Nonsense where the proof is not that of the promise, or gives other cards. */
  check(secret, cuts, player, dealt) {
    const what = `deal ${this.number}`;
    if (!sha256(secret).equals(this.commitment)) {
      throw new Nonsense(`the proof of ${what} does not fit its commitment`);
    }
    const own = cuts.subarray(CUT_LENGTH * player, CUT_LENGTH * (player + 1));
    if (!own.equals(this.#cut) && !(this.#mayBeLate && own.equals(NO_CUT))) {
      throw new Nonsense(`the proof of ${what} has a cut that is not ours`);
    }
    if (deal(secret, cuts)[player].join() !== dealt.join()) {
      throw new Nonsense(`the proof of ${what} gives other cards than we had`);
    }
  }
}
