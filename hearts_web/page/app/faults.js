// What has gone wrong, in words for the player.

import { Aborted, Full, Lost, Overtaken, Refused, Unreachable } from '../client/errors.js';
import { texts } from '../texts.js';
import { Unproved } from './own_name.js';

const PASSWORD_WRONG = -105;

/** Whether a password is wrong or missing. @param {unknown} error */
export const isPasswordWrong = (error) => error instanceof Refused && error.code === PASSWORD_WRONG;

/** @param {unknown} error null: nothing */
export function inWords(error) {
  const words = texts.over;
  if (error === null) return '';
  if (error instanceof Refused) return isPasswordWrong(error) ? texts.password.asked : words.refused(error.message);
  if (error instanceof Unproved) return `${texts.names.doubts[error.doubt]} ${error.message}`.trim();
  if (error instanceof Overtaken) return words.taken;
  if (error instanceof Aborted) return words.refused(error.message);
  if (error instanceof Full) return words.full;
  if (error instanceof Unreachable) return words.unreachable;
  if (error instanceof Lost) return words.lost;
  return String(/** @type {Error} */ (error).message);
}

/** Why there is no connection for now; it is made anew. @param {Error} error */
export function lossInWords(error) {
  const isAtGateway = error instanceof Full || error instanceof Unreachable;
  return isAtGateway ? `${inWords(error)} ${texts.table.tries}` : texts.table.lost;
}
