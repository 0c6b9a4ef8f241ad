// What a player asks for besides their cards: rules, seats, guests; and what they answer if others do.

import { intsOf, strOf } from '../client/bytes.js';
import { REQUEST, proposal } from '../client/messages.js';

export class Wishes {
  /** The number of the player who is asked to come to our table; 0: nobody. */
  invited = 0;
  #session;
  #picture;
  #begin;
  #changed;

  /**
   * @param {object} made
   * @param {import('./table_session.js').Host} made.session
   * @param {import('../client/picture.js').Picture} made.picture
   * @param {() => void} made.begin called before a request; what was refused before counts no more
   * @param {() => void} made.changed something is to be drawn anew
   */
  constructor({ session, picture, begin, changed }) {
    this.#session = session;
    this.#picture = picture;
    this.#begin = begin;
    this.#changed = changed;
  }

  /** What a message changes of it. @param {import('../client/messages.js').Message} message */
  apply(message) {
    const isRefused = message.is === 'answerError' && message.type === REQUEST.invite;
    if (isRefused || message.is === 'invitationOver') this.invited = 0;
  }

  /** Computers take the free seats. */
  startTable() {
    this.#session.request(REQUEST.startTable);
  }

  /** Asks for another seat of the table that forms. @param {number} player */
  moveTo(player) {
    this.ask(REQUEST.moveSeat, player);
  }

  /** How well the computer of a seat is to play. @param {number} player @param {number} level */
  setLevel(player, level) {
    this.#begin();
    this.#session.request(REQUEST.setLevel, intsOf(player, level));
  }

  /** Asks something of the host, who answers by notices. @param {string} text */
  askHost(text) {
    this.#begin();
    this.#session.request(REQUEST.askHost, strOf(text));
  }

  /** Has those listed who wait to be invited. */
  lookForInvitable() {
    this.#session.request(REQUEST.askInvitable);
  }

  /** @param {number} number of one who waits to be invited */
  invite(number) {
    this.invited = number;
    this.ask(REQUEST.invite, number);
  }

  /** Comes to the table that we are invited to, or stays. @param {boolean} yes */
  answerInvitation(yes) {
    const { invitation } = this.#picture;
    this.#picture.invitation = null;
    this.#answer(invitation, yes);
  }

  /** @param {import('../client/rules.js').Rules} rules @param {number} endScore */
  propose(rules, endScore) {
    this.#session.request(REQUEST.proposeRules, proposal(rules, endScore));
  }

  /** Asks the others whether the hand, or the whole game, is broken off. @param {boolean} isWholeGame */
  breakOff(isWholeGame) {
    this.ask(REQUEST.proposeAbort, isWholeGame ? 1 : 0);
  }

  /** Takes our latest choice back, or does again what was taken back. @param {boolean} isAgain */
  takeBack(isAgain) {
    this.ask(REQUEST.takeBack, isAgain ? 1 : 0);
  }

  /** Agrees to what all are asked, or does not. @param {boolean} yes */
  agree(yes) {
    const { vote } = this.#picture;
    this.#picture.vote = null;
    this.#answer(vote, yes);
  }

  /** A computer is to have this seat; its player is asked, if they are there. @param {number} player */
  replace(player) {
    this.ask(REQUEST.replacePlayer, player);
  }

  /** The seat is to be open for a person; its player is asked, if they are there. @param {number} player */
  openSeat(player) {
    this.ask(REQUEST.openSeat, player);
  }

  /** Gives up our seat, which somebody wants, or keeps it. @param {boolean} yes */
  giveSeat(yes) {
    const { seatWanted } = this.#picture;
    this.#picture.seatWanted = null;
    this.#answer(seatWanted, yes);
  }

  /** A request that may be refused. @param {number} type @param {number} value */
  ask(type, value) {
    this.#begin();
    this.#session.request(type, intsOf(value));
  }

  /** @param {{query: import('../client/messages.js').Query} | null} asked @param {boolean} yes */
  #answer(asked, yes) {
    if (asked === null) return;
    this.#session.answer(asked.query, intsOf(yes ? 1 : 0));
    this.#changed();
  }
}
