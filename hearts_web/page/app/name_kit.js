// What names need and a first visit does not: the signatures, and the list of words.

import { sha512 } from '../client/sha512.js';

/** @returns {Promise<import('../client/name_proof.js').Signatures>} Raises where it cannot be fetched. */
export async function signatures() {
  const ed25519 = await import('../vendor/ed25519.js');
  ed25519.etc.sha512Sync = sha512;
  return ed25519;
}

/** The words of the list, in order. Raises where they cannot be fetched. */
export async function wordList() {
  const answer = await fetch('words.txt');
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.text()).trim().split('\n');
}
