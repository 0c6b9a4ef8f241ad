// What screen readers are told of a message, before it is shown.

import { LATER } from '../client/messages.js';
import { moonOf } from '../client/rules.js';
import { texts } from '../texts.js';
import { peopleAt, whoHasCome } from './calling.js';
import { allCalled, called, nameOf, targetOf } from './names.js';

/** @typedef {import('../client/messages.js').Message} Message */
/** @typedef {import('../client/picture.js').Picture} Picture */

/**
 * @param {Message} message
 * @param {Picture} picture
 * @param {'all' | 'short' | 'off'} how
 * @returns {string} empty where there is nothing to say
 */
export function announced(message, picture, how) {
  if (how === 'off' || picture.isPast) return '';
  const who = (/** @type {number} */ player) => nameOf(picture, player);
  switch (message.is) {
    case 'playCard':
      return inTime(texts.said.yourTurn, message, picture);
    case 'doPass':
      return inTime(texts.said.yourPass(targetOf(picture, message.direction)), message, picture);
    case 'loseCard':
    case 'losePass':
      return message.by === 1 ? texts.playedFor.timeUp('card' in message ? [message.card] : message.cards, texts.card) : '';
    case 'moonChosen':
      return message.by === 1 && message.player === picture.me ? moonTimeUp(message.onOthers, picture) : '';
    case 'moonChoice':
      return inTime(texts.moon.ask, message, picture);
    case 'table': {
      const who = whoHasCome(message, picture);
      return who === '' ? '' : texts.said.comes(called(who));
    }
    case 'newGame':
      return picture.forming !== null && peopleAt(picture) > 1 ? texts.waiting.begins : '';
    case 'doneHand':
      return texts.said.scores(message.scores.map(({ points }, player) => `${who(player)} ${points}`));
    case 'shotMoon':
      return texts.moon.shot(who(message.player));
    case 'queryNewRules':
      return texts.vote.title;
    case 'queryAbort':
      return texts.abort.ask(message.isWholeGame);
    case 'giveSeat':
      return texts.seat.ask(who(message.asker), message.opens);
    case 'invitation':
      return texts.invite.ask(allCalled(message.names)[message.inviter], message.table);
    default:
  }
  const outcome = outcomeOf(message, picture);
  if (outcome !== '') return outcome;
  if (how === 'short') return '';
  switch (message.is) {
    case 'cardPlayed':
      return texts.said.plays(who(message.player), message.card);
    case 'heartsBroken':
      return texts.said.broken;
    case 'trickDone':
      return texts.said.takes(who(message.trick.winner), picture.hand?.trick?.points ?? 0);
    case 'takePass':
      return texts.table.received(who(message.from), message.cards);
    case 'claimRest':
      return texts.table.claimed(who(message.player));
    case 'playerComment':
      return texts.said.says(who(message.player), message.text);
    case 'serverNotice':
      return message.text;
    default:
      return '';
  }
}

/** What the clock has chosen for our moon. @param {number} onOthers @param {Picture} picture */
export function moonTimeUp(onOthers, { rules }) {
  const points = rules === null ? 26 : moonOf(rules);
  return texts.playedFor.moonTimeUp(onOthers === 1 ? texts.moon.others(points) : texts.moon.mine(points));
}

/** A question, with its time where that is less than usual. @param {string} asked @param {{left: number}} message @param {Picture} picture */
function inTime(asked, { left }, picture) {
  const isShort = left > 0 && left < picture.turnLimit;
  return isShort ? `${asked} ${texts.table.clock(Math.ceil(left / 1000))}` : asked;
}

/**
 * What became of a vote, a wish for a seat or an invitation, or of what was broken off; empty where the message says nothing of it.
 * @param {Message} message
 * @param {Picture} picture
 */
export function outcomeOf(message, picture) {
  const who = 'player' in message && message.player >= 0 ? nameOf(picture, message.player) : '';
  switch (message.is) {
    case 'takenBack':
      return message.hands >= 0 ? texts.table.undone : '';
    case 'abortHand':
      return texts.abort.hand;
    case 'abortGame':
      return message.later === LATER.anotherGame ? texts.abort.game : '';
    case 'playGoesOn':
      return texts.abort.goesOn(who, message.why);
    case 'rulesStay':
      return texts.vote.stay(who, message.why);
    case 'newRules':
      return texts.vote.agreed;
    case 'seatStays':
      return texts.seat.stays(who, message.why);
    case 'invitationOver':
      return message.agreed ? texts.invite.agreed : texts.invite.over(message.why);
    default:
      return '';
  }
}
