// The session in the dealer dialect (DealerSpec.md, 14). Each public method is the message whose
// name it bears; it is called with the payload, and with the query that an answer is for.

import { randomBytes } from 'node:crypto';

import { Hand, readRules } from './cards.mjs';
import { chooseCard, chooseMoon, choosePass } from './choice.mjs';
import { CUT_LENGTH, PromisedDeal } from './deal.mjs';
import { CPU, CUT, EXTERNAL_CPU, Frames, MEANINGLESS, TOO_LATE } from './frames.mjs';
import { Refused, Registration } from './registration.mjs';
import { Lost, Nonsense, intsOf, strOf } from './wire.mjs';

const VERSION_OF_THE_CONTRACT = 1;
const LEVEL = 300;
const COMMENT = 'a client in JavaScript';
const NOBODY = -1;
const YES = 1;

const GAME_IS_OVER = 1 << 0;
const YOU_DECIDE = 1 << 1;

const sorted = (cards) => cards.toSorted((a, b) => a - b);
const isSame = (some, others) => some.join() === others.join();

/** The table is over, and nobody can come back to it. */
export class Aborted extends Error {}

/** One connection of a session. What has to outlive it stands in `kept`. */
export class Dealer {
  #wire;
  #frames;
  #kept;
  #options;
  #chat;
  #show;
  #player;
  #seat = null; // its numbers, until they are shown
  #opponents = [];
  #rules;
  #endOfGame;
  #direction;
  #dealt = [];
  #ownHand = null;
  #chosen = null; // the choice that was sent last, and for which query
  #passed = null; // hand indexes
  #isMoonShown;
  #isGameOver = false;
  #isOver = false;

  constructor(wire, kept, options, chat, show) {
    this.#wire = wire;
    this.#frames = new Frames(wire);
    this.#kept = kept;
    this.#options = options;
    this.#chat = chat;
    this.#show = show;
  }

  /** Plays to the end of the session. */
  async session() {
    const registration = new Registration(this.#wire, this.#kept, this.#options, this.#show);
    this.#player = await registration.run();
    try {
      for (;;) {
        const { name, payload, query } = await this.#frames.next();
        if (name !== undefined) this[name](payload, query);
      }
    } catch (error) {
      if (!(error instanceof Lost && this.#isOver)) throw error;
    }
  }

  // The table

  registerPlayer(_, query) {
    const numbers = intsOf(EXTERNAL_CPU, LEVEL, this.#options.cut ? 1 : 0);
    this.#frames.answer(query, Buffer.concat([numbers, strOf(COMMENT)]));
  }

  refused(payload) {
    const code = payload.int('the code of a refusal', -(2 ** 31), -1);
    throw new Refused(code, payload.str());
  }

  abortGame(payload) {
    const canComeBack = payload.flag('later');
    const why = payload.str();
    throw canComeBack ? new Lost(why) : new Aborted(why);
  }

  serverNotice(payload) {
    this.#show('taunt', [-1], [payload.str()]);
  }

  seated(payload) {
    this.#player = payload.player();
    const gameNumber = payload.int('Game number', 1);
    const gameId = payload.int('Game ID', 0);
    Object.assign(this.#kept, { gameNumber, gameId, player: this.#player, failures: 0 });
    this.#seat = [this.#player, gameNumber, gameId];
    this.#chat.join(this.#kept);
  }

  registerOpponents(payload) {
    this.#opponents = [0, 1, 2, 3].map(() => payload.playerInfo());
    if (this.#seat === null) return;
    this.#show('seated', this.#seat, this.#opponents.map(({ name }) => name));
    this.#seat = null;
  }

  playerChange(payload) {
    payload.int('what has changed');
    const info = payload.playerInfo();
    this.#opponents[info.player] = info;
  }

  queryNewRules(_, query) {
    this.#frames.answer(query, intsOf(YES));
  }

  // A game

  newGame(payload) {
    const { bits, endOfGame } = payload.rules();
    const turnLimit = payload.int('turn limit', 0) / 1000;
    const isComputer = this.#opponents.map(({ kind }) => (kind === CPU ? 1 : 0));
    const computers = isComputer.reduce((all, is, player) => all | (is << player), 0);
    this.#rules = readRules(bits);
    this.#endOfGame = endOfGame;
    this.#kept.scores = [0, 0, 0, 0];
    this.#show('table', [VERSION_OF_THE_CONTRACT, bits, endOfGame, turnLimit, computers]);
  }

  standing(payload) {
    this.#kept.scores = payload.scores();
  }

  endGame(payload) {
    const scores = payload.scores();
    const winners = payload.int('winners', 1, 15);
    const decider = payload.playerOrNobody();
    if (!this.#isGameOver) return; // it comes again, and the hand that ended the game does not
    this.#isGameOver = false;
    this.#kept.games += 1;
    const youDecide = decider === this.#player ? YOU_DECIDE : 0;
    this.#scores(scores, GAME_IS_OVER | youDecide | (winners << 2));
  }

  playAgain(_, query) {
    this.#frames.answer(query, intsOf(this.#kept.games <= this.#options.again ? 1 : 0));
  }

  againDecided(payload) {
    const player = payload.playerOrNobody();
    const follows = payload.int('another game') === 0 ? 0 : 1;
    const status = payload.status(follows);
    if (player === this.#player) this.#show('again', [follows, status]);
    this.#show('new game', [follows]);
    this.#isOver = follows === 0;
  }

  // The deal

  dealCommitment(payload) {
    const number = payload.int('the number of a deal', 1);
    const commitment = payload.bytes(32);
    const { deal, hands } = this.#kept;
    const mayBeAnother = hands < 0 && !deal?.commitment.equals(commitment); // after a power cut (14.7)
    if (deal?.number === number && !mayBeAnother) deal.again(commitment);
    else this.#kept.deal = new PromisedDeal(number, commitment);
  }

  cut(payload, query) {
    payload.ints(2, 'left, state');
    const number = payload.int('the number of a deal', 1);
    const cut = randomBytes(CUT_LENGTH);
    this.#promised(number).cutWith(cut);
    this.#frames.answer(query, cut);
  }

  dealProof(payload) {
    const number = payload.int('the number of a deal', 1);
    const secret = payload.bytes(16);
    const cuts = payload.bytes(4 * CUT_LENGTH);
    this.#promised(number).check(secret, cuts, this.#player, this.#dealt);
  }

  #promised(number) {
    const { deal } = this.#kept;
    if (deal?.number !== number) throw new Nonsense(`deal ${number} was not promised`);
    return deal;
  }

  // A hand

  newHand(payload) {
    payload.int('the number of a hand', 1);
    if (this.#rules === undefined) throw new Nonsense('a hand before its game');
    this.#direction = payload.int('direction', 0, 3);
    this.#dealt = [];
    this.#ownHand = null;
    this.#passed = null;
    this.#isMoonShown = false;
  }

  takeCard(payload) {
    if (this.#direction === undefined || this.#dealt.length === 13) {
      throw new Nonsense('a card that is dealt to no hand');
    }
    this.#dealt.push(payload.card());
    if (this.#dealt.length < 13) return;
    this.#ownHand = new Hand([...this.#dealt], this.#rules);
    this.#show('hand', this.#dealt);
    this.#show('pass', [this.#direction]);
    if (this.#options.say !== '' && !this.#kept.said) this.#chat.say(this.#options.say);
    this.#kept.said = true;
  }

  doPass(payload, query) {
    payload.ints(4, 'left, state, player, direction');
    const cards = payload.ints(payload.int('a number of cards', 13, 13), 'a card', 1, 52);
    if (!isSame(cards, this.#dealt)) throw new Nonsense('other cards to pass than were dealt');
    this.#choose(query, intsOf(...choosePass(this.#hand)));
  }

  losePass(payload) {
    payload.ints(2, 'player, direction');
    const indexes = payload.ints(3, 'a card', 1, 52).map((card) => this.#indexOf(card));
    const status = payload.status(0);
    this.#passed = indexes;
    this.#show('passing', [...indexes, status]);
    if (status === 1) this.#show('passed for me', indexes);
  }

  takePass(payload) {
    payload.ints(2, 'player, direction');
    const received = payload.ints(3, 'a card', 1, 52);
    if (this.#passed === null) throw new Nonsense('cards received before cards were passed');
    this.#show('received', received);
    this.#hand.pass(this.#passed, received);
  }

  firstLead(payload) {
    this.#leads(payload.player());
  }

  #leads(player) {
    this.#show('leads', [player]);
    this.#hand.newTrick();
  }

  playCard(payload, query) {
    payload.ints(2, 'left, state');
    const trick = payload.trick();
    const cards = [];
    const legal = [];
    for (let left = payload.int('a number of cards', 1, 13); left > 0; left -= 1) {
      cards.push(payload.card());
      if (payload.flag('legal')) legal.push(cards.at(-1));
    }
    if (!isSame(sorted(cards), sorted(this.#hand.held))) {
      throw new Nonsense('other cards to play than are held');
    }
    if (!isSame(sorted(legal), sorted(this.#hand.legal))) {
      throw new Nonsense(`the cards ${legal} are not those that are legal`);
    }
    const number = this.#kept.hands * 13 + trick.round;
    if (this.#options.drop > 0 && this.#options.drop === number && !this.#kept.dropped) {
      this.#kept.dropped = true;
      throw new Lost('dropped, as --drop wishes');
    }
    const card = chooseCard({ legal, trick: trick.lying, rules: this.#rules });
    this.#choose(query, intsOf(card));
  }

  loseCard(payload) {
    const index = this.#indexOf(payload.card());
    this.#show('play', [index, payload.status(index)]);
    this.#hand.playOwn(index);
  }

  cardPlayed(payload) {
    const trick = payload.trick();
    const player = payload.player();
    const card = payload.card();
    if (player !== this.#player) {
      this.#show('saw', [player, card]);
      this.#hand.playOther(card);
    }
    if (!isSame(trick.lying, this.#hand.trick)) throw new Nonsense('other cards in the trick');
    if (trick.broken !== this.#hand.broken) throw new Nonsense('hearts are broken otherwise');
  }

  trickDone(payload) {
    const { round, winner } = payload.trick();
    if (winner === NOBODY) throw new Nonsense('a trick that nobody has won');
    this.#show('tallies', [winner, ...payload.ints(4, 'points')]);
    if (round < 13) this.#leads(winner);
  }

  playerShotMoon(payload) {
    const shooter = payload.player();
    const decides = payload.flag('decides');
    this.#moon(shooter, decides && shooter === this.#player ? 1 : 0);
  }

  #moon(shooter, decides) {
    this.#show('moon', [shooter, decides]);
    this.#isMoonShown = true;
  }

  moonChoice(_, query) {
    const wish = chooseMoon(this.#player, this.#kept.scores, this.#endOfGame);
    this.#choose(query, intsOf(wish));
  }

  moonChosen(payload) {
    const player = payload.player();
    const onOthers = payload.int('on others', 0, 1);
    const status = payload.status(onOthers);
    if (player === this.#player) this.#show('deciding', [onOthers, status]);
  }

  doneHand(payload) {
    payload.ints(3, 'a player', NOBODY, 3);
    const scores = payload.scores();
    payload.ints(5, 'game winner, points');
    const winners = payload.int('winners', 0, 15);
    if (!this.#isMoonShown) this.#moon(NOBODY, 0);
    this.#isGameOver = winners !== 0;
    if (!this.#isGameOver) this.#scores(scores, 0);
  }

  /** A hand counts as had (5.6) once these are shown. */
  #scores(scores, flag) {
    this.#show('scores', [...scores, flag]);
    this.#kept.scores = scores;
    if (this.#kept.hands >= 0) this.#kept.hands += 1;
  }

  get #hand() {
    if (this.#ownHand === null) throw new Nonsense('cards are played before they were dealt');
    return this.#ownHand;
  }

  #indexOf(card) {
    const index = this.#hand.indexOf(card);
    if (index < 0) throw new Nonsense(`the card ${card} was never held`);
    return index;
  }

  // Answers that are refused

  #choose(query, choice) {
    this.#chosen = { query, choice };
    this.#frames.answer(query, choice);
  }

  /**
   * A choice that is not legal, for which the query stays open, and one that came too late; any
   * other reason would be the fault of this client, or of the server.
   */
  answerError(payload) {
    const inReplyTo = payload.int('in reply to');
    const type = payload.int('type');
    const reason = payload.int('reason', -26, -1);
    payload.int('tries left', -1);
    const why = payload.str();
    if (reason === TOO_LATE) {
      if (type === CUT) this.#kept.deal?.cutWasLate();
    } else if ((reason >= -7 || reason === MEANINGLESS) && this.#chosen?.query.sequence === inReplyTo) {
      this.#frames.answer(this.#chosen.query, this.#chosen.choice);
    } else {
      throw new Nonsense(`an answer was refused with ${reason}: ${why}`);
    }
  }
}
