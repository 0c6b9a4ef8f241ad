// Names of others as they are shown: none is taken for a word of ours, or for that of another player.

/**
 * @typedef {object} NameWords
 * @property {string[]} own what the page calls its own player, and who says notices
 * @property {(name: string) => string} quoted
 * @property {(name: string, seat: number) => string} atSeat
 */

/** What a server puts in front of the name of a guest (annex E). */
export const GUEST_MARK = '~';
const PLAIN = /^~?[\p{L}\p{N}][\p{L}\p{N}\p{M}\u200c\u200d _.'-]*$/u;

/** What the eye takes from a name: the same for "Ann", "ann" and "Ann ". @param {string} name */
const essence = (name) =>
  name.normalize('NFKC').toUpperCase().replace(/[\u200c\u200d\ufe0f]/g, '').replace(/\s+/gu, ' ').trim();

/** @param {string} name @param {NameWords} words */
const isOurs = (name, { own }) => own.some((word) => essence(word) === essence(name.replace(GUEST_MARK, '')));

/** A name in quotes, if it could be taken for more. @param {string} name @param {NameWords} words */
export const shownName = (name, words) =>
  PLAIN.test(name) && !isOurs(name, words) ? name : words.quoted(name);

/**
 * The names of a table: those that look alike, or like a word of ours, have their seats with them.
 * @param {string[]} names empty: nobody is there
 * @param {NameWords} words
 */
export const shownNames = (names, words) =>
  names.map((name, player) => {
    if (name === '') return '';
    const isTwin = names.some((other, place) => place !== player && essence(other) === essence(name));
    const shown = shownName(name, words);
    return isTwin || isOurs(name, words) ? words.atSeat(shown, player + 1) : shown;
  });
