// Our own mistakes, as this browser keeps them: hands that are still to be looked through, what was
// found in them, and the days on which that comes again: 1, 2, 4, 8 ... days after right answers.

import { formatLink, parseLink } from '../client/hand_link.js';
import { judge, ownChoices } from '../client/judging.js';
import { scoresBefore } from '../client/played.js';
import { bestChoice } from './best_choice.js';
import { inSlices } from './par.js';

/** @typedef {import('../client/judging.js').CardOutlook} CardOutlook */

const PLACE = 'hearts.mistakes';
/** Mistakes that are kept; the cheapest go first. */
const MOST = 200;
/** Hands that wait; the oldest go first. */
const MOST_HANDS = 200;
/** Mistakes that are asked on a day. */
const DAILY = 12;
const DAY = 86_400_000;
/** The characters of a link that tell its hand from others: those of the secret of its deal. */
const KEY = /** @type {const} */ ([15, 35]);

/**
 * A card that cost points for sure, with our answers since.
 * @typedef {object} Mistake
 * @property {string} link to the hand
 * @property {number} count cards that were played before
 * @property {CardOutlook[]} outlooks the better card, and ours
 * @property {number} at when the hand was played
 * @property {number} due the day on which it comes; 0: it has not been asked
 * @property {number} asked the day on which it was last
 * @property {number} rights right answers behind each other
 */

/**
 * @typedef {object} OwnMistakes
 * @property {{link: string, at: number}[]} hands that are to be looked through
 * @property {string[]} looked what tells the latest hands from others
 * @property {Mistake[]} mistakes
 */

/** @returns {OwnMistakes} */
function read() {
  /** @type {OwnMistakes} */
  const none = { hands: [], looked: [], mistakes: [] };
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? 'null');
    const isWhole = Object.keys(none).every((key) => Array.isArray(kept?.[key]));
    return isWhole ? kept : none;
  } catch {
    return none;
  }
}

/** Changes what is kept, as it is now: another tab may have written it. @param {(kept: OwnMistakes) => OwnMistakes} change */
function keep(change) {
  const { hands, looked, mistakes } = change(read());
  const dearest = mistakes.toSorted((a, b) => lossOf(b) - lossOf(a)).slice(0, MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify({ hands: hands.slice(-MOST_HANDS), looked: looked.slice(-MOST_HANDS), mistakes: dearest }));
  } catch {
    // Then they are not asked.
  }
}

/** Forgets the hands and the mistakes in them. */
export const forgetMistakes = () => localStorage.removeItem(PLACE);

/** The points that a mistake costs. @param {Mistake} mistake */
export const lossOf = ({ outlooks }) => outlooks[1].loss;

/** The number of a day in the time of the player. */
export const today = () => Math.floor((Date.now() - 60_000 * new Date().getTimezoneOffset()) / DAY);

/** Keeps hands that are over, to look through them later. @param {string[]} links */
export function keepLinks(links) {
  keep((kept) => {
    const known = new Set([...kept.looked, ...kept.hands.map(({ link }) => link.slice(...KEY))]);
    const fresh = links.filter((link) => !known.has(link.slice(...KEY)));
    return { ...kept, hands: [...kept.hands, ...fresh.map((link) => ({ link, at: Date.now() }))] };
  });
}

/** Keeps the last hand of a table; one in which choices were taken back says nothing of us. @param {import('../client/picture.js').Picture} picture */
export function keepLastHand(picture) {
  const hand = picture.played.at(-1);
  if (hand === undefined || picture.me === null || picture.takenBack.has(hand.game)) return;
  const link = formatLink(hand, { before: scoresBefore(picture, hand), own: picture.me, named: true });
  if (link !== null) keepLinks([link]);
}

/** How many hands are to be looked through. */
export const handsLeft = () => read().hands.length;

/** What is to be looked at today, the dearest first. @returns {Mistake[]} */
export function dueToday(now = today()) {
  const { mistakes } = read();
  const done = mistakes.filter(({ asked }) => asked === now).length;
  return mistakes.filter(({ due }) => due <= now).slice(0, Math.max(0, DAILY - done));
}

/** How many mistakes are kept. */
export const mistakesKept = () => read().mistakes.length;

/** Notes an answer; gives the days until it comes again. @param {Mistake} mistake @param {boolean} isRight */
export function answered({ link, count, rights }, isRight, now = today()) {
  const behind = isRight ? rights + 1 : 0;
  const days = 2 ** Math.max(behind - 1, 0);
  keep((kept) => ({
    ...kept,
    mistakes: kept.mistakes.map((each) => (each.link === link && each.count === count ? { ...each, due: now + days, asked: now, rights: behind } : each)),
  }));
  return days;
}

/** A moment of a hand of a link: where its games begin, and the player. @param {string} link @param {number} count */
export function momentOf(link, count) {
  const linked = parseLink(link);
  const { hand, passed, own } = linked;
  const { direction, number, rules, tricks } = hand;
  const cards = tricks.flatMap(({ plays }) => plays.map(({ card }) => card));
  const begin = { dealt: hand.verdict?.hands ?? [], passed, cards: cards.slice(0, count), direction, number, rules };
  return { linked, begin, played: cards[count], me: own ?? 0 };
}

/** @param {string} link */
function leadsToHand(link) {
  try {
    return parseLink(link) !== null;
  } catch {
    return false;
  }
}

/**
 * Looks through the hands that wait, the latest first, slice by slice while it is wanted. Each hand is
 * kept when it is done.
 * @param {() => boolean} isWanted @param {() => void} changed
 */
export async function lookThrough(isWanted, changed) {
  const network = read().hands.length > 0 ? await bestChoice() : null;
  for (let next = read().hands.at(-1); network !== null && next !== undefined && isWanted(); next = read().hands.at(-1)) {
    const { link, at } = next;
    const found = await mistakesIn(link, at, network, isWanted);
    if (found === null) return;
    keep((kept) => ({
      hands: kept.hands.filter((other) => other.link !== link),
      looked: [...kept.looked, link.slice(...KEY)],
      mistakes: [...kept.mistakes.filter((other) => other.link !== link), ...found],
    }));
    changed();
  }
}

/**
 * Null if it is not wanted any more; a link that leads to no hand has none.
 * @param {string} link @param {number} at @param {import('../client/swift.js').Network} network @param {() => boolean} isWanted
 */
export async function mistakesIn(link, at, network, isWanted = () => true) {
  /** @type {Mistake[]} */
  const found = [];
  if (!leadsToHand(link)) return found;
  const { linked, me } = momentOf(link, 0);
  for (const count of ownChoices(linked.hand, me)) {
    const { begin, played } = momentOf(link, count);
    const outlooks = await inSlices(judge(begin, played, network), isWanted);
    if (!isWanted()) return null;
    if (outlooks !== null) found.push({ link, count, outlooks, at, due: 0, asked: 0, rights: 0 });
  }
  return found;
}
