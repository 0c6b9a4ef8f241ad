// The challenge and the proof of a name: their bytes, and what both sides sign (SocketSpec.md, annex E).

import { asciiOf, intsOf, joined } from './bytes.js';
import { hmacSha256 } from './sha256.js';

export const WISH = { prove: 0, claim: 1, seats: 2, askIn: 3, letIn: 4, keys: 5, revoke: 6, giveUp: 7, export: 10 };
export const STATE = { untold: 0, own: 1, claimed: 2, free: 3, taken: 4 };
export const CHALLENGE_BYTES = 128;
export const KIND = { person: 0, program: 1 };
const KEY_BYTES = 32;
const SIGNED_AT = 64;
const INFO = asciiOf('hearts name key 1');
const encoder = new TextEncoder();

/** @typedef {Pick<typeof import('../vendor/ed25519.js'), 'getPublicKey' | 'sign' | 'verify'>} Signatures */

/**
 * The private key at the server of a public key: HKDF-SHA256 (RFC 5869), without a salt.
 * @param {Uint8Array} secret
 * @param {Uint8Array} server its public key
 */
export const seedFor = (secret, server) =>
  hmacSha256(hmacSha256(new Uint8Array(32), secret), INFO, server, Uint8Array.of(1));

/** A name without the marks of a guest in front. @param {string} name */
export const withoutMark = (name) => name.replace(/^[~\p{M}\p{Cf}]+/u, '');

/** @param {Uint8Array} bytes */
const sized = (bytes) => joined(intsOf(bytes.length), bytes);

/** What asks for a challenge. @param {Uint8Array} chance 32 bytes of ours @param {string} address host and port */
export const askedBy = (chance, address) => joined(chance, encoder.encode(address));

export class Meeting {
  #both;
  #signature;

  /**
   * @param {Uint8Array} chance ours
   * @param {string} address
   * @param {Uint8Array} challenge of the server
   */
  constructor(chance, address, challenge) {
    this.server = challenge.slice(0, KEY_BYTES);
    this.#signature = challenge.slice(SIGNED_AT);
    this.#both = joined(this.server, chance, challenge.slice(KEY_BYTES, SIGNED_AT), sized(encoder.encode(address)));
  }

  /** Whether the server has the key that it shows. @param {Signatures} ed25519 */
  isSigned(ed25519) {
    try {
      return ed25519.verify(this.#signature, joined(asciiOf('hearts server 1'), this.#both), this.server, { zip215: false });
    } catch {
      return false; // It is no key.
    }
  }

  /**
   * The bytes of block -18.
   * @param {Signatures} ed25519
   * @param {Uint8Array} secret
   * @param {{name: string, dialect: number, wish: number, kind?: number, details?: Uint8Array}} said
   */
  proof(ed25519, secret, { name, dialect, wish, kind = KIND.person, details = new Uint8Array() }) {
    const seed = seedFor(secret, this.server);
    const about = joined(Uint8Array.of(wish, kind, dialect), sized(encoder.encode(withoutMark(name))), sized(details));
    const signature = ed25519.sign(joined(asciiOf('hearts name 1'), this.#both, about), seed);
    return joined(Uint8Array.of(wish, kind), ed25519.getPublicKey(seed), signature, details);
  }
}
