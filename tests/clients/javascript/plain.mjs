// The session in the plain dialect. Each method is the section of SocketSpec.md, 3 to 5, whose name
// it bears.

import { Hand } from '../../../hearts_web/page/client/cards.js';
import { chooseCard, chooseMoon, choosePass } from '../../../hearts_web/page/client/choice.js';
import { Lost, Nonsense } from '../../../hearts_web/page/client/errors.js';
import { Registration } from '../../../hearts_web/page/client/registration.js';
import { moonOf, rulesOf } from '../../../hearts_web/page/client/rules.js';

const VERSION = 1;

const GAME_IS_OVER = 1 << 0;
const YOU_DECIDE = 1 << 1;

/** One connection of a session. What has to outlive it stands in `kept`. */
export class Plain {
  #wire;
  #kept;
  #options;
  #chat;
  #show;
  #proveName;
  #player;
  #rules;
  #endOfGame;
  #hand;

  constructor(wire, kept, options, chat, show, proveName) {
    this.#wire = wire;
    this.#kept = kept;
    this.#options = options;
    this.#chat = chat;
    this.#show = show;
    this.#proveName = proveName;
  }

  /** Plays to the end of the session. */
  async session() {
    await this.#registration();
    let isOver = (this.#kept.flag & GAME_IS_OVER) !== 0; // then what followed comes again (5.6)
    do {
      await this.#table();
      while (!isOver) isOver = await this.#aHand();
      if (this.#kept.flag & YOU_DECIDE) await this.#playAgain();
      isOver = false;
    } while (await this.#newGame());
    await this.#wire.end();
  }

  // 3 Registration

  async #registration() {
    const { name, table, computers, 'end-score': endScore } = this.#options;
    const registration = new Registration(this.#wire);
    const provisional = await registration.begin(name);
    this.#show('player', [provisional]);
    this.#player = provisional;
    if (this.#kept.gameNumber > 0) {
      if (this.#kept.hands < 0) this.#kept.flag = 0; // the hand dealt last comes again as a whole
      this.#show('back', [await registration.comeBack(this.#kept)]);
      this.#player = this.#kept.player;
    } else {
      await this.#proveName?.(registration, name, 0);
      if (table !== '') this.#player = await registration.join(table);
      if (this.#player !== provisional) this.#show('player', [this.#player]);
      registration.howToPlay({ computers, endScore });
    }
    registration.end(this.#kept.processId);
    await this.#gameNumber(await registration.reply('Game number', 1));
  }

  async #gameNumber(gameNumber) {
    const wire = this.#wire;
    const gameId = await wire.int('Game ID', 0);
    const names = [await wire.str(), await wire.str(), await wire.str(), await wire.str()];
    Object.assign(this.#kept, { gameNumber, gameId, player: this.#player, failures: 0 });
    this.#show('seated', [this.#player, gameNumber, gameId], names);
    this.#chat.join(this.#kept);
    this.#ack();
  }

  async #table() {
    const wire = this.#wire;
    const version = await wire.int('version', VERSION, VERSION);
    const rules = await wire.int('rules');
    const endOfGame = await wire.int('end of game', 1, 10_000);
    const turnLimit = await wire.int('turn limit', 0);
    const computers = await wire.int('computers', 0, 15);
    this.#rules = rulesOf(rules);
    this.#endOfGame = endOfGame;
    this.#show('table', [version, rules, endOfGame, turnLimit, computers]);
    this.#ack();
  }

  // 4 A hand

  /** Whether it was the last one of the game. */
  async #aHand() {
    await this.#yourHand();
    await this.#pass();
    for (let number = 1; number <= 13; number += 1) {
      await this.#trick(await this.#whoLeads(), number);
      await this.#tallies();
    }
    await this.#moon();
    return this.#scores();
  }

  async #yourHand() {
    const cards = await this.#wire.ints(13, 'card', 1, 52);
    this.#show('hand', cards);
    this.#hand = new Hand(cards, this.#rules);
    this.#ack();
    if (this.#options.say !== '' && !this.#kept.said) this.#chat.say(this.#options.say);
    this.#kept.said = true;
  }

  async #pass() {
    const direction = await this.#wire.int('direction', 0, 3);
    this.#show('pass', [direction]);
    if (direction === 0) {
      this.#ack();
      return;
    }
    let indexes = choosePass(this.#hand).map((card) => this.#hand.indexOf(card));
    let status;
    do status = await this.#choice('passing', indexes, -1, 1);
    while (status < 0);
    if (status === 1) {
      indexes = await this.#wire.ints(3, 'hand index', 0, 12);
      if (new Set(indexes).size !== 3) throw new Nonsense('the server passed a card twice');
      this.#show('passed for me', indexes);
    }
    const received = await this.#wire.ints(3, 'card', 1, 52);
    this.#show('received', received);
    this.#hand.pass(indexes, received);
    this.#ack();
  }

  async #whoLeads() {
    const leader = await this.#wire.int('leader', 0, 3);
    this.#show('leads', [leader]);
    this.#ack();
    return leader;
  }

  async #trick(leader, number) {
    this.#hand.newTrick();
    for (let place = 0; place < 4; place += 1) {
      const player = (leader + place) % 4;
      if (player === this.#player) await this.#ownCard(number);
      else await this.#cardOf(player);
    }
  }

  async #cardOf(player) {
    const card = await this.#wire.int('card', 1, 52);
    this.#show('saw', [player, card]);
    this.#hand.playOther(card);
    this.#ack();
  }

  async #ownCard(number) {
    if (this.#options.drop > 0 && this.#options.drop === this.#kept.hands * 13 + number && !this.#kept.dropped) {
      this.#kept.dropped = true;
      throw new Lost('dropped, as --drop wishes');
    }
    const best = chooseCard(this.#hand);
    for (const card of [best, ...this.#hand.held.filter((other) => other !== best)]) {
      const index = this.#hand.indexOf(card);
      const status = await this.#choice('play', [index], -7, 13);
      if (status >= 0) {
        this.#hand.playOwn(status > 0 ? status - 1 : index);
        return;
      }
    }
    throw new Nonsense('the server took none of the cards that are held');
  }

  async #tallies() {
    const winner = await this.#wire.int('winner', 0, 3);
    const points = await this.#wire.ints(4, 'points');
    this.#show('tallies', [winner, ...points]);
    this.#ack();
  }

  async #moon() {
    const shooter = await this.#wire.int('shooter', -1, 3);
    const decide = await this.#wire.int('decide', 0, shooter === this.#player ? 1 : 0);
    this.#show('moon', [shooter, decide]);
    if (decide === 0) {
      this.#ack();
      return;
    }
    const wish = chooseMoon(this.#player, this.#kept.scores, this.#endOfGame, moonOf(this.#rules));
    while ((await this.#choice('deciding', [wish], -1, 2)) < 0);
  }

  async #scores() {
    const scores = await this.#wire.ints(4, 'score');
    const flag = await this.#wire.int('the flag of Scores', 0, 63);
    const isOver = (flag & GAME_IS_OVER) !== 0;
    if (flag !== 0 && !isOver) throw new Nonsense(`the flag of Scores is ${flag}`);
    this.#show('scores', [...scores, flag]);
    Object.assign(this.#kept, { scores, flag });
    if (this.#kept.hands >= 0) this.#kept.hands += 1;
    if (isOver) this.#kept.games += 1;
    this.#ack();
    return isOver;
  }

  async #playAgain() {
    const wish = this.#kept.games <= this.#options.again ? 1 : 0;
    await this.#choice('again', [wish], 0, 2);
  }

  async #newGame() {
    const follows = await this.#wire.int('New game', 0, 1);
    this.#show('new game', [follows]);
    this.#kept.scores = [0, 0, 0, 0];
    this.#ack();
    return follows === 1;
  }

  // 5 Keeping in step

  #ack() {
    this.#wire.send(this.#player);
  }

  /** One choice, one status; only after a negative status comes another choice (5.2). */
  async #choice(line, choice, lowest, highest) {
    this.#wire.send(...choice);
    const status = await this.#wire.int(`the status of ${line}`, lowest, highest);
    this.#show(line, [...choice, status]);
    return status;
  }
}
