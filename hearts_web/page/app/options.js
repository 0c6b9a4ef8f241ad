// What the player has set, and who they are; kept in this browser.

const PLACE = 'hearts.options';

/**
 * @typedef {object} Options
 * @property {string} name
 * @property {'auto' | 'en' | 'de'} language
 * @property {'short' | 'normal' | 'long' | 'tap'} trickStays how long a full trick lies
 * @property {'auto' | 'once' | 'twice'} taps how many taps play a card
 * @property {boolean} ahead whether a card may be chosen before it is one's turn
 * @property {boolean} fourColours
 * @property {'auto' | 'light' | 'dark'} scheme
 * @property {'lattice' | 'waves' | 'dusk'} back
 * @property {'all' | 'short' | 'off'} announce what screen readers are told
 * @property {number} announcePause seconds between two announcements, at least
 * @property {boolean} sounds
 * @property {boolean} vibrate when it is our turn
 * @property {boolean} notify when it is our turn and the page is not looked at
 * @property {boolean} par whether a hand that is over says what it usually costs
 * @property {boolean} keys whether single letters are commands
 * @property {number} level of computers at tables that are opened; 0: as the host has it
 * @property {string[]} quickWords
 * @property {string} password of the host, if they ask for one; not kept when the tab is closed
 */

/** @type {Options} */
const FIRST = {
  name: '',
  language: 'auto',
  trickStays: 'normal',
  taps: 'auto',
  ahead: true,
  fourColours: true,
  scheme: 'auto',
  back: 'lattice',
  announce: 'all',
  announcePause: 1,
  sounds: true,
  vibrate: true,
  notify: false,
  par: true,
  keys: true,
  level: 0,
  quickWords: [],
  password: '',
};

/** @returns {Options} */
export function readOptions() {
  /** @type {Record<string, unknown>} */
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(PLACE) ?? '{}');
  } catch {
    // What cannot be read is as if nothing was set.
  }
  const known = Object.entries(kept ?? {}).filter(
    ([key, value]) => key in FIRST && typeof value === typeof FIRST[/** @type {keyof Options} */ (key)],
  );
  return { ...FIRST, ...Object.fromEntries(known), password: sessionStorage.getItem(PLACE) ?? '' };
}

/** @param {Options} options */
export function keepOptions({ password, ...others }) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(others));
    sessionStorage.setItem(PLACE, password);
  } catch {
    // A browser that keeps nothing is played in all the same.
  }
}

/** Shows what was set. @param {Options} options */
export function applyOptions({ scheme, fourColours }) {
  const root = document.documentElement.classList;
  root.toggle('light', scheme === 'light');
  root.toggle('dark', scheme === 'dark');
  root.toggle('two-colours', !fourColours);
}
