// The seat of this tab, kept so that a tab that was closed or reloaded comes back to it. Each seat
// stands in the storage until its session is over, and no longer.

/** @typedef {import('../client/session.js').Seat} Seat */

const PREFIX = 'hearts.seat.';
const OWN = 'hearts.seat';
const CHANNEL = 'hearts.seats';
const ANSWER_MILLISECONDS = 250;
const LONGEST_DAYS = 2;

/** @typedef {{seat: Seat, name: string, at: number}} Stored */
/** @typedef {Stored & {id: string}} Kept */

export class KeptSeat {
  #id = '';
  /** Another tab asks this way whether a seat is played here. */
  #channel = new BroadcastChannel(CHANNEL);

  constructor() {
    this.#channel.onmessage = ({ data }) => {
      if (data?.asks === this.#id && this.#id !== '') this.#channel.postMessage({ has: this.#id });
    };
  }

  /**
   * A seat to come back to, by {@link take}: that of this tab, else one whose tab is gone.
   * @returns {Promise<Kept | null>}
   */
  async find() {
    const own = sessionStorage.getItem(OWN) ?? '';
    for (const id of [own, ...all().filter((other) => other !== own)]) {
      const kept = read(id);
      // A tab that was copied has the storage of the first one.
      if (kept === null || (await this.#isPlayedElsewhere(id))) continue;
      return { ...kept, id };
    }
    return null;
  }

  /** Whether a tab of this browser has a seat. @param {import('../client/registration.js').SeatNumbers} seat */
  has({ gameNumber, player }) {
    return all().some((id) => id.startsWith(`${PREFIX}${gameNumber}.${player}.`));
  }

  /** The seat is played here from now on. @param {Kept} kept */
  take({ id }) {
    this.#id = id;
    sessionStorage.setItem(OWN, id);
  }

  /**
   * @param {Seat} seat
   * @param {string} name of the player
   */
  keep(seat, name) {
    if (seat.gameNumber === 0) return;
    if (this.#id === '') this.#id = `${PREFIX}${seat.gameNumber}.${seat.player}.${Date.now()}`;
    try {
      localStorage.setItem(this.#id, JSON.stringify({ seat, name, at: Date.now() }));
      sessionStorage.setItem(OWN, this.#id);
    } catch {
      // Without storage a lost connection still comes back, and only a closed tab does not. With an
      // older seat it could show one number for two promises (14.8).
      this.forget();
    }
  }

  /** The session is over, or the seat is somebody else's. */
  forget() {
    if (this.#id !== '') localStorage.removeItem(this.#id);
    sessionStorage.removeItem(OWN);
    this.#id = '';
  }

  /** @param {string} id @returns {Promise<boolean>} */
  #isPlayedElsewhere(id) {
    return new Promise((resolve) => {
      const asking = new BroadcastChannel(CHANNEL);
      const done = (/** @type {boolean} */ isPlayed) => {
        asking.close();
        resolve(isPlayed);
      };
      asking.onmessage = ({ data }) => {
        if (data?.has === id) done(true);
      };
      asking.postMessage({ asks: id });
      setTimeout(() => done(false), ANSWER_MILLISECONDS);
    });
  }
}

function all() {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
}

/** @param {string} id @returns {Stored | null} */
function read(id) {
  if (!id.startsWith(PREFIX)) return null;
  try {
    const kept = JSON.parse(localStorage.getItem(id) ?? 'null');
    if (kept !== null && Date.now() - kept.at < LONGEST_DAYS * 86_400_000) return kept;
  } catch {
    // What cannot be read is no seat.
  }
  localStorage.removeItem(id);
  return null;
}

/**
 * The seat as one comes back with it when all that was seen is gone: from the first hand of the game
 * on, so that its scores are there again.
 * @param {Seat} seat
 * @returns {Seat}
 */
export function fromGamesStart(seat) {
  if (seat.hands <= 0) return seat;
  const isBetweenGames = seat.hands === seat.handsBefore;
  return { ...seat, hands: isBetweenGames ? seat.hands - 1 : seat.handsBefore };
}
