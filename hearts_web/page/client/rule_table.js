// Made from hearts/game/rules.py by `python -m tests.docs.page_rules`, and held to that.

/**
 * The rules of a table; 0 and false are the standard game.
 * @typedef {object} Rules
 * @property {boolean} jack the jack of diamonds counts 10 off your score
 * @property {number} moon How the points of a player who took them all count
 * @property {number} exact What a score of exactly the end of the game does
 * @property {boolean} dump the queen of spades must be played at the first chance
 * @property {boolean} bleed points may be played on the first trick
 * @property {boolean} rotate the first lead goes round, with any card, instead of the two of clubs
 * @property {number} pass Where three cards go, hand by hand; hold: nobody passes
 * @property {boolean} notrick a player who takes no trick gets 5 points off
 * @property {boolean} queenKeeps the queen of spades does not break hearts
 * @property {boolean} spot hearts count 2 to 14, the queen of spades 25
 */

/**
 * @typedef {object} Rule
 * @property {keyof Rules} field
 * @property {number} bit its lowest bit
 * @property {string[]} tokens by its values; '' for none
 * @property {string} there its int in the structure of the rules (14.4); '' if it has none
 * @property {boolean} isReversed whether that int is 1 in the standard game
 * @property {Record<number, number>} points of cards that count something else by it
 * @property {(keyof Rules)[]} against what it does not go together with
 */

/** By their bits. @type {Rule[]} */
export const RULES = [
  { field: 'jack', bit: 8, tokens: ['', 'jack'], there: 'jack', isReversed: false, points: {'37': -10}, against: ['spot'] },
  { field: 'moon', bit: 9, tokens: ['', 'moon=minus', 'moon=choice'], there: 'shoot', isReversed: false, points: {}, against: [] },
  { field: 'exact', bit: 11, tokens: ['', 'exact=zero', 'exact=wins'], there: 'max erase', isReversed: false, points: {}, against: [] },
  { field: 'dump', bit: 13, tokens: ['', 'dump'], there: 'queen dump', isReversed: false, points: {}, against: [] },
  { field: 'bleed', bit: 14, tokens: ['', 'bleed'], there: 'points first round', isReversed: true, points: {}, against: [] },
  { field: 'rotate', bit: 15, tokens: ['', 'rotate'], there: 'rotating lead', isReversed: false, points: {}, against: [] },
  { field: 'pass', bit: 16, tokens: ['', 'pass=cycle3', 'pass=left', 'pass=never'], there: 'passing', isReversed: false, points: {}, against: [] },
  { field: 'notrick', bit: 18, tokens: ['', 'notrick'], there: 'no trick', isReversed: false, points: {}, against: ['spot'] },
  { field: 'queenKeeps', bit: 19, tokens: ['', 'queen-keeps'], there: 'queen breaks', isReversed: true, points: {}, against: [] },
  { field: 'spot', bit: 21, tokens: ['', 'spot'], there: '', isReversed: false, points: {'1': 14, '2': 2, '3': 3, '4': 4, '5': 5, '6': 6, '7': 7, '8': 8, '9': 9, '10': 10, '11': 11, '12': 12, '13': 13, '51': 25}, against: ['jack', 'notrick'] },
];

/** What cards count in the standard game. @type {Record<number, number>} */
export const POINTS = {'1': 1, '2': 1, '3': 1, '4': 1, '5': 1, '6': 1, '7': 1, '8': 1, '9': 1, '10': 1, '11': 1, '12': 1, '13': 1, '51': 13};

/** How well computers can play, by the numbers of block -15. @type {Record<number, string>} */
export const LEVELS = { 1: 'novice', 2: 'simple', 5: 'swift', 3: 'strong', 4: 'expert' };

/** Their bits, and the end of a game that they name; 0 for none. */
export const PRESETS = {
  standard: { bits: 0, end: 0 },
  mactech98: { bits: 16896, end: 0 },
  mac2000: { bits: 136448, end: 0 },
  windows93: { bits: 10496, end: 0 },
  'spot-hearts': { bits: 2097152, end: 500 },
};
