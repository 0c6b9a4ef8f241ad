// The messages of the dealer dialect: what a frame of the server says, and those of a client
// (DealerSpec.md, 14.3).

import { intsOf, joined, strOf } from './bytes.js';
import { Fields } from './fields.js';
import { fieldsOf } from './rules.js';

/** The kinds of a player (14.4). */
export const KIND = { free: 0, cpu: 1, program: 3, person: 4, unsaid: 5 };

/** Who has chosen, where nobody else has: "by" is 0 the player, 1 the clock, 2 a stand-in. */
export const BY_COMPUTER = 3;

/** Why an answer was not taken (14.5). */
export const TOO_LATE = -20;
export const MEANINGLESS = -23;

const LEFT_STATE = 'left, state';

/** @param {Fields} f */
const error = (f) => ({
  inReplyTo: f.int('in reply to'),
  type: f.int('type'),
  reason: f.int('reason', undefined, -1),
  triesLeft: f.int('tries left', -1),
  why: f.str(),
});

/** @param {Fields} f */
function choice(f) {
  const [left] = f.ints(2, LEFT_STATE);
  return { left, bank: f.bank() };
}

/** @param {Fields} f */
function cardsToPlay(f) {
  const [left, state] = f.ints(2, LEFT_STATE);
  const trick = f.trick();
  const held = [];
  const legal = [];
  for (let more = f.int('a number of cards', 1, 13); more > 0; more -= 1) {
    held.push(f.card());
    if (f.flag('legal')) legal.push(held[held.length - 1]);
  }
  return { left, state, trick, held, legal, bank: f.bank() };
}

/** How each message is read, by its name. */
const READ = {
  abortGame: (/** @type {Fields} */ f) => ({ later: f.int('later', 0), why: f.str() }),
  abortHand: (/** @type {Fields} */ f) => ({ deal: f.int('the number of a deal', 1) }),
  doPass(/** @type {Fields} */ f) {
    const [left, state, player, direction] = f.ints(4, 'left, state, player, direction');
    const held = f.ints(f.int('a number of cards', 1, 13), 'a card', 1, 52);
    return { left, state, player, direction, held, bank: f.bank() };
  },
  doneHand: (/** @type {Fields} */ f) => ({
    queenWinner: f.playerOrNobody(),
    jackWinner: f.playerOrNobody(),
    shooter: f.playerOrNobody(),
    scores: f.scores(),
    gameWinner: f.playerOrNobody(),
    points: f.ints(4, 'points'),
    winners: f.int('winners', 0, 15),
  }),
  endGame: (/** @type {Fields} */ f) => ({
    scores: f.scores(),
    winners: f.int('winners', 1, 15),
    decider: f.playerOrNobody(),
  }),
  heartsBroken: () => ({}),
  playCard: cardsToPlay,
  loseCard: (/** @type {Fields} */ f) => ({ card: f.card(), by: f.by() }),
  losePass(/** @type {Fields} */ f) {
    f.ints(2, 'player, direction');
    return { cards: f.ints(3, 'a card', 1, 52), by: f.by() };
  },
  newGame: (/** @type {Fields} */ f) => f.more({ ...f.rules(), turnLimit: f.int('turn limit', 0) }),
  newHand: (/** @type {Fields} */ f) => ({
    hand: f.int('the number of a hand', 1),
    direction: f.int('direction', 0, 3),
  }),
  newRules: (/** @type {Fields} */ f) => f.more(f.rules()),
  answerError: error,
  playerComment: (/** @type {Fields} */ f) => ({ player: f.player(), text: f.str() }),
  shotMoon: (/** @type {Fields} */ f) => ({ player: f.player(), decides: f.flag('decides') }),
  queryNewRules(/** @type {Fields} */ f) {
    const [left] = f.ints(2, LEFT_STATE);
    return f.more({ left, ...f.rules() });
  },
  queryAbort(/** @type {Fields} */ f) {
    const [left] = f.ints(2, LEFT_STATE);
    return { left, isWholeGame: f.flag('whole game') };
  },
  playGoesOn: (/** @type {Fields} */ f) => ({ player: f.playerOrNobody(), why: f.str() }),
  opponents: (/** @type {Fields} */ f) => ({ players: [0, 1, 2, 3].map(() => f.playerInfo()) }),
  registerPlayer(/** @type {Fields} */ f) {
    f.ints(2, LEFT_STATE);
    return { player: f.player() };
  },
  takeCard: (/** @type {Fields} */ f) => ({ card: f.card() }),
  takePass(/** @type {Fields} */ f) {
    const [from] = f.ints(2, 'player, direction');
    return { from, cards: f.ints(3, 'a card', 1, 52) };
  },
  trickDone: (/** @type {Fields} */ f) => ({ trick: f.trick(), points: f.ints(4, 'points') }),
  waiting(/** @type {Fields} */ f) {
    const [state, players, waited, left] = f.ints(4, 'state, players, waited, left');
    return { state, players, waited, left };
  },
  cardPlayed: (/** @type {Fields} */ f) => ({
    trick: f.trick(),
    player: f.player(),
    card: f.card(),
    by: f.by(),
  }),
  playerChange: (/** @type {Fields} */ f) => ({ change: f.int('what has changed'), info: f.playerInfo() }),
  moonChoice: choice,
  playAgain: choice,
  cut(/** @type {Fields} */ f) {
    const [left] = f.ints(2, LEFT_STATE);
    return { left, deal: f.int('the number of a deal', 1) };
  },
  commitment: (/** @type {Fields} */ f) => ({
    deal: f.int('the number of a deal', 1),
    commitment: f.bytes(32),
    hashes: [0, 1, 2, 3].map(() => f.bytes(32)),
  }),
  proof: (/** @type {Fields} */ f) => ({
    deal: f.int('the number of a deal', 1),
    secret: f.bytes(16),
    cuts: f.bytes(32),
    values: [0, 1, 2, 3].map(() => f.bytes(32)),
    missing: f.int('missing', 0, 15),
  }),
  serverNotice: (/** @type {Fields} */ f) => ({ text: f.str() }),
  pong: () => ({}),
  seated: (/** @type {Fields} */ f) => ({
    player: f.int('a player', 0, 4),
    gameNumber: f.int('Game number', 1),
    gameId: f.int('Game ID', 0),
    table: f.str(),
  }),
  refused: (/** @type {Fields} */ f) => ({ code: f.int('the code of a refusal', undefined, -1), why: f.str() }),
  replay: (/** @type {Fields} */ f) => ({ begins: f.flag('begins') }),
  firstLead: (/** @type {Fields} */ f) => ({ leader: f.player() }),
  moonChosen: (/** @type {Fields} */ f) => ({
    player: f.player(),
    onOthers: f.int('on others', 0, 1),
    by: f.by(),
  }),
  againDecided: (/** @type {Fields} */ f) => ({
    player: f.playerOrNobody(),
    yes: f.int('another game') !== 0,
    by: f.by(),
  }),
  rulesStay: (/** @type {Fields} */ f) => ({ player: f.playerOrNobody(), why: f.str() }),
  standing: (/** @type {Fields} */ f) => ({ scores: f.scores() }),
  table: (/** @type {Fields} */ f) => f.more({
    table: f.str(),
    gameNumber: f.int('game number', 0),
    isPrivate: f.flag('private'),
    opener: f.playerOrNobody(),
    openSeats: f.int('open seats', 0, 4),
    left: f.int('left', -1),
    ...f.rules(),
    turnLimit: f.int('turn limit', 0),
    names: [0, 1, 2, 3].map(() => f.str()),
  }),
  tables: (/** @type {Fields} */ f) => ({ count: f.int('count', 0) }),
  taken: (/** @type {Fields} */ f) => ({ type: f.int('type') }),
  moveSeat: (/** @type {Fields} */ f) => ({ player: f.player() }),
  giveSeat(/** @type {Fields} */ f) {
    const [left] = f.ints(2, LEFT_STATE);
    return { left, asker: f.player(), opens: f.flag('opens') };
  },
  seatStays: (/** @type {Fields} */ f) => ({ player: f.player(), why: f.str() }),
  invitable: (/** @type {Fields} */ f) => ({ number: f.int('a number of a player', 0), info: f.playerInfo() }),
  invitables: (/** @type {Fields} */ f) => ({ count: f.int('count', 0) }),
  invitation(/** @type {Fields} */ f) {
    const [left] = f.ints(2, LEFT_STATE);
    return f.more({
      left,
      inviter: f.player(),
      table: f.str(),
      isPrivate: f.flag('private'),
      ...f.rules(),
      turnLimit: f.int('turn limit', 0),
      names: [0, 1, 2, 3].map(() => f.str()),
    });
  },
  invitationOver: (/** @type {Fields} */ f) => ({
    number: f.int('a number of a player', 0),
    agreed: f.flag('agreed'),
    why: f.str(),
  }),
  takenBack: (/** @type {Fields} */ f) => ({ hands: f.int('a number of hands', -1) }),
  claimRest: (/** @type {Fields} */ f) => ({
    player: f.player(),
    cards: f.ints(f.int('a number of cards', 1, 13), 'a card', 1, 52),
  }),
};

/**
 * The numbers of the messages that are read here; any other is skipped. Two kinds of cards to play,
 * and three of errors, are the same.
 * @type {Record<number, keyof typeof READ>}
 */
const NAMES = {
  101: 'abortGame', 102: 'abortHand', 104: 'doPass', 105: 'doneHand', 106: 'endGame', 107: 'heartsBroken',
  108: 'playCard', 110: 'loseCard', 111: 'losePass', 113: 'newGame', 114: 'newHand',
  116: 'newRules', 117: 'answerError', 118: 'playCard', 119: 'answerError', 121: 'playerComment',
  122: 'shotMoon', 124: 'queryNewRules', 125: 'opponents', 126: 'registerPlayer', 127: 'takeCard',
  128: 'takePass', 130: 'trickDone', 132: 'waiting', 133: 'cardPlayed', 135: 'playerChange',
  160: 'moveSeat', 161: 'giveSeat', 162: 'seatStays', 163: 'invitable', 164: 'invitables', 166: 'invitation',
  167: 'invitationOver', 200: 'moonChoice', 201: 'playAgain', 202: 'cut', 203: 'commitment', 204: 'proof',
  205: 'serverNotice', 207: 'pong', 208: 'answerError', 209: 'seated', 210: 'refused',
  211: 'replay', 212: 'firstLead', 213: 'moonChosen', 214: 'againDecided', 215: 'rulesStay',
  216: 'standing', 217: 'table', 218: 'tables', 219: 'taken', 227: 'claimRest', 228: 'takenBack', 240: 'queryAbort', 241: 'playGoesOn',
};

/**
 * A message of the server: its name, and its fields.
 * @typedef {{[Name in keyof typeof READ]: {is: Name} & ReturnType<(typeof READ)[Name]>}[keyof typeof READ]} Message
 */

/**
 * What an answer is for.
 * @typedef {{type: number, sequence: number}} Query
 */

/**
 * A message, or null where its type is not known. Raises Nonsense.
 * @param {number} type
 * @param {Uint8Array} payload
 * @returns {Message | null}
 */
export function readMessage(type, payload) {
  const name = NAMES[type];
  if (name === undefined) return null;
  return /** @type {Message} */ ({ is: name, ...READ[name](new Fields(type, payload)) });
}

/** What follows P_ABORT_GAME (14.3): we come back later, or another game begins. */
export const LATER = { comeBack: 1, anotherGame: 2 };

/** The type of the query that asks for a cut. */
export const CUT = 202;

/** The types of a client's requests. */
export const REQUEST = {
  comment: 121, whoIAm: 126, ping: 206, proposeRules: 220, replacePlayer: 221, openSeat: 222,
  startTable: 223, leave: 224, askTables: 225, askTable: 226, claimRest: 227, takeBack: 228,
  proposeAbort: 242, moveSeat: 160, invitable: 163, askInvitable: 164, invite: 165, sendAway: 168, setLevel: 169, askHost: 170,
};

/**
 * The payload of P_REGISTER_PLAYER.
 * @param {{kind: number, level: number, comment: string}} player
 * @param {Uint8Array} hash of our next value; empty where we do not cut
 */
export const whoIAm = ({ kind, level, comment }, hash) =>
  joined(intsOf(kind, level, hash.length === 0 ? 0 : 1), strOf(comment), hash);

/**
 * The payload of P_PROPOSE_RULES.
 * @param {import('./rules.js').Rules} rules
 * @param {number} endScore
 */
export const proposal = (rules, endScore) => intsOf(...fieldsOf(rules, endScore));
