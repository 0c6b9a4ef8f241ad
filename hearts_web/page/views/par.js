// What a hand usually costs.

import { costOf, meanOf, seenAt, spreadOf } from '../client/par.js';
import { againstPar, beginOf, inSlices, meanAgainst, parOfHand } from '../app/par.js';
import { bestChoice } from '../app/best_choice.js';
import { opened } from '../client/replay.js';
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

/** Milliseconds for which a moment of a hand is looked at before its cost is reckoned. */
const PAUSE = 250;

/**
 * What the best bot of the page would have done in place of a choice, from what its player saw.
 * @typedef {object} Opinion
 * @property {number} player
 * @property {number[]} cards that it would have passed, or played
 * @property {boolean} isForced whether nothing else could be played
 * @property {{mean: number, error: number} | null} cost points that the card which was played cost more, as all cards lay
 */

/**
 * What is thought of the next card, or of our pass; null until it is known, and if it cannot be.
 * @param {Picture} picture @param {PlayedHand} hand @param {number} count cards that were played
 */
export function useOpinion({ me }, hand, count) {
  const [found, setFound] = useState(/** @type {{hand: PlayedHand, count: number, passes: Opinion | null, plays: Opinion | null} | null} */ (null));
  useEffect(() => {
    let isWanted = true;
    const look = async () => {
      const network = await bestChoice();
      const begin = beginOf(hand);
      const cards = hand.tricks.flatMap(({ plays }) => plays.map(({ card }) => card));
      if (network === null || begin === null || !isWanted) return;
      const passed = hand.direction === 0 ? [] : /** @type {number[][]} */ (opened(hand)?.passed);
      const known = { held: me === null ? [] : begin.dealt[me], direction: hand.direction, rules: hand.rules, passed: null, received: null, trick: null, tricks: [], broken: false };
      const passes = count > 0 || me === null || hand.direction === 0 ? null
        : { player: me, cards: network.choosePass(known, me), isForced: false, cost: null };
      if (count >= 52) return;
      const now = { ...begin, passed, cards: cards.slice(0, count) };
      const { known: seen, player, legal } = seenAt(now);
      const best = network.chooseCard(seen, player, legal);
      /** @type {Opinion} */
      const plays = { player, cards: [best], isForced: legal.length === 1, cost: null };
      setFound({ hand, count, passes, plays });
      if (best === cards[count]) return;
      await new Promise((goOn) => setTimeout(goOn, PAUSE));
      const cost = await inSlices(costOf(now, player, [cards[count], best], network), () => isWanted);
      if (cost !== null) setFound({ hand, count, passes, plays: { ...plays, cost } });
    };
    void look();
    return () => void (isWanted = false);
  }, [hand, count]);
  return found !== null && found.hand === hand && found.count === count ? found : null;
}
