// The network of the hints, fetched when the first one is asked for.

import { Network } from '../client/swift.js';

/** @type {Promise<Network | null> | null} */
let coming = null;

/** The network; null if it cannot be had now. */
export function bestChoice() {
  coming ??= fetched();
  return coming;
}

async function fetched() {
  try {
    const answer = await fetch('swift.bin');
    if (answer.ok) return new Network(await answer.arrayBuffer());
  } catch {
    // There is no way to the server now; the next hint tries again.
  }
  coming = null;
  return null;
}
