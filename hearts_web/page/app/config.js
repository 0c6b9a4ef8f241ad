// What the gateway tells the page of its server.

/** @typedef {{chat: boolean, password?: boolean, names?: boolean, page: string}} Config */

/**
 * What `config.json` says. Raises where the gateway cannot be reached.
 * @returns {Promise<Config>}
 */
export async function readConfig() {
  const answer = await fetch('config.json', { cache: 'no-store' });
  return answer.json();
}
