// What a hand usually costs.

import { meanOf, spreadOf } from '../client/par.js';
import { againstPar, meanAgainst, parOfHand } from '../app/par.js';
import { texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';

/** @typedef {import('../client/picture.js').Picture} Picture */
/** @typedef {import('../client/played.js').PlayedHand} PlayedHand */
/** @typedef {import('../client/par.js').Par} Par */

/** The par of a hand once it is reckoned; null until then. @param {Picture} picture @param {PlayedHand | undefined} hand */
export function usePar(picture, hand) {
  const [found, setFound] = useState(/** @type {{hand: PlayedHand, par: Par | null} | null} */ (null));
  useEffect(() => {
    if (hand !== undefined) void parOfHand(picture, hand).then((par) => setFound({ hand, par }));
  }, [hand]);
  return found !== null && found.hand === hand ? found.par : null;
}

/** @param {Par} par @param {number} player */
export const about = (par, player) =>
  texts.par.about(Math.floor(meanOf(par, player) + 0.5), Math.floor(spreadOf(par, player) + 0.5));

/** What we took in the last hand, and what it usually costs; how we did in all so far. @param {{picture: Picture}} props */
export function LastPar({ picture }) {
  const { me, played } = picture;
  const hand = played.at(-1);
  const par = usePar(picture, hand);
  const [against, setAgainst] = useState(/** @type {import('../app/par.js').AgainstPar | null} */ (null));
  useEffect(() => {
    if (par !== null) void againstPar(picture).then(setAgainst);
  }, [par]);
  if (me === null || hand === undefined || par === null) return null;
  return html`<p class="par" role="status">${texts.par.hand(hand.points[me], about(par, me))}
    ${against !== null && against.hands > 1 && html` <span class="quiet">${texts.par.soFar(meanAgainst(against))}</span>`}</p>`;
}
