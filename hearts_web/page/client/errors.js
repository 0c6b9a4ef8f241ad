/** The connection is gone, or could not be made. */
export class Lost extends Error {}

/** The other side says something that SocketSpec.md does not allow. */
export class Nonsense extends Error {}

/** The table is over, and nobody can come back to it. */
export class Aborted extends Error {}

/** Somebody else with our numbers takes the seat again and again (5.6). */
export class Overtaken extends Error {}

/** The server's refusal (3.7). */
export class Refused extends Error {
  /**
   * @param {number} code
   * @param {string} reason in words; empty where the server gave none
   */
  constructor(code, reason) {
    super(reason);
    this.code = code;
  }
}
