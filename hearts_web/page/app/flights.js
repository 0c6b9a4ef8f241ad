// Cards that fly: from a seat to the trick, and from the trick to who takes it.

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** @type {Map<number, DOMRect>} where cards of the own hand lay last */
const lain = new Map();

/** Remembers where a card of the own hand lies, before it is drawn elsewhere. @param {number} card */
export function rememberPlace(card) {
  const element = document.querySelector(`.hand [data-card="${card}"]`);
  if (element !== null) lain.set(card, element.getBoundingClientRect());
}

/** @param {number} place 0 to 3, clockwise from the bottom */
const seatBox = (place) => document.getElementById(`seat-${place}`)?.getBoundingClientRect();

/**
 * Lets a card that has just been drawn come from a player.
 * @param {HTMLElement} element
 * @param {number} card
 * @param {number} place
 */
export function flyIn(element, card, place) {
  const from = lain.get(card) ?? seatBox(place);
  lain.delete(card);
  fly(element, from, { direction: 'reverse', duration: 300, easing: 'cubic-bezier(.3,0,.7,.4)' });
}

/** @param {HTMLElement} element @param {number} place */
export function flyAway(element, place) {
  fly(element, seatBox(place), { duration: 420, easing: 'cubic-bezier(.5,0,.8,.4)', fill: 'forwards' });
}

/** @param {HTMLElement} element @param {DOMRect | undefined} far @param {KeyframeAnimationOptions} how */
function fly(element, far, how) {
  if (calm.matches || document.hidden || far === undefined) return;
  const near = element.getBoundingClientRect();
  if (near.width === 0) return;
  const x = far.x + far.width / 2 - near.x - near.width / 2;
  const y = far.y + far.height / 2 - near.y - near.height / 2;
  element.animate(
    [{ transform: 'none', opacity: 1 }, { transform: `translate(${x}px, ${y}px) scale(.55)`, opacity: how.fill ? 0.15 : 0.9 }],
    how,
  );
}
