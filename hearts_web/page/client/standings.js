// The standings of names, as a server tells them in texts (SocketSpec.md, 3.5).

import { asked } from './asking.js';

/** @typedef {{mean: number, error: number | null}} Figure */
/** @typedef {{name: string, isProgram: boolean, games: number, hands: number, parHands: number, place: Figure, won: Figure, points: Figure, againstPar: Figure | null}} Standing */
/** @typedef {{month: string, leastGames: number, lines: Standing[]}} Standings */

/** Those of all time, and of this month. */
const ASKED = [1, 2];

/** @param {string} mean @param {string} error @returns {Figure | null} */
const figure = (mean, error) => (mean === '-' ? null : { mean: Number(mean), error: error === '-' ? null : Number(error) });

const NO_FIGURE = { mean: 0, error: null };

/** @param {string} text @returns {Standing} */
function readLine(text) {
  const words = text.split(' ');
  const [games, hands, parHands] = words.slice(0, 3).map(Number);
  const [place, won, points, againstPar] = [3, 5, 7, 9].map((at) => figure(words[at], words[at + 1]));
  return {
    name: words.slice(12).join(' '), isProgram: words[11] === 'program', games, hands, parHands,
    place: place ?? NO_FIGURE, won: won ?? NO_FIGURE, points: points ?? NO_FIGURE, againstPar,
  };
}

/** What texts tell; null: of no standings. @param {string[]} texts @returns {Standings | null} */
export function readStandings([head = '', ...lines]) {
  const [word, month, least] = head.split(' ');
  return word === 'standings' ? { month: month === 'ever' ? '' : month, leastGames: Number(least), lines: lines.map(readLine) } : null;
}

/**
 * Both tables, of this month last. Raises Lost, Refused, Nonsense.
 * @param {() => Promise<import('./wire.js').Line>} open
 * @param {string} password
 */
export const askStandings = (open, password) =>
  asked(open, '?', password, async (registration) => {
    const found = [];
    for (const about of ASKED) found.push(readStandings(await registration.greeting(Uint8Array.of(about))));
    return found.filter((each) => each !== null);
  });
