// The frames of the dealer dialect, and the structures in their payloads (DealerSpec.md, 14).

import { LONGEST_STR, Nonsense, textOf } from './wire.mjs';

const LONGEST_PAYLOAD = 4096;

/** The type of the query that asks for a cut. */
export const CUT = 202;

/**
 * The frames of the server that this client knows, by type (14.3). It skips all others. Two kinds of
 * cards to play, and three of errors, are the same to it.
 */
const NAMES = new Map([
  [101, 'abortGame'],
  [104, 'doPass'],
  [105, 'doneHand'],
  [106, 'endGame'],
  [108, 'playCard'],
  [110, 'loseCard'],
  [111, 'losePass'],
  [113, 'newGame'],
  [114, 'newHand'],
  [117, 'answerError'],
  [118, 'playCard'],
  [119, 'answerError'],
  [122, 'playerShotMoon'],
  [124, 'queryNewRules'],
  [125, 'registerOpponents'],
  [126, 'registerPlayer'],
  [127, 'takeCard'],
  [128, 'takePass'],
  [130, 'trickDone'],
  [133, 'cardPlayed'],
  [135, 'playerChange'],
  [200, 'moonChoice'],
  [201, 'playAgain'],
  [CUT, 'cut'],
  [203, 'dealCommitment'],
  [204, 'dealProof'],
  [205, 'serverNotice'],
  [208, 'answerError'],
  [209, 'seated'],
  [210, 'refused'],
  [212, 'firstLead'],
  [213, 'moonChosen'],
  [214, 'againDecided'],
  [216, 'standing'],
]);

/** Why an answer was not taken: it was decided for us (14.5). */
export const TOO_LATE = -20;
export const MEANINGLESS = -23;

/** The kinds of a player (14.4). */
export const CPU = 1;
export const EXTERNAL_CPU = 3;

/** Reads frames of the server, and sends those of a client. */
export class Frames {
  #wire;
  #sequence = 0;

  constructor(wire) {
    this.#wire = wire;
  }

  async next() {
    this.#sequence += 1;
    const type = await this.#wire.int('the type of a frame');
    await this.#wire.int('the sequence of a frame', this.#sequence, this.#sequence);
    const length = await this.#wire.int('the length of a payload', 0, LONGEST_PAYLOAD);
    const payload = new Payload(type, await this.#wire.bytes(length));
    return { name: NAMES.get(type), payload, query: { type, sequence: this.#sequence } };
  }

  answer(query, payload) {
    this.#wire.send(query.type, query.sequence, payload.length);
    this.#wire.sendBytes(payload);
  }
}

/** The fields of a payload, one after the other. What follows those that one reads is ignored. */
class Payload {
  #type;
  #bytes;
  #at = 0;

  constructor(type, bytes) {
    this.#type = type;
    this.#bytes = bytes;
  }

  bytes(count) {
    if (this.#at + count > this.#bytes.length) {
      throw new Nonsense(`a frame of type ${this.#type} is too short`);
    }
    return this.#bytes.subarray(this.#at, (this.#at += count));
  }

  int(what, lowest = -(2 ** 31), highest = 2 ** 31 - 1) {
    const value = this.bytes(4).readInt32BE();
    if (value < lowest || value > highest) {
      throw new Nonsense(`${what} is ${value}, not ${lowest} to ${highest} (type ${this.#type})`);
    }
    return value;
  }

  ints(count, what, lowest, highest) {
    return Array.from({ length: count }, () => this.int(what, lowest, highest));
  }

  flag(what) {
    return this.int(what, 0, 1) === 1;
  }

  player() {
    return this.int('a player', 0, 3);
  }

  playerOrNobody() {
    return this.int('a player', -1, 3);
  }

  card() {
    return this.int('a card', 1, 52);
  }

  /** The status that the plain dialect has for a choice: 0 where the player chose himself. */
  status(choice) {
    return this.int('who chose', 0, 3) === 0 ? 0 : choice + 1;
  }

  str() {
    return textOf(this.bytes(this.int('the length of a str', 1, LONGEST_STR)));
  }

  // 14.4 Structures

  /** The cards that lie, in the order in which they were played, and the fields that count. */
  trick() {
    const cards = this.ints(4, 'a card of a trick', 0, 52);
    this.int('the suit of a trick', 0, 4);
    const leader = this.player();
    const round = this.int('the round', 1, 13);
    const broken = this.flag('hearts broken');
    const winner = this.playerOrNobody();
    this.ints(2, 'jack won, queen won', 0, 1);
    const inOrder = [0, 1, 2, 3].map((place) => cards[(leader + place) % 4]);
    const lying = inOrder.filter((card) => card !== 0);
    if (inOrder.slice(0, lying.length).includes(0)) throw new Nonsense('a trick with a gap');
    return { lying, leader, round, broken, winner };
  }

  /** The points of the four players in the game. */
  scores() {
    return Array.from({ length: 4 }, () => {
      const points = this.int('points');
      this.ints(3, 'queens, jacks, games', 0);
      return points;
    });
  }

  /** The rules as bits (6.1), and the end of game. */
  rules() {
    const jack = this.int('jack', 0, 1);
    const endOfGame = this.int('max score', 1, 10_000);
    const shoot = this.int('shoot', 0, 2);
    const erase = this.int('max erase', 0, 2);
    const dump = this.int('queen dump', 0, 1);
    const noPointsFirst = this.int('points first round', 0, 1);
    const rotate = this.int('rotating lead', 0, 1);
    const passing = this.int('passing', 0, 3);
    const noTrick = this.int('no trick', 0, 1);
    const queenBreaks = this.int('queen breaks', 0, 1);
    const bits =
      (jack << 8) | (shoot << 9) | (erase << 11) | (dump << 13) | ((1 - noPointsFirst) << 14) |
      (rotate << 15) | (passing << 16) | (noTrick << 18) | ((1 - queenBreaks) << 19);
    return { bits, endOfGame };
  }

  playerInfo() {
    const player = this.player();
    const kind = this.int('the kind of a player', 0, 5);
    this.int('the level of a player', 0, 1000);
    this.int('the presence of a player', 0, 2);
    const name = this.str();
    this.str();
    return { player, kind, name };
  }
}

