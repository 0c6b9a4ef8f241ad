// What the page uses of ed25519.js: the npm package "@noble/ed25519" 2.3.0 (index.js), unchanged.

export const etc: { sha512Sync: ((...parts: Uint8Array[]) => Uint8Array) | undefined };
export function getPublicKey(seed: Uint8Array): Uint8Array;
export function sign(message: Uint8Array, seed: Uint8Array): Uint8Array;
export function verify(signature: Uint8Array, message: Uint8Array, key: Uint8Array, how: { zip215: boolean }): boolean;
