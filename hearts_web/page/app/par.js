// What hands that are over usually cost, reckoned here in slices so that nothing else waits.

import { GAMES, gamesFrom, hasPar, meanOf, parOf } from '../client/par.js';
import { opened } from '../client/replay.js';
import { bestChoice } from './best_choice.js';
import { readOptions } from './options.js';

/** @typedef {import('../client/par.js').Par} Par */
/** @typedef {import('../client/played.js').PlayedHand} PlayedHand */
/** @typedef {import('../client/picture.js').Picture} Picture */

/** Milliseconds of a slice. */
const SLICE = 6;

/**
 * Points less the par, of one player.
 * @typedef {object} AgainstPar
 * @property {number} hands whose par is known
 * @property {number} sum
 * @property {number} squares
 */

/** @type {WeakMap<PlayedHand, Promise<Par | null>>} */
const known = new WeakMap();
/** @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Runs to the end, slice by slice; null if it is not wanted any more.
 * @template T
 * @param {Generator<void, T>} run
 * @param {() => boolean} isWanted
 */
export async function inSlices(run, isWanted = () => true) {
  while (isWanted()) {
    const end = performance.now() + SLICE;
    let step = run.next();
    while (!step.done && performance.now() < end) step = run.next();
    if (step.done) return step.value;
    await new Promise((goOn) => setTimeout(goOn));
  }
  return null;
}

/** Where the games of a hand begin; null if it is not over, or not all of it is known. @param {PlayedHand} hand */
export function beginOf(hand) {
  const open = opened(hand);
  if (open === null || !open.isWhole) return null;
  const { direction, number, rules } = hand;
  return { dealt: open.dealt, passed: open.passed.map(() => []), cards: [], direction, number, rules };
}

/**
 * The par of a hand that is over; null if it has none, or nobody wants to see any.
 * @param {Pick<Picture, 'played'>} picture
 * @param {PlayedHand} hand
 */
export function parOfHand({ played }, hand) {
  if (!readOptions().par) return Promise.resolve(null);
  const found = known.get(hand);
  if (found !== undefined) return found;
  const earlier = played.find(({ game, number }) => game === hand.game && number === hand.number - 1);
  const before = hand.number === 1 ? [0, 0, 0, 0] : earlier?.totals ?? null;
  const begin = hasPar(hand.rules, hand.endScore, before) ? beginOf(hand) : null;
  // One after the other, so that the first one comes soon.
  const coming = begin === null ? Promise.resolve(null) : last.then(() => reckoned(begin));
  last = coming;
  known.set(hand, coming);
  return coming;
}

/** @param {import('../client/par.js').Begin} begin @returns {Promise<Par | null>} */
async function reckoned(begin) {
  const network = await bestChoice();
  if (network === null) return null;
  const points = await inSlices(gamesFrom(begin, network, GAMES));
  return points === null ? null : parOf(points);
}

/**
 * How we did in all hands of a table, or of its latest game.
 * @param {Pick<Picture, 'me' | 'played'>} picture
 * @param {(hand: PlayedHand) => boolean} counts
 */
export async function againstPar(picture, counts = () => true) {
  const { me } = picture;
  const hands = picture.played.filter(counts);
  const pars = await Promise.all(hands.map((hand) => parOfHand(picture, hand)));
  const less = hands.flatMap(({ points }, place) => {
    const par = pars[place];
    return par === null || me === null ? [] : [points[me] - meanOf(par, me)];
  });
  return {
    hands: less.length,
    sum: less.reduce((sum, one) => sum + one, 0),
    squares: less.reduce((sum, one) => sum + one * one, 0),
  };
}

/** The mean for each hand, and its standard error; of two hands at least. @param {AgainstPar} against */
export function meanAgainst({ hands, sum, squares }) {
  return { hands, mean: sum / hands, error: Math.sqrt(Math.max(squares - sum ** 2 / hands, 0) / (hands - 1) / hands) };
}
