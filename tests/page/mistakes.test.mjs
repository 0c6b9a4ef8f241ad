// Own mistakes in the page: what is found and kept, when it comes again; and constructed blunders,
// which Python has made and judged.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { answered, dueToday, handsLeft, keepLinks, mistakesIn, mistakesKept, momentOf, today } from '../../hearts_web/page/app/own_mistakes.js';
import { judge, look, outOf, ownChoices, voidsOf } from '../../hearts_web/page/client/judging.js';
import { seenAt } from '../../hearts_web/page/client/par.js';
import { Network } from '../../hearts_web/page/client/swift.js';

const ROOT = new URL('../../', import.meta.url);
const file = readFileSync(new URL('hearts/bots/swift/swift.bin', ROOT));
const network = new Network(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
const { hands } = JSON.parse(readFileSync(new URL('tests/vectors/links.json', ROOT), 'utf8'));
const LINK = hands.find(({ title }) => title === 'with names').link;

function ended(run) {
  let step = run.next();
  while (!step.done) step = run.next();
  return step.value;
}

function browser() {
  const kept = new Map();
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  return kept;
}

const mistake = (count, loss, link = LINK) => ({
  link, count, at: 0, due: 0, asked: 0, rights: 0,
  outlooks: [0, loss].map((each, card) => ({ card: 1 + card, loss: each, error: 0.1, queen: 0, moon: 0, otherMoon: 0, trick: 0 })),
});

test('a card is looked at in deals that fit, whatever lies hidden', () => {
  const { linked, me } = momentOf(LINK, 0);
  const count = ownChoices(linked.hand, me).find((at) => at > 16);
  const { begin, played } = momentOf(LINK, count);
  const { known, player, legal } = seenAt(begin);
  assert.equal(player, me);
  assert.ok(legal.includes(played));
  const out = outOf(known);
  assert.equal(out.length, 52 - known.held.length - count);
  const found = ended(look(begin, legal, network, 1, (deals) => deals >= 4));
  assert.deepEqual(found.map(({ card }) => card), legal);
  assert.equal(found[0].loss, 0);
  for (const { queen, moon, otherMoon, trick } of found) assert.ok([queen, moon, otherMoon, trick].every((chance) => chance >= 0 && chance <= 1));
  // Two cards that the player cannot see change their places.
  const hidden = out.filter((card) => !known.passed?.cards.includes(card));
  const [one] = hidden;
  const owner = (card) => begin.dealt.findIndex((cards) => cards.includes(card));
  const other = hidden.find((card) => owner(card) !== owner(one) && !begin.passed.flat().includes(card));
  const exchanged = (cards) => cards.map((card) => (card === one ? other : card === other ? one : card));
  const elsewhere = { ...begin, dealt: begin.dealt.map(exchanged), passed: begin.passed.map(exchanged) };
  assert.notDeepEqual(elsewhere.dealt, begin.dealt);
  assert.deepEqual(ended(look(elsewhere, legal, network, 1, (deals) => deals >= 4)), found);
});

test('who has not followed a suit has none of it', () => {
  const { linked } = momentOf(LINK, 0);
  const { known } = seenAt(momentOf(LINK, 40).begin);
  const voids = voidsOf(known);
  const plays = linked.hand.tricks.flatMap((trick) => trick.plays);
  assert.ok(voids.some((suits) => suits.size > 0));
  voids.forEach((suits, player) => {
    for (const play of plays.slice(40)) assert.ok(play.player !== player || !suits.has(Math.floor((play.card - 1) / 13)));
  });
});

test('what is kept is bounded, comes once, and the dearest comes first', () => {
  const kept = browser();
  const links = Array.from({ length: 250 }, (_, number) => `${'A'.repeat(15)}${String(number).padStart(20, '0')}AAAA`);
  keepLinks(links);
  keepLinks(links);
  assert.equal(handsLeft(), 200);
  kept.set('hearts.mistakes', JSON.stringify({ hands: [], looked: links.map((link) => link.slice(15, 35)), mistakes: Array.from({ length: 300 }, (_, count) => mistake(count, count / 10)) }));
  keepLinks(links);
  assert.equal(handsLeft(), 0);
  assert.equal(mistakesKept(), 200);
  assert.deepEqual(dueToday().map(({ count }) => count), Array.from({ length: 12 }, (_, place) => 299 - place));
  for (const nonsense of ['{', '[]', 'null', '{"hands": 1}']) {
    kept.set('hearts.mistakes', nonsense);
    assert.deepEqual(dueToday(), []);
  }
});

test('a mistake comes again after 1, 2, 4 and 8 days, and a day after a wrong answer', () => {
  const kept = browser();
  kept.set('hearts.mistakes', JSON.stringify({ hands: [], looked: [], mistakes: [mistake(1, 3)] }));
  let now = today();
  for (const [isRight, days] of [[true, 1], [true, 2], [true, 4], [true, 8], [false, 1], [true, 1]]) {
    const [due] = dueToday(now);
    assert.equal(answered(due, isRight, now), days);
    assert.deepEqual(dueToday(now + days - 1), []);
    now += days;
    assert.equal(dueToday(now).length, 1);
  }
  const many = Array.from({ length: 20 }, (_, count) => mistake(count, 2));
  kept.set('hearts.mistakes', JSON.stringify({ hands: [], looked: [], mistakes: many }));
  for (let asked = 0; asked < 12; asked += 1) answered(dueToday(now)[0], true, now);
  assert.deepEqual(dueToday(now), []);
  assert.equal(dueToday(now + 1).length, 12);
});

test('a card that costs points for sure is a mistake, and another one is none', () => {
  const { link } = hands.find(({ title }) => title === 'cut, passed to the right, with the jack');
  const { begin, played } = momentOf(link, 44);
  const [better, own] = ended(judge(begin, played, network));
  assert.deepEqual([better.card, better.loss, own.card, own.trick], [6, 0, 25, 1]);
  assert.ok(own.loss > 3 && own.loss < 3.6, `${own.loss}`);
  assert.equal(ended(judge(begin, better.card, network)), null);
  const other = momentOf(LINK, 44);
  assert.equal(ended(judge(other.begin, other.played, network)), null);
});

test('a hand that nobody played, or that is none, has no mistakes', async () => {
  for (const link of ['', 'AAAA', LINK.slice(0, 80)]) assert.deepEqual(await mistakesIn(link, 0, network), []);
  assert.equal(await mistakesIn(LINK, 0, network, () => false), null);
});

test('given choices are judged', { skip: process.env.MISTAKES === undefined }, () => {
  const given = JSON.parse(readFileSync(process.env.MISTAKES, 'utf8'));
  const asked = given.map(({ link, count }) => {
    const { begin, played } = momentOf(link, count);
    return ended(judge(begin, played, network)) !== null;
  });
  console.log(`ASKED ${JSON.stringify(asked)}`);
});
