// The session in the dealer dialect (DealerSpec.md, 14), with the modules of the page. Each method
// is the message whose name it bears; it is called with the message, and with the query that an
// answer is for. What the page takes as it comes is checked here.

import { intsOf } from '../../../hearts_web/page/client/bytes.js';
import { Hand } from '../../../hearts_web/page/client/cards.js';
import { chooseCard, chooseMoon, choosePass } from '../../../hearts_web/page/client/choice.js';
import { Lost, Nonsense } from '../../../hearts_web/page/client/errors.js';
import { KIND, TOO_LATE } from '../../../hearts_web/page/client/messages.js';
import { Picture } from '../../../hearts_web/page/client/picture.js';
import { bitsOf, moonOf } from '../../../hearts_web/page/client/rules.js';
import { Session, isStillOpen } from '../../../hearts_web/page/client/session.js';

const VERSION_OF_THE_CONTRACT = 1;
const LEVEL = 300;
const COMMENT = 'a client in JavaScript';
const NOBODY = -1;
/** As the line `deal` has them. */
const FAIRNESS = ['nobody', 'withholders', 'anybody', 'notCut'];

const GAME_IS_OVER = 1 << 0;
const YOU_DECIDE = 1 << 1;

const sorted = (cards) => cards.toSorted((a, b) => a - b);
const isSame = (some, others) => some.join() === others.join();
/** The status that the plain dialect has for a choice: 0 where the player chose himself. */
const status = (by, choice) => (by === 0 ? 0 : choice + 1);
const pointsOf = (scores) => scores.map(({ points }) => points);

/** Plays to the end of the session, and shows what it sees. */
export async function dealerSession({ kept, options, show, open, chat, proveName, waits, sleep }) {
  const { name, table, computers, cut, 'end-score': endScore } = options;
  const dealer = new Dealer(kept, options, chat, show);
  const session = new Session({
    open,
    wanted: {
      name,
      table,
      wishes: { computers, endScore },
      cuts: cut,
      kind: KIND.program,
      level: LEVEL,
      comment: COMMENT,
      proveName,
    },
    seat: kept,
    listener: dealer.listener((query, payload) => session.answer(query, payload)),
    waits,
    sleep,
  });
  await session.run();
}

class Dealer {
  #kept;
  #options;
  #chat;
  #show;
  #answer;
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
  #picture = new Picture(); // what the page would draw, which must be the same

  constructor(kept, options, chat, show) {
    this.#kept = kept;
    this.#options = options;
    this.#chat = chat;
    this.#show = show;
  }

  listener(answer) {
    this.#answer = answer;
    return {
      hear: (message, query) => {
        this.#picture.apply(message, query, Date.now());
        this[message.is]?.(message, query);
      },
      registered: ({ player, decided }) => {
        if (player === undefined) this.#show('back', [decided]);
        else this.#show('player', [player]);
      },
      promiseChanged: (deal) => {
        console.error(`the promise of deal ${deal} takes the place of another one`);
      },
      proved: ({ deal, problem, fairness, shown }) => {
        if (problem === 'twice') return; // that was told
        if (problem !== null) throw new Nonsense(`the proof of deal ${deal} does not hold: ${problem}`);
        const missing = shown.reduce((bits, word, player) => bits | (Number(word.startsWith('!')) << player), 0);
        this.#show('deal', [deal, FAIRNESS.indexOf(fairness), missing]);
      },
      refused: (error) => this.#show('refused', [error.code], [error.message]),
      ended: () => this.#show('end'),
    };
  }

  // The table

  serverNotice({ text }) {
    this.#show('taunt', [-1], [text]);
  }

  seated({ player, gameNumber, gameId }) {
    this.#player = player;
    this.#seat = [player, gameNumber, gameId];
    this.#chat.join(this.#kept);
  }

  opponents({ players }) {
    this.#opponents = players;
    if (this.#seat === null) return;
    this.#show('seated', this.#seat, players.map(({ name }) => name));
    this.#seat = null;
  }

  playerChange({ info }) {
    this.#opponents[info.player] = info;
  }

  queryNewRules(_, query) {
    this.#answer(query, intsOf(1));
  }

  queryAbort(_, query) {
    this.#answer(query, intsOf(1));
  }

  abortHand() {
    this.#ownHand = null;
    this.#chosen = null;
  }

  // A game

  newGame({ rules, endScore, turnLimit }) {
    const computers = this.#opponents.reduce(
      (all, { kind }, player) => all | (kind === KIND.cpu ? 1 << player : 0),
      0,
    );
    this.#rules = rules;
    this.#endOfGame = endScore;
    this.#kept.scores = [0, 0, 0, 0];
    const numbers = [VERSION_OF_THE_CONTRACT, bitsOf(rules), endScore, turnLimit / 1000, computers];
    this.#show('table', numbers);
  }

  standing({ scores }) {
    this.#kept.scores = pointsOf(scores);
  }

  endGame({ scores, winners, decider }) {
    if (!this.#isGameOver) return; // it comes again, and the hand that ended the game does not
    this.#isGameOver = false;
    this.#kept.games += 1;
    const youDecide = decider === this.#player ? YOU_DECIDE : 0;
    this.#scores(pointsOf(scores), GAME_IS_OVER | youDecide | (winners << 2));
  }

  playAgain(_, query) {
    this.#answer(query, intsOf(this.#kept.games <= this.#options.again ? 1 : 0));
  }

  againDecided({ player, yes, by }) {
    const follows = yes ? 1 : 0;
    if (player === this.#player) this.#show('again', [follows, status(by, follows)]);
    this.#show('new game', [follows]);
  }

  // A hand

  newHand({ direction }) {
    if (this.#rules === undefined) throw new Nonsense('a hand before its game');
    this.#direction = direction;
    this.#dealt = [];
    this.#ownHand = null;
    this.#passed = null;
    this.#isMoonShown = false;
  }

  takeCard({ card }) {
    if (this.#direction === undefined || this.#dealt.length === 13) {
      throw new Nonsense('a card that is dealt to no hand');
    }
    this.#dealt.push(card);
    if (this.#dealt.length < 13) return;
    this.#ownHand = new Hand(this.#dealt, this.#rules);
    this.#show('hand', this.#dealt);
    this.#show('pass', [this.#direction]);
    if (this.#options.say !== '' && !this.#kept.said) this.#chat.say(this.#options.say);
    this.#kept.said = true;
  }

  doPass({ held }, query) {
    if (!isSame(held, this.#dealt)) throw new Nonsense('other cards to pass than were dealt');
    this.#choose(query, intsOf(...choosePass(this.#hand)));
  }

  losePass({ cards, by }) {
    const indexes = cards.map((card) => this.#indexOf(card));
    this.#passed = indexes;
    this.#show('passing', [...indexes, status(by, 0)]);
    if (by !== 0) this.#show('passed for me', indexes);
  }

  takePass({ cards }) {
    if (this.#passed === null) throw new Nonsense('cards received before cards were passed');
    this.#show('received', cards);
    this.#hand.pass(this.#passed, cards);
  }

  firstLead({ leader }) {
    this.#leads(leader);
  }

  #leads(player) {
    this.#show('leads', [player]);
    this.#hand.newTrick();
  }

  playCard({ trick, held, legal }, query) {
    if (!isSame(sorted(held), sorted(this.#hand.held))) {
      throw new Nonsense('other cards to play than are held');
    }
    if (!isSame(sorted(legal), sorted(this.#hand.legal))) {
      throw new Nonsense(`the cards ${legal} are not those that are legal`);
    }
    if (!isSame(this.#picture.hand.held, sorted(held)) || this.#picture.hand.turn !== this.#player) {
      throw new Error('the picture is not what is asked');
    }
    const number = this.#kept.hands * 13 + trick.round;
    if (this.#options.drop > 0 && this.#options.drop === number && !this.#kept.dropped) {
      this.#kept.dropped = true;
      throw new Lost('dropped, as --drop wishes');
    }
    this.#choose(query, intsOf(chooseCard({ legal, trick: trick.lying, rules: this.#rules })));
  }

  loseCard({ card, by }) {
    const index = this.#indexOf(card);
    this.#show('play', [index, status(by, index)]);
    this.#hand.playOwn(index);
  }

  cardPlayed({ trick, player, card }) {
    if (player !== this.#player) {
      this.#show('saw', [player, card]);
      this.#hand.playOther(card);
    }
    const drawn = this.#picture.hand.trick.plays.map((play) => play.card);
    if (!isSame(trick.lying, drawn)) throw new Error('the picture has another trick');
    if (!isSame(trick.lying, this.#hand.trick)) throw new Nonsense('other cards in the trick');
    if (trick.broken !== this.#hand.broken) throw new Nonsense('hearts are broken otherwise');
  }

  trickDone({ trick: { round, winner }, points }) {
    if (winner === NOBODY) throw new Nonsense('a trick that nobody has won');
    this.#show('tallies', [winner, ...points]);
    if (round < 13) this.#leads(winner);
  }

  shotMoon({ player, decides }) {
    this.#moon(player, decides && player === this.#player ? 1 : 0);
  }

  #moon(shooter, decides) {
    this.#show('moon', [shooter, decides]);
    this.#isMoonShown = true;
  }

  moonChoice(_, query) {
    this.#choose(query, intsOf(chooseMoon(this.#player, this.#kept.scores, this.#endOfGame, moonOf(this.#rules))));
  }

  moonChosen({ player, onOthers, by }) {
    if (player === this.#player) this.#show('deciding', [onOthers, status(by, onOthers)]);
  }

  doneHand({ scores, winners }) {
    if (!this.#isMoonShown) this.#moon(NOBODY, 0);
    this.#isGameOver = winners !== 0;
    const { totals, rows, hand } = this.#picture;
    if (!isSame(totals, pointsOf(scores)) || !isSame(rows.at(-1).totals, totals) || !hand.isDone) {
      throw new Error('the picture has other scores');
    }
    if (!this.#isGameOver) this.#scores(pointsOf(scores), 0);
  }

  #scores(scores, flag) {
    this.#show('scores', [...scores, flag]);
    this.#kept.scores = scores;
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
    this.#answer(query, choice);
  }

  /**
   * A choice that is not legal, for which the query stays open, and one that came too late; any
   * other reason would be the fault of this client, or of the server.
   */
  answerError({ inReplyTo, reason, why }) {
    if (reason === TOO_LATE) return;
    if (isStillOpen(reason) && this.#chosen?.query.sequence === inReplyTo) {
      this.#answer(this.#chosen.query, this.#chosen.choice);
    } else {
      throw new Nonsense(`an answer to ${inReplyTo} was refused with ${reason}: ${why}`);
    }
  }
}
