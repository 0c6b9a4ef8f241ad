// A name of one's own (SocketSpec.md, annex E), signed by the Ed25519 that Node has.

import { createPrivateKey, createPublicKey, randomFillSync, sign, verify } from 'node:crypto';

import { fromHex } from '../../../hearts_web/page/client/bytes.js';
import { Nonsense } from '../../../hearts_web/page/client/errors.js';
import { Meeting, WISH, askedBy } from '../../../hearts_web/page/client/name_proof.js';

/** What stands before the 32 bytes of a key (RFC 8410). */
const PRIVATE = fromHex('302e020100300506032b657004220420');
const PUBLIC = fromHex('302a300506032b6570032100');

const privateKey = (seed) =>
  createPrivateKey({ key: Buffer.concat([PRIVATE, seed]), format: 'der', type: 'pkcs8' });
const publicKey = (key) =>
  createPublicKey({ key: Buffer.concat([PUBLIC, key]), format: 'der', type: 'spki' });
const SIGNATURES = {
  getPublicKey: (seed) =>
    new Uint8Array(createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' })).subarray(PUBLIC.length),
  sign: (message, seed) => new Uint8Array(sign(null, message, privateKey(seed))),
  verify: (signature, message, key) => verify(null, message, publicKey(key), signature),
};

/**
 * What claims a name in a registration, or proves that it is ours already; nothing without a secret.
 * A program that lasts would remember the server's key by its address, and stop at another one.
 */
export function nameProver({ host, port, secret }, show) {
  if (secret === '') return undefined;
  const address = `${host.toLowerCase()}:${port}`;
  return async (registration, name, dialect) => {
    const chance = randomFillSync(new Uint8Array(32));
    const challenge = await registration.challenge(askedBy(chance, address));
    if (challenge === null) return show('name', [0]);
    const meeting = new Meeting(chance, address, challenge);
    if (!meeting.isSigned(SIGNATURES)) throw new Nonsense('the server has not signed its challenge');
    const said = { name, dialect, wish: WISH.claim };
    const { state, notes } = await registration.prove(meeting.proof(SIGNATURES, fromHex(secret), said));
    return show('name', [state], notes);
  };
}
