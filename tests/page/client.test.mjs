// The client modules of the page against the vectors of other implementations.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { fromHex, hexOf, intsOf, joined, strOf } from '../../hearts_web/page/client/bytes.js';
import { Hand, highestOf } from '../../hearts_web/page/client/cards.js';
import { chooseWithReason } from '../../hearts_web/page/client/choice.js';
import { Full, Lost, Unreachable } from '../../hearts_web/page/client/errors.js';
import { isProved } from '../../hearts_web/page/client/claim.js';
import { deal, dealCode } from '../../hearts_web/page/client/deal.js';
import { shownName, shownNames } from '../../hearts_web/page/client/names.js';
import { proposal, readMessage, whoIAm } from '../../hearts_web/page/client/messages.js';
import { Picture } from '../../hearts_web/page/client/picture.js';
import { recordOf } from '../../hearts_web/page/client/record.js';
import { choiceAfter, heldAfter, opened, pointCards } from '../../hearts_web/page/client/replay.js';
import { PRESETS, bitsOf, moonOf, pointsOf, rulesOf } from '../../hearts_web/page/client/rules.js';
import { hmacSha256, sha256 } from '../../hearts_web/page/client/sha256.js';
import { friendsName, isSecret, secretName } from '../../hearts_web/page/client/table_names.js';
import { openWebSocket } from '../../hearts_web/page/client/websocket_line.js';

const ROOT = new URL('../../', import.meta.url);
const text = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const ascii = (words) => new TextEncoder().encode(words);

const RANKS = 'A23456789TJQK';
const SUITS = 'HCDS';
const cardOf = (name) => SUITS.indexOf(name[1]) * 13 + RANKS.indexOf(name[0]) + 1;
const rulesFrom = (tokens) => {
  const bits = { standard: 0, dump: 1 << 13, bleed: 1 << 14, rotate: 1 << 15 };
  return rulesOf(tokens.split(',').reduce((all, token) => all | bits[token], 0));
};

test('SHA-256 of texts whose digests everybody knows', () => {
  const known = {
    '': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    abc: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq:
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  };
  for (const [words, digest] of Object.entries(known)) assert.equal(hexOf(sha256(ascii(words))), digest);
  assert.equal(
    hexOf(sha256(new Uint8Array(1_000_000).fill(97))),
    'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
  );
});

test('HMAC gives the Game IDs of section 9.5', () => {
  const rows = text('SocketSpec.md').matchAll(/^\| (\w{64}) \| (\d+) \| (-?\d+) \| (\d+) \| (\w{64}) \|/gm);
  let count = 0;
  for (const [, secret, ...numbers] of rows) {
    const mac = numbers.pop();
    assert.equal(hexOf(hmacSha256(fromHex(secret), intsOf(...numbers.map(Number)))), mac);
    count += 1;
  }
  assert.equal(count, 6);
});

test('deals, commitments and codes', () => {
  const blocks = text('tests/vectors/deals.txt').split('\n\n').slice(1);
  for (const block of blocks) {
    const lines = block.trim().split('\n').map((line) => line.split(' '));
    const value = (name) => lines.find(([first]) => first === name)?.[1];
    const secret = fromHex(value('secret'));
    const cuts = fromHex(value('cuts') ?? '00'.repeat(32));
    const hands = lines.filter(([name]) => name === 'hand').map(([, , ...cards]) => cards.map(cardOf));
    assert.deepEqual(deal(secret, cuts), hands);
    if (value('commitment')) assert.equal(hexOf(sha256(secret)), value('commitment'));
    if (value('code')) assert.equal(dealCode(secret), value('code'));
  }
  assert.ok(blocks.length >= 5);
});

test('the statuses of cards in section 6.3', () => {
  const rows = text('SocketSpec.md').matchAll(
    /^\| ([a-z,]+) \| (yes|no) \| (yes|no) \| ([^|]+) \| ([^|]+) \| (\w\w) \| (-?\d) \|$/gm,
  );
  let count = 0;
  for (const [, tokens, isFirst, isBroken, lying, cards, card, status] of rows) {
    const held = cards.trim().split(' ').map(cardOf).sort((a, b) => a - b);
    const hand = new Hand(held, rulesFrom(tokens));
    hand.isFirstTrick = isFirst === 'yes';
    hand.broken = isBroken === 'yes';
    hand.trick = lying.trim() === '-' ? [] : lying.trim().split(' ').map(cardOf);
    assert.equal(hand.status(cardOf(card)), Number(status), `${tokens} ${lying} ${cards} ${card}`);
    count += 1;
  }
  assert.ok(count > 25);
});

test('every message of the dealer dialect', () => {
  const vectors = JSON.parse(text('tests/vectors/dealer.json'));
  const skipped = [];
  for (const { from, type, name, payload } of vectors) {
    if (from !== 'server') continue;
    const message = readMessage(type, fromHex(payload));
    if (message === null) skipped.push(name);
    // A later version may say more behind what is known.
    assert.deepEqual(readMessage(type, fromHex(`${payload}00ff`)), message);
  }
  // P_TRICK_DONE says the same.
  assert.deepEqual(skipped, ['P_TAKE_TRICK']);
  const read = (name) => {
    const { type, payload } = vectors.find((each) => each.from === 'server' && each.name === name);
    return readMessage(type, fromHex(payload));
  };
  const done = read('P_DONE_HAND');
  assert.deepEqual(done.scores.map(({ points }) => points), [-5, 103, 26, 0]);
  assert.equal(done.shooter, 3);
  assert.deepEqual(read('P_DO_PASS').held, [1, 15, 39, 51]);
  assert.equal(read('P_TABLE').table, 'club');
  const { inviter, names, endScore } = read('P_INVITATION');
  assert.deepEqual([inviter, names, endScore], [0, ['Zoë', 'BOB', '', ''], 50]);
  assert.deepEqual([read('P_INVITABLE').number, read('P_INVITABLE').info.name], [17, 'Eve']);
  const sent = (name) => vectors.find((each) => each.from === 'client' && each.name === name);
  const { fields, payload } = sent('P_REGISTER_PLAYER');
  const hash = fromHex(payload).subarray(-32);
  assert.equal(hexOf(whoIAm(fields, hash)), payload);
  const rules = readMessage(116, fromHex(sent('P_PROPOSE_RULES').payload));
  assert.equal(hexOf(proposal(rules.rules, rules.endScore)), sent('P_PROPOSE_RULES').payload);
});

test('what a choice may take from the bank, and nothing at an older server', () => {
  const { type, payload } = JSON.parse(text('tests/vectors/dealer.json')).find(({ name }) => name === 'P_MOON_CHOICE');
  const bankOf = (hex) => {
    const picture = new Picture();
    picture.apply(readMessage(type, fromHex(hex)), { type, sequence: 1 }, 1000);
    return picture.question.bank;
  };
  assert.deepEqual(bankOf(payload), { from: 21_000, stock: 45_500 });
  assert.equal(bankOf(payload.slice(0, -16)), null);
  assert.equal(bankOf(`${payload.slice(0, -16)}${'f'.repeat(16)}`), null);
});

test('rules as bits', () => {
  for (const { bits } of Object.values(PRESETS)) assert.equal(bitsOf(rulesOf(bits)), bits);
  assert.equal(bitsOf(rulesOf(0xff500 & ~(3 << 9) & ~(3 << 11))), 0xff500 & ~(3 << 9) & ~(3 << 11));
  for (const bits of [3 << 9, 3 << 11, 1, 1 << 20]) assert.throws(() => rulesOf(bits));
  assert.equal(bitsOf(rulesOf((1 << 8) | (1 << 30) | (1 << 31))), 1 << 8);
});

test('a hand with all cards open', () => {
  const hands = deal(new Uint8Array(16), new Uint8Array(32));
  const passedTo = (player) => hands[(player + 3) % 4].slice(0, 3);
  const played = hands.map((cards, player) => [...cards.slice(3), ...passedTo(player)]);
  const tricks = Array.from({ length: 13 }, (_, round) => ({
    round: round + 1,
    leader: 0,
    winner: 0,
    points: 0,
    plays: [0, 1, 2, 3].map((player) => ({ player, card: played[player][round], by: 0 })),
  }));
  const hand = { game: 1, number: 1, direction: 1, tricks, points: [0, 0, 0, 0], verdict: { hands } };
  const open = opened(hand);
  assert.ok(open.isWhole);
  assert.deepEqual(open.passed[0], hands[0].slice(0, 3));
  assert.deepEqual(heldAfter(open, hand, 52), [[], [], [], []]);
  assert.equal(heldAfter(open, hand, 5)[0].length, 11);
  assert.equal(opened({ ...hand, direction: 2 }).isWhole, false);
  assert.equal(opened({ ...hand, verdict: null }), null);

  const told = { commitment: '', code: 'CODE', cuts: Array(4).fill('0000000000000000'), shown: null, hands };
  const moon = { player: 2, onOthers: 1, by: 1 };
  const kept = { rules: rulesOf(0x400), endScore: 50, names: ['A', 'B', 'C', 'D'], totals: [26, 26, 0, 26] };
  const whole = { ...hand, ...kept, verdict: told, moon, passedBy: [0, 2, 3, 3] };
  const lines = recordOf([whole], 1).split('\n');
  assert.deepEqual(lines.slice(0, 4), ['hearts-record 1', 'rules moon=choice', 'end 50', 'player 0 A']);
  assert.equal(lines[7], 'deal CODE');
  assert.match(lines[9], /^pass 1 .. .. .. stand-in$/);
  assert.deepEqual(lines.slice(64), ['moon 2 others clock', 'scores 26 26 0 26', '']);
  assert.deepEqual(recordOf([whole], 1, true).split('\n').slice(7, 9), ['# choices were taken back', 'deal CODE']);
  assert.equal(recordOf([{ ...whole, number: 2 }], 1), null, 'a hand was not seen');
  assert.equal(recordOf([{ ...whole, direction: 2 }], 1), null, 'it does not agree with its deal');
});

test('hints say what is so', () => {
  const rules = rulesOf(0);
  const hint = (legal, trick) => chooseWithReason({ legal: legal.map(cardOf), trick: trick.map(cardOf), rules });
  assert.deepEqual(hint(['2C'], []), { card: cardOf('2C'), why: 'only' });
  assert.deepEqual(hint(['QS', '3S'], ['5S', 'KS']), { card: cardOf('QS'), why: 'queenBelow' });
  assert.deepEqual(hint(['3D', '8D', 'KD'], ['9D']), { card: cardOf('8D'), why: 'duck' });
  assert.deepEqual(hint(['QS', 'AH'], ['9D']), { card: cardOf('QS'), why: 'queenAway' });
  assert.deepEqual(hint(['TD', 'KD'], ['9D', '2C', '3C']), { card: cardOf('KD'), why: 'takeFree' });
  assert.equal(pointsOf(cardOf('QS'), rules), 13);
  assert.equal(pointsOf(cardOf('JD'), rules), 0);
  assert.equal(pointsOf(cardOf('JD'), rulesOf(1 << 8)), -10);
  assert.equal(moonOf(rulesOf(1 << 8)), 26);
});

test('the rest is ours only where nobody can take a trick', () => {
  const all = Array.from({ length: 52 }, (_, place) => place + 1);
  const proved = (held, hidden) => {
    const unplayed = [...held, ...hidden].map(cardOf);
    return isProved(held.map(cardOf), all.filter((card) => !unplayed.includes(card)));
  };
  assert.equal(proved(['AS', 'KS'], ['QS', '2H', '3H']), true);
  assert.equal(proved(['AS', '2S'], ['QS', '2H', '3H']), true, 'one hidden spade falls under the ace');
  assert.equal(proved(['AS', '2S'], ['QS', '3S', '3H']), false);
  assert.equal(proved(['KS', '2D'], ['AS', '3H']), false);
  assert.equal(proved(['AS'], ['2H']), false, 'one card is played, not claimed');
});

/** What a browser's WebSocket does where the gateway accepts it, says something, and closes it. */
class ClosedSocket {
  constructor(code) {
    queueMicrotask(() => {
      this.onopen();
      this.onmessage({ data: new Uint8Array([1]).buffer });
      this.onclose({ code: Number(code) });
    });
  }

  close() {}
}

test('the close code of the gateway is an error of its own, behind what was said', async () => {
  const browsersOwn = globalThis.WebSocket;
  globalThis.WebSocket = ClosedSocket;
  try {
    for (const [code, kind] of [[1013, Full], [4014, Unreachable]]) {
      const line = await openWebSocket(code);
      assert.deepEqual(await line.read(), new Uint8Array([1]));
      await assert.rejects(line.read(), (error) => error instanceof kind && error instanceof Lost);
    }
    const ended = await openWebSocket(1000);
    await ended.read();
    assert.equal(await ended.read(), null);
  } finally {
    globalThis.WebSocket = browsersOwn;
  }
});

test('a str is bytes with a NUL', () => {
  assert.equal(hexOf(strOf('Zoë')), '000000055a6fc3ab00');
  assert.equal(hexOf(joined(intsOf(-2), strOf(''))), 'fffffffe0000000100');
});

for (const language of ['en', 'de']) {
  test(`no name is taken for a word of the page or for another player: ${language}`, async () => {
    const { texts } = await import(`../../hearts_web/page/texts/${language}.js`);
    const words = { own: [texts.you, texts.chat.table], quoted: texts.quoted, atSeat: texts.atSeat };
    const plain = ['Ann', 'Mary Ann', 'Bot 1', "O'Hara", 'J.R.', 'x_-1', '日本', 'नमस्ते', 'Zoe\u0308', 'می\u200cخواهم'];
    for (const name of plain) {
      assert.equal(shownName(name, words), name);
      assert.deepEqual(shownNames([name, '', '', ''], words), [name, '', '', '']);
    }
    for (const name of ['Bob: hello', '* Bob has left', ' Bob', 'Ann (seat 2)', 'Ann, Bob', '“Bob” says', '"', '♥']) {
      const shown = shownName(name, words);
      assert.match(shown, /^[“„][^“”„"]*[“”]$/u);
      assert.notEqual(shown, name);
    }
    for (const word of words.own) {
      for (const name of [word, word.toUpperCase(), ` ${word} `, `${word[0]}\u200d${word.slice(1)}`, word.replace(/^\w/, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0))]) {
        assert.deepEqual(shownNames(['Ann', name, '', ''], words), ['Ann', texts.atSeat(texts.quoted(name), 2), '', '']);
      }
    }
    for (const twin of ['Ann', 'ann', 'Ann ', 'A\u200dnn', 'Ａｎｎ']) {
      const [first, second, third] = shownNames(['Ann', 'Bob', twin, ''], words);
      assert.deepEqual([first, second], [texts.atSeat('Ann', 1), 'Bob']);
      assert.notEqual(third, first);
      assert.ok(third.includes('3'));
    }
  });
}
test('nobody guesses the name that the page suggests for a table of friends', () => {
  assert.match(friendsName(' Ann '), /^Ann-[0-9a-z]{13}$/);
  // Names of tables have 30 bytes at most, and those of games alone are not shown.
  for (const name of ['', ' ', 'é'.repeat(9), 'wait', 'solo']) assert.match(friendsName(name), /^hearts-[0-9a-z]{13}$/);
  assert.match(friendsName('é'.repeat(8)), /^é{8}-[0-9a-z]{13}$/);
  assert.ok(isSecret(secretName('wait')) && !isSecret(friendsName('Ann')));
  const names = Array.from({ length: 1000 }, () => secretName('solo'));
  assert.equal(new Set(names).size, 1000);
  // 64 bits, evenly: the first digit of 13 in base 36 is 0 to 3.
  assert.ok(new Set(names.map((name) => name[5])).size === 4);
});

test('a choice that the clock has made for us is told, that of a moon too, and what is open', () => {
  const picture = new Picture();
  const info = { player: 1, kind: 1, level: 0, presence: 1, name: 'Moe', comment: '' };
  const say = (message) => picture.apply(message, { type: 0, sequence: 0 }, 0);
  say({ is: 'registerPlayer', player: 0 });
  say({ is: 'opponents', players: [{ ...info, player: 0 }, info] });
  say({ is: 'moonChosen', player: 1, onOthers: 1, by: 1 });
  assert.equal(picture.madeForUs, null);
  say({ is: 'moonChosen', player: 0, onOthers: 1, by: 1 });
  assert.deepEqual(picture.madeForUs, { cards: [], moon: 1, byClock: true });
  say({ is: 'moonChosen', player: 0, onOthers: 0, by: 0 });
  assert.equal(picture.madeForUs, null);
  say({ is: 'playerChange', change: 5, info });
  assert.deepEqual(picture.openSeats, [1]);
  say({ is: 'playerChange', change: 6, info });
  assert.deepEqual(picture.openSeats, []);
});

test('a choice that is taken back, across the end of a hand', () => {
  const picture = new Picture();
  const say = (message) => picture.apply(message, { type: 0, sequence: 0 }, 0);
  const scores = (points) => points.map((each) => ({ points: each, queens: 0, jacks: 0, games: 0 }));
  const rules = rulesOf(0);
  const info = { kind: 1, level: 0, presence: 1, name: '', comment: '' };
  const newGame = { is: 'newGame', rules, endScore: 100, turnLimit: 0 };
  const done = (points) => ({ is: 'doneHand', scores: scores(points), points: [0, 0, 0, 26], shooter: -1, winners: 0 });
  say({ is: 'seated', player: 0, table: 'a', gameNumber: 1 });
  say({ is: 'opponents', players: [0, 1, 2, 3].map((player) => ({ ...info, player })) });
  say(newGame);
  assert.equal(picture.mayTakeBack, false, 'no hand is dealt');
  [[0, 0, 0, 26], [0, 0, 0, 52]].forEach((points, place) => {
    say({ is: 'commitment', deal: place + 1 });
    say({ is: 'newHand', hand: place + 1, direction: 1 });
    assert.equal(picture.mayTakeBack, place > 0, 'nothing is chosen yet in the first hand');
    for (let card = 1; card < 14; card += 1) say({ is: 'takeCard', card });
    say({ is: 'losePass', cards: [1, 2, 3], by: 0 });
    assert.equal(picture.mayTakeBack, true);
    say(done(points));
    picture.promised = 0;
  });
  say({ is: 'commitment', deal: 3 });
  say({ is: 'newHand', hand: 3, direction: 3 });
  for (const message of [
    { is: 'takenBack', hands: 1 }, { is: 'replay', begins: true }, newGame,
    { is: 'standing', scores: scores([0, 0, 0, 26]) }, { is: 'commitment', deal: 2 },
    { is: 'newHand', hand: 2, direction: 1 }, { is: 'takenBack', hands: -1 }, { is: 'replay', begins: false },
  ]) say(message);
  assert.deepEqual(picture.rows.map(({ totals }) => totals), [[0, 0, 0, 26]]);
  assert.deepEqual(picture.played.map(({ number }) => number), [1]);
  assert.deepEqual(picture.undisclosed, [], 'deal 3 is still to come');
  assert.equal(picture.hand.number, 2);
  assert.ok(picture.takenBack.has(picture.game));
  say({ ...newGame, turnLimit: 60_000 });
  assert.equal(picture.takenBack.has(picture.game), false, 'another game counts');
  assert.equal(picture.mayTakeBack, false, 'there is a clock');
});

test('what each player could have played, and took, in a hand that is over', () => {
  const rules = rulesOf(0);
  const hands = deal(new Uint8Array(16).fill(5), new Uint8Array(32));
  const seen = hands.map((cards) => new Hand([...cards].sort((a, b) => a - b), rules));
  const tricks = [];
  let leader = hands.findIndex((cards) => cards.includes(cardOf('2C')));
  for (let round = 1; round <= 13; round += 1) {
    const plays = [];
    seen.forEach((hand) => hand.newTrick());
    for (let place = 0; place < 4; place += 1) {
      const player = (leader + place) % 4;
      const { legal } = seen[player];
      const play = { player, card: legal[0], by: 0, legal };
      plays.push(play);
      seen.forEach((hand, other) => (other === player ? hand.playOwn(hand.indexOf(play.card)) : hand.playOther(play.card)));
    }
    const cards = plays.map(({ card }) => card);
    leader = plays[cards.indexOf(highestOf(cards))].player;
    tricks.push({ round, leader, winner: leader, points: 0, plays });
  }
  const hand = { direction: 0, tricks, verdict: { hands }, rules };
  const open = opened(hand);
  tricks.flatMap(({ plays }) => plays).forEach(({ player, card, legal }, count) => {
    const next = choiceAfter(open, hand, count);
    assert.deepEqual([next.player, next.card, next.situation.legal], [player, card, legal]);
    const trick = tricks[Math.floor(count / 4)].plays.slice(0, count % 4);
    assert.deepEqual(next.situation.trick, trick.map((play) => play.card));
  });
  assert.equal(choiceAfter(open, hand, 52), null);
  assert.equal(pointCards(hand).flat().length, 14);
});
