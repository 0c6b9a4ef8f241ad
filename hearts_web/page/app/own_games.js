// The games that were played in this browser, for their statistics.

import { againstPar } from './par.js';

const PLACE = 'hearts.games';
const MOST = 500;

/**
 * @typedef {object} OwnGame
 * @property {string} id of the table's game, so that none counts twice
 * @property {number} at when it ended
 * @property {string[]} names
 * @property {number} me
 * @property {number[]} totals
 * @property {number} winners bits
 * @property {number} hands
 * @property {number} queens that we took
 * @property {number} moons that we shot
 * @property {import('./par.js').AgainstPar} [par] our points less the pars of the hands; absent until it is reckoned
 */

/** @returns {OwnGame[]} */
export function ownGames() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @param {import('../client/picture.js').Picture} picture of a game that is over */
export function keepGame(picture) {
  const { me, rows, players, winners, gameNumber, game, scores } = picture;
  if (me === null || winners === 0 || rows.length === 0 || picture.takenBack.has(game)) return;
  const id = `${gameNumber}.${me}.${rows.map((row) => row.points.join(',')).join(';')}.${game}`;
  const others = ownGames().filter((other) => other.id !== id);
  const own = {
    id,
    at: Date.now(),
    names: players.map(({ name }) => name),
    me,
    totals: picture.totals,
    winners,
    hands: rows.length,
    queens: scores[me]?.queens ?? 0,
    moons: rows.filter(({ shooter }) => shooter === me).length,
  };
  keep([...others, own]);
  void againstPar(picture, (hand) => hand.game === game).then((par) => {
    keep(ownGames().map((other) => (other.id === id && par.hands > 0 ? { ...other, par } : other)));
  });
}

/** @param {OwnGame[]} games */
function keep(games) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(games.slice(-MOST)));
  } catch {
    // Statistics are not worth a game.
  }
}

export function forgetGames() {
  localStorage.removeItem(PLACE);
}

/** @param {OwnGame[]} games */
export function counted(games) {
  const sum = (/** @type {(game: OwnGame) => number} */ of) => games.reduce((all, game) => all + of(game), 0);
  const hands = sum((game) => game.hands);
  const points = sum((game) => game.totals[game.me]);
  return {
    games: games.length,
    won: sum((game) => (game.winners >> game.me) & 1),
    hands,
    pointsPerHand: hands === 0 ? 0 : points / hands,
    queens: sum((game) => game.queens),
    moons: sum((game) => game.moons),
    par: {
      hands: sum((game) => game.par?.hands ?? 0),
      sum: sum((game) => game.par?.sum ?? 0),
      squares: sum((game) => game.par?.squares ?? 0),
    },
  };
}

/**
 * How the games went, one after the other: our points a hand in each, and on average up to it.
 * @param {OwnGame[]} games
 */
export function course(games) {
  const tenths = (/** @type {number} */ value) => Math.round(10 * value) / 10;
  return {
    each: games.map((game) => tenths(game.totals[game.me] / game.hands)),
    average: games.map((_, place) => tenths(counted(games.slice(0, place + 1)).pointsPerHand)),
  };
}
