// The bytes of a TCP connection, as the modules of the page read and write them.

import { once } from 'node:events';
import { connect } from 'node:net';

import { Lost } from '../../../hearts_web/page/client/errors.js';

const CONNECT_MILLISECONDS = 10_000;

export async function openTcp(host, port) {
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  socket.on('error', () => {}); // who reads hears of it
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MILLISECONDS) });
  } catch (error) {
    socket.destroy();
    throw new Lost(`cannot connect to ${host}, port ${port}: ${error.code ?? error.message}`);
  }
  const pieces = socket[Symbol.asyncIterator]();
  return {
    write: (bytes) => socket.write(bytes),
    async read() {
      const piece = await pieces.next().catch((error) => {
        throw new Lost(`the connection broke: ${error.code ?? error.message}`);
      });
      return piece.done ? null : piece.value;
    },
    close: () => socket.destroy(),
  };
}
