// What a card costs, from what its player could see, as in hearts/judging: the hidden cards are dealt
// again and again so that they fit, and swift plays each deal on from each card.

import { QUEEN_OF_SPADES, isPointCard, strength, suit } from './cards.js';
import { OpenGame, STEPS } from './open_game.js';
import { Lots, meanOf, parOf, seenAt, spreadOf } from './par.js';
import { moonOf } from './rules.js';

/** @typedef {import('./par.js').Begin} Begin */
/** @typedef {import('./swift.js').Known} Known */
/** @typedef {import('./swift.js').Network} Network */

/**
 * What is expected if a card is played: means over deals, and chances from 0 to 1.
 * @typedef {object} CardOutlook
 * @property {number} card
 * @property {number} loss the points less the mean of the four, and less those of the first card
 * @property {number} error the standard error of `loss`
 * @property {number} queen the chance that the player takes her
 * @property {number} moon that they shoot
 * @property {number} otherMoon that somebody else does
 * @property {number} trick that they take the trick under way
 */

/** Deals for one look, unless it is sure before. */
export const DEALS = 256;
/** The parts of them at which a look may end; beyond all of them goes on what looks like a mistake. */
const PARTS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4];
/** Points that a mistake costs at least, if a moon is 26. */
const LEAST = 1;
/** Standard errors by which a mistake costs more than nothing. */
const SURE = 2.5;
/** Standard errors that are allowed for before a card is left alone. */
const HOPELESS = 2;
const TRIES = 100;

/** The tricks so far, with the one under way. @param {Known} known */
const tricksOf = ({ tricks, trick }) => [...tricks, ...(trick !== null && trick.winner < 0 ? [trick] : [])].filter(({ plays }) => plays.length > 0);

/** The suits that the cards of each player have shown them to lack. @param {Known} known */
export function voidsOf(known) {
  const voids = [0, 1, 2, 3].map(() => /** @type {Set<number>} */ (new Set()));
  let broken = false;
  for (const { plays } of tricksOf(known)) {
    const led = suit(plays[0].card);
    if (led === 0 && !broken) for (const other of [1, 2, 3]) voids[plays[0].player].add(other);
    for (const { player, card } of plays) if (suit(card) !== led) voids[player].add(led);
    broken ||= plays.some(({ card }) => suit(card) === 0 || (isPointCard(card) && !known.rules.queenKeeps));
  }
  return voids;
}

/** The cards that lie hidden. @param {Known} known */
export function outOf(known) {
  const seen = new Set([...known.held, ...tricksOf(known).flatMap(({ plays }) => plays.map(({ card }) => card))]);
  return Array.from({ length: 52 }, (_, place) => place + 1).filter((card) => !seen.has(card));
}

/**
 * Deals the hidden cards of a position so that they fit what its player has seen; null if that does
 * not come about.
 * @param {Begin} begin @param {Known} known @param {number} me @param {Lots} lots
 * @returns {() => Begin | null}
 */
function dealer(begin, known, me, lots) {
  const step = STEPS[begin.direction];
  const plays = tricksOf(known).flatMap((trick) => trick.plays);
  const played = [0, 1, 2, 3].map((player) => plays.filter((play) => play.player === player).map(({ card }) => card));
  const voids = voidsOf(known);
  const out = outOf(known).map((card) => ({
    card,
    holders: known.passed?.cards.includes(card) ? [(me + step) % 4] : [0, 1, 2, 3].filter((player) => player !== me && !voids[player].has(suit(card))),
  }));
  /** @template Some @param {Some[]} some */
  const shuffled = (some) => some.map((one) => ({ one, lot: lots.below(2 ** 20) })).sort((a, b) => a.lot - b.lot).map(({ one }) => one);
  const deal = () => {
    const needs = played.map((cards, player) => (player === me ? 0 : 13 - cards.length));
    const hands = played.map((cards, player) => (player === me ? [...cards, ...known.held] : [...cards]));
    for (const { card, holders } of shuffled(out).sort((a, b) => a.holders.length - b.holders.length)) {
      let lot = lots.below(holders.reduce((sum, player) => sum + needs[player], 0));
      const holder = holders.find((player) => (lot -= needs[player]) < 0);
      if (holder === undefined) return null;
      needs[holder] -= 1;
      hands[holder].push(card);
    }
    return hands;
  };
  return () => {
    let hands = null;
    for (let tries = 0; hands === null && tries < TRIES; tries += 1) hands = deal();
    if (hands === null || step === 0) return hands === null ? null : { ...begin, dealt: hands };
    const whole = hands;
    // What the others have passed to each other nobody knows.
    const passed = whole.map((_, player) => {
      const target = (player + step) % 4;
      return player === me || target === me ? begin.passed[player] : shuffled(whole[target]).slice(0, 3);
    });
    const dealt = whole.map((held, player) => [...held.filter((card) => !passed[(player - step + 4) % 4].includes(card)), ...passed[player]]);
    return { ...begin, dealt, passed };
  };
}

/**
 * Cards of one position in deals of the hidden cards that fit, all in the same deals.
 * @param {Begin} begin of which the cards are passed
 * @param {number[]} cards the first is the one that the others are held against
 * @param {Network} network
 * @param {number} turn another look is at other deals
 * @param {(deals: number, outlooks: () => CardOutlook[]) => boolean} isEnough
 * @returns {Generator<void, CardOutlook[]>}
 */
export function* look(begin, cards, network, turn, isEnough = (deals) => deals >= DEALS) {
  const { known, player } = seenAt(begin);
  const next = dealer(begin, known, player, new Lots([[], known.held], 64 * turn + begin.cards.length));
  /** @type {number[][][]} for each card, for each deal: cost, queen, moon, another's moon, trick */
  const found = cards.map(() => []);
  const outlooks = () => cards.map((card, place) => outlookOf(card, found[place], found[0]));
  while (!isEnough(found[0].length, outlooks)) {
    const deal = next();
    if (deal === null) break;
    for (const [place, card] of cards.entries()) {
      found[place].push(figuresOf(yield* playedOn(deal, card, network), player, begin.cards.length));
    }
  }
  return outlooks();
}

/**
 * The end of a hand that four swifts play on behind a card, choice by choice.
 * @param {Begin} begin @param {number} first @param {Network} network
 * @returns {Generator<void, OpenGame>}
 */
function* playedOn(begin, first, network) {
  const game = new OpenGame(begin);
  if (begin.direction !== 0) game.exchange(begin.passed);
  for (const card of [...begin.cards, first]) game.put(card);
  while (game.turn >= 0) {
    const { turn, legal } = game;
    game.put(legal.length === 1 ? legal[0] : network.chooseCard(game.known[turn], turn, legal));
    yield;
  }
  return game;
}

/** @param {OpenGame} game @param {number} me @param {number} count cards before the one that is looked at */
function figuresOf(game, me, count) {
  const points = game.points();
  const { shooter } = game;
  return [
    points[me] - points.reduce((sum, each) => sum + each, 0) / 4, Number(game.taken[me].includes(QUEEN_OF_SPADES)),
    Number(shooter === me), Number(shooter >= 0 && shooter !== me), Number(game.tricks[Math.floor(count / 4)].winner === me),
  ];
}

/** @param {number} card @param {number[][]} own @param {number[][]} first @returns {CardOutlook} */
function outlookOf(card, own, first) {
  const less = parOf(own.map(([cost], deal) => [cost - first[deal][0], 0, 0, 0]));
  const [queen, moon, otherMoon, trick] = [1, 2, 3, 4].map((figure) => own.reduce((sum, each) => sum + each[figure], 0) / own.length);
  return { card, loss: meanOf(less, 0), error: spreadOf(less, 0) / Math.sqrt(own.length), queen, moon, otherMoon, trick };
}

/**
 * The better card and the one that was played, if that was a mistake for sure; else null.
 * @param {Begin} begin of which the cards are passed
 * @param {number} played
 * @param {Network} network
 * @returns {Generator<void, CardOutlook[] | null>}
 */
export function* judge(begin, played, network) {
  const { known, player, legal } = seenAt(begin);
  if (legal.length === 1) return null;
  const pair = [network.chooseCard(known, player, legal), played];
  if (pair[0] === played) return null;
  const least = (LEAST * moonOf(begin.rules)) / 26;
  const isSure = (/** @type {CardOutlook[]} */ [, { loss, error }]) => loss > Math.max(SURE * error, least);
  /** @param {number} fewest deals @returns {(deals: number, outlooks: () => CardOutlook[]) => boolean} */
  const isEnough = (fewest) => (deals, outlooks) => {
    if (deals < fewest || !PARTS.some((part) => part * DEALS === deals)) return false;
    const [better, own] = outlooks();
    const hoped = deals < DEALS ? HOPELESS * own.error : 0;
    return deals === DEALS * Math.max(...PARTS) || own.loss + hoped < least || isSure([better, own]);
  };
  const found = yield* look(begin, pair, network, 1, isEnough(0));
  if (found.some(({ error }) => Number.isNaN(error)) || !isSure(found)) return null;
  // What looks like a mistake is looked at again in other deals, so that chance makes none.
  const again = yield* look(begin, pair, network, 2, isEnough(DEALS));
  return isSure(again) ? again : null;
}

/**
 * The own choices of a hand among several cards: how many cards were played before each.
 * @param {import('./played.js').PlayedHand} hand
 * @param {number} me
 */
export const ownChoices = ({ tricks }, me) =>
  tricks.flatMap(({ plays }) => plays).flatMap(({ player, by }, count) => (player === me && by === 0 ? [count] : []));

/**
 * Facts of the suit of a card that may take the trick, for words: how many cards of it are out, how
 * many of those are above it, and which of the players who are still to play have none.
 * @param {Known} known @param {number} me @param {number} card
 */
export function factsOf(known, me, card) {
  const plays = known.trick?.plays ?? [];
  const out = outOf(known).filter((other) => suit(other) === suit(card));
  const behind = [1, 2, 3].slice(0, 3 - plays.length).map((step) => (me + step) % 4);
  const voids = voidsOf(known);
  return {
    suit: suit(card), out: out.length, above: out.filter((other) => strength(other) > strength(card)).length,
    voids: out.length === 0 ? [] : behind.filter((player) => voids[player].has(suit(card))),
  };
}
