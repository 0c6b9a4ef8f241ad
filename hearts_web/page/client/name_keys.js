// The keys of a name: one for each server, derived from one master secret.

import { asciiOf, joined } from './bytes.js';
import { hmacSha256 } from './sha256.js';

const INFO = asciiOf('hearts name key 1');

/**
 * The private key at the server of a public key: HKDF-SHA256 (RFC 5869), without a salt.
 * @param {Uint8Array} secret
 * @param {Uint8Array} server its public key
 */
export const seedFor = (secret, server) =>
  hmacSha256(hmacSha256(new Uint8Array(32), secret), INFO, server, Uint8Array.of(1));
