// Our cuts as the modules of the page make, keep and show them (DealerSpec.md, 14.8), against a
// server that says what the test wants. Values and hashes are computed here by Node's own crypto.

import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { KeptSeat } from '../../hearts_web/page/app/kept_seat.js';
import { fromHex, hexOf, intOf, intsOf, joined, strOf } from '../../hearts_web/page/client/bytes.js';
import { deal } from '../../hearts_web/page/client/deal.js';
import { Lost, Overtaken } from '../../hearts_web/page/client/errors.js';
import { Picture } from '../../hearts_web/page/client/picture.js';
import { Promises, missingNumbers } from '../../hearts_web/page/client/promises.js';
import { recordOf } from '../../hearts_web/page/client/record.js';
import { Session, newSeat } from '../../hearts_web/page/client/session.js';

const KEY = new Uint8Array(32).fill(7);
const SECRET = new Uint8Array(16);
const NONE = new Uint8Array(32);
const BOBS = new Uint8Array(32).fill(2);
const ME = 1;
const BOB = 2;

const sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest());
const value = (number) => new Uint8Array(createHmac('sha256', KEY).update(intsOf(number)).digest());
const hash = (number) => sha256(value(number));
/** Of players 0-3: nothing, ours, Bob's, nothing. */
const four = (ours, bobs = NONE) => [NONE, ours, bobs, NONE];

const promise = (number, ours, { bobs = NONE, secret = SECRET } = {}) => ({
  deal: number,
  commitment: sha256(secret),
  hashes: four(ours, bobs),
});

function proof(number, ours, { bobs = NONE, missing = 0 } = {}) {
  const values = four(ours, bobs);
  const cuts = joined(...values.map((each) => each.subarray(0, 8)));
  return { deal: number, secret: SECRET, cuts, values, missing };
}

const verdict = (promises, told) => promises.verdict(told, ME, deal(SECRET, told.cuts)[ME]);
const found = (promises, told) => {
  const { problem, fairness } = verdict(promises, told);
  return [problem, fairness];
};

/** What was promised so, kept, and read again. */
function promised(...all) {
  const promises = new Promises(KEY);
  for (const each of all) promises.promised(each, ME);
  return promises;
}

/** The blocks of the vectors that begin with a word, as words of lines. */
const vectors = (word) =>
  readFileSync(new URL('../vectors/cuts.txt', import.meta.url), 'utf8')
    .split('\n\n')
    .filter((block) => block.startsWith(`${word} `))
    .map((block) => block.trim().split('\n').map((line) => line.split(' ')));

test('values and hashes of the vectors', () => {
  const blocks = vectors('key');
  assert.equal(blocks.length, 3);
  for (const [[, key], ...lines] of blocks) {
    const of = (kind) => new Map(lines.filter(([word]) => word === kind).map(([, number, hex]) => [Number(number), hex]));
    const hashes = of('hash');
    for (const [number, hex] of of('value')) {
      const promises = new Promises(fromHex(key), { next: number, held: [] });
      assert.equal(hexOf(promises.sayNextHash()), hashes.get(number));
      promises.promised(promise(1, fromHex(hashes.get(number))), ME);
      if (number < 2 ** 31 - 1) assert.equal(hexOf(promises.answer(1).slice(0, 32)), hex);
    }
  }
});

test('deals of the vectors that were cut', () => {
  const blocks = vectors('secret');
  assert.equal(blocks.length, 5);
  const bytes = (word) => (word === '-' ? NONE : fromHex(word));
  const cardText = (card) => 'A23456789TJQK'[(card - 1) % 13] + 'HCDS'[Math.floor((card - 1) / 13)];
  for (const [[, secret], [, ...hashes], [, ...values], [, missing], [, cuts], [, ...record], ...hands] of blocks) {
    const promises = new Promises(null);
    const told = { deal: 1, secret: fromHex(secret), cuts: fromHex(cuts), values: values.map(bytes), missing: Number(missing) };
    promises.promised({ deal: 1, commitment: sha256(told.secret), hashes: hashes.map(bytes) }, ME);
    const verdict = promises.verdict(told, null, []);
    assert.equal(verdict.problem, null);
    const isShown = record.includes('shown');
    assert.deepEqual(record, ['deal', verdict.code, ...(isShown ? ['shown', ...verdict.shown] : [])]);
    assert.deepEqual(
      verdict.hands.map((cards) => cards.toSorted((a, b) => a - b).map(cardText)),
      hands.map(([, , ...cards]) => cards),
    );
  }
});

test('who can have chosen a deal', () => {
  const bobs = sha256(BOBS);
  const promises = () => promised(promise(1, hash(0), { bobs }));
  assert.deepEqual(found(promises(), proof(1, value(0), { bobs: BOBS })), [null, 'nobody']);
  assert.deepEqual(found(promises(), proof(1, value(0), { missing: 1 << BOB })), [null, 'withholders']);
  const leftOut = proof(1, NONE, { bobs: BOBS, missing: 1 << ME });
  assert.deepEqual(found(promises(), leftOut), [null, 'anybody']);
  const foreign = promised(promise(1, sha256(BOBS)));
  assert.deepEqual(found(foreign, proof(1, BOBS)), [null, 'anybody'], 'a value, and not ours');
  assert.deepEqual(found(promised(promise(1, NONE)), proof(1, NONE)), [null, 'anybody']);
  const idle = new Promises(null);
  idle.promised(promise(1, NONE), ME);
  assert.deepEqual(found(idle, proof(1, NONE)), [null, 'notCut']);
  assert.deepEqual([idle.owesHash, idle.sayNextHash().length], [false, 0]);
});

test('what is wrong with a deal', () => {
  const bobs = sha256(BOBS);
  const promises = promised(promise(1, hash(0), { bobs }));
  const good = proof(1, value(0), { bobs: BOBS });
  const problem = (told, dealt = deal(SECRET, told.cuts)[ME]) => promises.verdict(told, ME, dealt).problem;
  assert.equal(problem(good), null);
  assert.equal(problem(good, [1, 2, 3]), 'cards');
  assert.equal(problem({ ...good, deal: 2 }), 'no promise');
  assert.equal(problem({ ...good, secret: KEY.subarray(16) }), 'secret');
  assert.equal(problem(proof(1, value(0), { bobs: value(5) })), 'numbers', 'it does not fit its hash');
  assert.equal(problem({ ...good, cuts: NONE }), 'numbers', 'the cuts are not what was shown');
  assert.equal(problem(proof(1, value(0))), 'numbers', 'who has shown none is not named');
  assert.equal(problem({ ...good, missing: 1 << BOB }), 'numbers', 'who has shown one is named');
  assert.equal(problem({ ...good, missing: 1 }), 'numbers', 'who has not cut is named');
  const uncut = promised(promise(1, hash(0)));
  assert.equal(verdict(uncut, good).problem, 'numbers', 'a value that nobody promised');
});

test('the same promise again has the same value, and another one with the same hash none', () => {
  const promises = promised(promise(1, hash(0)));
  const answer = joined(value(0), hash(1));
  assert.deepEqual(promises.answer(1), answer);
  assert.equal(promises.promised(promise(1, hash(0)), ME), true);
  assert.deepEqual(promises.answer(1), answer);
  for (const other of [
    promise(1, hash(0), { secret: KEY.subarray(16) }),
    promise(1, hash(0), { bobs: sha256(BOBS) }),
    promise(2, hash(0)),
  ]) {
    const twice = promised(promise(1, hash(0)));
    assert.equal(twice.promised(other, ME), false, 'the player is told');
    assert.equal(twice.answer(other.deal), null);
    twice.promised(promise(1, hash(0)), ME);
    assert.equal(twice.answer(1), null, 'for neither, for ever');
    assert.equal(verdict(twice, proof(1, value(0))).fairness, 'anybody');
    twice.promised(promise(3, hash(1)), ME);
    assert.deepEqual(twice.answer(3), joined(value(1), hash(2)), 'it goes on with the next');
  }
});

test('a deal that is promised twice with two hashes is none that holds', () => {
  const promises = promised(promise(1, hash(0)));
  assert.equal(promises.promised(promise(1, hash(1)), ME), false);
  assert.deepEqual(promises.answer(1), joined(value(1), hash(2)));
  assert.deepEqual(found(promises, proof(1, value(1))), ['twice', 'nobody']);
  const reloaded = new Promises(KEY, promised(promise(1, hash(0))).kept);
  assert.equal(reloaded.promised(promise(1, hash(1)), ME), false, 'also where the page was read anew');
  const afterPowerCut = promised(promise(1, hash(0)));
  afterPowerCut.beginConnection(true);
  assert.equal(afterPowerCut.promised(promise(1, hash(1)), ME), true);
  assert.equal(afterPowerCut.promised(promise(2, hash(1)), ME), false, 'a value is for one promise, even so');
});

const whoChose = (promises, number, ours) => {
  const { fairness } = verdict(promises, proof(number, ours));
  promises.endHand();
  return fairness;
};

test('a value that was shown for a deal that never came is no secret any more', () => {
  const { kept } = promised(promise(1, hash(0)));
  const shown = new Promises(KEY, kept);
  shown.answer(1);
  for (const [before, number, fairness] of [
    [kept, 1, 'nobody'],
    [kept, 2, 'nobody'],
    [shown.kept, 1, 'redrawn'],
    [shown.kept, 2, 'redrawn'],
  ]) {
    const promises = new Promises(KEY, JSON.parse(JSON.stringify(before)));
    promises.beginConnection(true);
    promises.promised(promise(number, hash(1)), ME);
    promises.answer(number);
    promises.beginConnection(true);
    promises.promised(promise(number, hash(2)), ME);
    assert.equal(whoChose(promises, number, value(2)), 'redrawn', 'the first one of these was shown, too');
    const once = new Promises(KEY, before);
    once.beginConnection(true);
    once.promised(promise(number, hash(1)), ME);
    assert.equal(whoChose(once, number, value(1)), fairness);
    once.promised(promise(3, hash(2)), ME);
    assert.equal(whoChose(once, 3, value(2)), 'nobody', 'it was told');
  }
});

test('a deal that was proved too early can be taken back', () => {
  const promises = promised(promise(1, hash(0)));
  promises.answer(1);
  verdict(promises, proof(1, value(0)));
  promises.beginConnection(true);
  promises.endHand();
  promises.promised(promise(2, hash(1)), ME);
  assert.equal(whoChose(promises, 2, value(1)), 'redrawn');
});

test('the hand before comes again after a power cut, and is no other deal', () => {
  const promises = promised(promise(1, hash(0)));
  promises.answer(1);
  assert.equal(whoChose(promises, 1, value(0)), 'nobody');
  for (const number of [1, 2, 3]) {
    promises.promised(promise(2, hash(number)), ME);
    promises.answer(2);
    promises.beginConnection(true);
    promises.promised(promise(1, hash(0)), ME);
    assert.equal(whoChose(promises, 1, value(0)), 'nobody');
  }
  promises.promised(promise(2, hash(4)), ME);
  assert.equal(whoChose(promises, 2, value(4)), 'redrawn');
  promises.beginConnection(true);
  promises.promised(promise(1, hash(5)), ME);
  assert.equal(whoChose(promises, 1, value(5)), 'redrawn', 'its hand was over');
});

test('a reload shows what was found out about all deals of the game', () => {
  const before = promised(promise(1, hash(0)), promise(2, hash(1)));
  const { kept } = before;
  const after = new Promises(KEY, JSON.parse(JSON.stringify(kept)));
  for (const number of [1, 2]) {
    assert.equal(after.promised(promise(number, hash(number - 1)), ME), true);
    assert.deepEqual(found(after, proof(number, value(number - 1))), [null, 'nobody']);
  }
  assert.deepEqual(after.kept, kept);
  after.beginGame();
  assert.deepEqual(after.kept.held.map((each) => each.deal), [2], 'the last may still be told again');
});

test('missing numbers are counted for each player', () => {
  const bobs = sha256(BOBS);
  const picture = new Picture();
  const players = (name) => ['Ann', 'Me', name, 'Dee'].map((each, player) => ({ player, name: each }));
  picture.apply({ is: 'opponents', players: players('Bob') }, {}, 0);
  const promises = new Promises(KEY);
  for (let number = 1; number <= 9; number += 1) {
    promises.promised(promise(number, hash(number - 1), { bobs }), ME);
    const isMissing = number % 3 === 0;
    const shown = isMissing ? { missing: 1 << BOB } : { bobs: BOBS };
    picture.proved(verdict(promises, proof(number, value(number - 1), shown)));
  }
  assert.deepEqual(missingNumbers(picture.verdicts), [{ name: 'Bob', missing: 3, of: 9 }]);
  picture.apply({ is: 'opponents', players: players('Cleo') }, {}, 0);
  promises.promised(promise(10, hash(9), { bobs }), ME);
  picture.proved(verdict(promises, proof(10, value(9), { missing: 1 << BOB })));
  assert.deepEqual(missingNumbers(picture.verdicts).slice(1), [{ name: 'Cleo', missing: 1, of: 1 }]);
});

test('a record has the numbers', () => {
  const line = (promises, told) => {
    const { hands, ...rest } = verdict(promises, told);
    const cards = (player, round) => ({ player, card: hands[player][round], by: 0 });
    const tricks = Array.from({ length: 13 }, (_, round) => ({ plays: [0, 1, 2, 3].map((player) => cards(player, round)) }));
    const names = ['A', 'B', 'C', 'D'];
    const hand = { game: 1, number: 1, direction: 0, tricks, moon: null, names, rules: {}, endScore: 50, totals: [0, 0, 0, 26] };
    const record = recordOf([{ ...hand, passedBy: [0, 0, 0, 0], verdict: { hands, ...rest } }], 1);
    return record.split('\n').find((each) => each.startsWith('deal ')).replace(/^deal \S+/, 'deal');
  };
  const bobs = sha256(BOBS);
  const cut = promised(promise(1, hash(0), { bobs }));
  assert.equal(line(cut, proof(1, value(0), { bobs: BOBS })), `deal shown - ${hexOf(value(0))} ${hexOf(BOBS)} -`);
  assert.equal(line(cut, proof(1, value(0), { missing: 1 << BOB })), `deal shown - ${hexOf(value(0))} !${hexOf(bobs)} -`);
  assert.equal(line(promised(promise(1, NONE)), proof(1, NONE)), 'deal');
});

// A session over one connection, and what it keeps

const frames = (...all) =>
  joined(...all.flatMap(([type, payload], at) => [intsOf(type, at + 1, payload.length), payload]));
const WHO = [126, intsOf(-1, 401, ME)];
const SEATED = [209, joined(intsOf(ME, 7, 99), strOf('a table'))];
const NEW_HAND = [114, intsOf(1, 0)];
const CUT_QUERY = [202, intsOf(5000, 404, 1)];
const [BEGINS, ENDS] = [1, 0].map((begins) => [211, intsOf(begins)]);
const told = ({ deal: number, commitment, hashes }) => [203, joined(intsOf(number), commitment, ...hashes)];
const lateCut = [208, joined(intsOf(4, 202, -20, -1), strOf('too late'))];

/**
 * Plays over a connection on which the server says this, and then loses it; the seat as it was kept
 * last, the frames that were sent with what was kept then, and what the player was told.
 */
async function life(seat, ...said) {
  return lifeTo(Lost, seat, ...said);
}

/** The same, to an end of this kind. */
async function lifeTo(end, seat, ...said) {
  const life = { kept: null, sent: [], told: [] };
  // The last is that of block -5, or of -15: no level can be chosen.
  const replies = intsOf(ME, 1, 1, seat.gameNumber > 0 ? 1 : 0);
  const pieces = [joined(replies, frames(...said)), null];
  const session = new Session({
    open: async () => ({
      read: async () => pieces.shift(),
      write(bytes) {
        const [type, asked] = bytes.length < 12 ? [] : [bytes, bytes.subarray(4)].map(intOf);
        if (type === 202 || type === 126) life.sent.push({ type, asked, payload: bytes.slice(12), kept: life.kept });
      },
      close() {},
    }),
    wanted: { name: 'Ann', cuts: true, kind: 4 },
    seat,
    listener: {
      hear: () => {},
      keep: (now) => (life.kept = JSON.stringify(now)),
      promiseChanged: (number) => life.told.push(number),
    },
    waits: [],
    sleep: async () => {},
  });
  await assert.rejects(session.run(), end);
  return { ...life, seat: JSON.parse(life.kept), cuts: life.sent.filter(({ type }) => type === 202) };
}

const fresh = () => newSeat((bytes) => bytes.fill(7));
const FIRST = promise(1, hash(0), { bobs: sha256(BOBS) });

test('a seat that is played on another device is not taken back', async () => {
  await lifeTo(Overtaken, fresh(), WHO, SEATED, [210, joined(intsOf(-111), strOf('another device'))]);
});

test('the hash of the next value ends what we say of ourselves', async () => {
  const { sent } = await life(fresh(), WHO, SEATED);
  assert.deepEqual(sent.map(({ asked }) => asked), [1]);
  assert.deepEqual(sent[0].payload, joined(intsOf(4, 0, 1), strOf(''), hash(0)));
});

test('a promise is kept whole before its value is shown', async () => {
  const { cuts } = await life(fresh(), WHO, SEATED, told(FIRST), CUT_QUERY);
  assert.deepEqual(cuts.map(({ asked, payload }) => [asked, payload]), [[4, joined(value(0), hash(1))]]);
  const { next, held, latest, isOpen } = JSON.parse(cuts[0].kept).cuts;
  assert.equal(next, 1);
  const hashes = ['', hexOf(hash(0)), hexOf(sha256(BOBS)), ''];
  assert.deepEqual(held, [{ deal: 1, commitment: hexOf(sha256(SECRET)), hashes, value: 0, isSpoiled: false, isRedrawn: false }]);
  assert.deepEqual([latest, isOpen], [1, true], 'and that it is shown');
});

test('what was shown is open until the hand is over and its deal proved', async () => {
  const { secret, cuts, values } = proof(1, value(0), { bobs: BOBS });
  const proved = [204, joined(intsOf(1), secret, cuts, ...values, intsOf(0))];
  const over = [102, intsOf(1)];
  for (const [said, isOpen] of [[[], true], [[proved], true], [[over], true], [[proved, over], false]]) {
    const { seat } = await life(fresh(), WHO, SEATED, told(FIRST), CUT_QUERY, ...said);
    assert.equal(seat.cuts.isOpen, isOpen);
  }
});

test('a page that was read anew shows the value again for the same promise', async () => {
  for (const until of [[told(FIRST)], [told(FIRST), CUT_QUERY]]) {
    const before = await life(fresh(), WHO, SEATED, ...until);
    const after = await life(before.seat, WHO, SEATED, BEGINS, told(FIRST), ENDS, CUT_QUERY);
    assert.deepEqual(after.sent[0].payload.slice(-32), hash(1), 'it says the next hash at once');
    assert.deepEqual(after.cuts.map(({ payload }) => payload), [joined(value(0), hash(1))]);
    assert.deepEqual(after.told, []);
  }
});

test('and for no other one with the same hash, whether the value was shown or not', async () => {
  for (const until of [[told(FIRST)], [told(FIRST), CUT_QUERY]]) {
    const before = await life(fresh(), WHO, SEATED, ...until);
    const other = told(promise(1, hash(0), { bobs: sha256(KEY) }));
    const after = await life(before.seat, WHO, SEATED, BEGINS, ENDS, other, CUT_QUERY, NEW_HAND);
    assert.deepEqual(after.cuts, []);
    assert.deepEqual(after.told, [1]);
    const again = await life(after.seat, WHO, SEATED, BEGINS, told(FIRST), ENDS, CUT_QUERY);
    assert.deepEqual(again.cuts, [], 'nor for the first one, and after another reload');
  }
});

test('the next hash is said again where a value was not shown, or came too late', async () => {
  const again = ({ sent }) => sent.filter(({ asked }) => asked === 0).map(({ payload }) => payload.slice(-32));
  const silent = await life(fresh(), WHO, SEATED, told(FIRST), NEW_HAND, NEW_HAND);
  assert.deepEqual(again(silent), [hash(1)]);
  const shown = await life(fresh(), WHO, SEATED, told(FIRST), CUT_QUERY, NEW_HAND);
  assert.deepEqual(again(shown), []);
  const late = await life(fresh(), WHO, SEATED, told(FIRST), CUT_QUERY, lateCut, NEW_HAND);
  assert.deepEqual(again(late), [hash(1)]);
  const hands = [told(FIRST), NEW_HAND, told(promise(2, hash(1))), NEW_HAND];
  const missed = await life(fresh(), WHO, SEATED, BEGINS, ...hands, ENDS);
  assert.deepEqual(again(missed), [hash(2)], 'once, when the past is over');
});

test('a browser that cannot keep the seat keeps no older one', () => {
  const places = new Map();
  let isFull = false;
  const storage = {
    setItem(key, text) {
      if (isFull) throw new Error('full');
      places.set(key, text);
    },
    removeItem: (key) => places.delete(key),
  };
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true });
  globalThis.BroadcastChannel = class {};
  const keeper = new KeptSeat();
  keeper.keep({ ...fresh(), gameNumber: 7 }, 'Ann');
  assert.equal(places.size, 2);
  isFull = true;
  keeper.keep({ ...fresh(), gameNumber: 7, cuts: { next: 1, held: [] } }, 'Ann');
  assert.equal(places.size, 0);
});
