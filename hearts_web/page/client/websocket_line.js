// The bytes of a connection in the binary messages of a WebSocket.

import { Full, Lost, Unreachable } from './errors.js';

const CONNECT_MILLISECONDS = 10_000;
/** The codes of the gateway that a player is told of (hearts_web/README.md). */
const FULL = 1013;
const UNREACHABLE = 4014;

/** @param {number} code with which a WebSocket was closed */
function lossOf(code) {
  if (code === FULL) return new Full('too many connections');
  if (code === UNREACHABLE) return new Unreachable('the server behind the gateway is gone');
  return new Lost('no connection');
}

/**
 * Raises Lost where nobody answers. What the line reads raises Full or Unreachable where the gateway
 * has closed it for that.
 * @param {string | URL} url
 * @returns {Promise<import('./wire.js').Line>}
 */
export function openWebSocket(url) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    /** @type {Uint8Array[]} */
    const pieces = [];
    let isOver = false;
    let why = new Lost('no connection');
    let wake = () => {};
    const timer = setTimeout(() => over(), CONNECT_MILLISECONDS);

    const over = () => {
      isOver = true;
      clearTimeout(timer);
      socket.close();
      reject(why);
      wake();
    };
    socket.onmessage = ({ data }) => {
      pieces.push(new Uint8Array(data));
      wake();
    };
    socket.onclose = ({ code }) => {
      if (!isOver) why = lossOf(code);
      over();
    };
    socket.onerror = over;
    socket.onopen = () => {
      clearTimeout(timer);
      resolve({
        write(bytes) {
          if (!isOver) socket.send(bytes);
        },
        async read() {
          while (pieces.length === 0 && !isOver) {
            await new Promise((done) => (wake = () => done(undefined)));
          }
          const piece = pieces.shift() ?? null;
          if (piece === null && (why instanceof Full || why instanceof Unreachable)) throw why;
          return piece;
        },
        close: over,
      });
    };
  });
}
