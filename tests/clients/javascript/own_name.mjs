// A name of one's own (SocketSpec.md, annex E), signed by the Ed25519 that Node has.

import { createPrivateKey, createPublicKey, randomFillSync, sign, verify } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

import { fromHex } from '../../../hearts_web/page/client/bytes.js';
import { KIND, Meeting, WISH, askedBy } from '../../../hearts_web/page/client/name_proof.js';

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

/** The keys of servers by their addresses, a line each in a file; none without a file. */
const knownIn = (file) =>
  new Map(file !== '' && existsSync(file) ? readFileSync(file, 'utf8').split('\n').map((line) => line.split(' ')) : []);

const hostOf = (address) => address.slice(0, address.lastIndexOf(':'));

/** What is wrong with a server; nothing if it is as it was, or new. Its key is null if it gives no challenge. */
function whatsWrong(known, address, key) {
  if (known.has(address)) {
    if (key === null) return 'the server asks for no proof any more';
    return known.get(address) === key ? '' : 'the server has another key than before';
  }
  const isElsewhere = [...known].some(([at, other]) => other === key && hostOf(at) !== hostOf(address));
  return isElsewhere ? 'this is the key of a server at another host' : '';
}

/**
 * What claims a name in a registration, or proves that it is ours already; nothing without a secret.
 * To a server that is not what it was nothing is proved.
 */
export function nameProver({ host, port, secret, known: file }, show) {
  if (secret === '') return undefined;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`.toLowerCase();
  return async (registration, name, dialect) => {
    const chance = randomFillSync(new Uint8Array(32));
    const challenge = await registration.challenge(askedBy(chance, address));
    const meeting = challenge && new Meeting(chance, address, challenge);
    const key = meeting && Buffer.from(meeting.server).toString('hex');
    const known = knownIn(file);
    const isUnsigned = meeting !== null && !meeting.isSigned(SIGNATURES);
    const wrong = isUnsigned ? 'the server has not signed its challenge' : whatsWrong(known, address, key);
    if (meeting === null || wrong !== '') return show('name', [0], wrong === '' ? [] : [wrong]);
    if (file !== '' && !known.has(address)) appendFileSync(file, `${address} ${key}\n`);
    const said = { name, dialect, wish: WISH.claim, kind: KIND.program };
    const { state, notes } = await registration.prove(meeting.proof(SIGNATURES, fromHex(secret), said));
    return show('name', [state], notes);
  };
}
