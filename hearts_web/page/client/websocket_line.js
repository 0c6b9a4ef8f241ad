// The bytes of a connection in the binary messages of a WebSocket.

import { Lost } from './errors.js';

const CONNECT_MILLISECONDS = 10_000;

/**
 * Raises Lost where nobody answers.
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
    let wake = () => {};
    const timer = setTimeout(() => over(), CONNECT_MILLISECONDS);

    const over = () => {
      isOver = true;
      clearTimeout(timer);
      socket.close();
      reject(new Lost('no connection'));
      wake();
    };
    socket.onmessage = ({ data }) => {
      pieces.push(new Uint8Array(data));
      wake();
    };
    socket.onclose = over;
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
          return pieces.shift() ?? null;
        },
        close: over,
      });
    };
  });
}
