// Links to hands, against the vectors and what Python makes of them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { intsOf } from '../../hearts_web/page/client/bytes.js';
import { Nonsense } from '../../hearts_web/page/client/errors.js';
import { formatLink, parseLink } from '../../hearts_web/page/client/hand_link.js';
import { LinkedHost } from '../../hearts_web/page/client/linked_host.js';
import { added } from '../../hearts_web/page/client/open_game.js';
import { Picture } from '../../hearts_web/page/client/picture.js';
import { recordOf } from '../../hearts_web/page/client/record.js';
import { rulesText } from '../../hearts_web/page/client/rules.js';
import { Network } from '../../hearts_web/page/client/swift.js';

const ROOT = new URL('../../', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('tests/vectors/links.json', ROOT), 'utf8'));
const RANKS = 'A23456789TJQK';
const text = (card) => RANKS[(card - 1) % 13] + 'HCDS'[Math.floor((card - 1) / 13)];
const BY = ['', 'cl', 'st', 'co'];

/** What the vectors say of a hand. */
function told({ hand, before, passed, own, names }) {
  const { winners } = added(before, hand.points, hand.rules, hand.endScore);
  const cuts = hand.verdict.cuts.join('');
  return {
    rules: rulesText(hand.rules), end: hand.endScore, number: hand.number, own, names,
    deal: hand.verdict.code + (/^0*$/.test(cuts) ? '' : `+${cuts}`),
    passes: hand.direction === 0 ? [] : passed.map((cards) => cards.map(text).join(' ')),
    plays: hand.tricks.flatMap(({ plays }) => plays.map(({ player, card, by }) => `${player}${text(card)}${BY[by]}`)).join(' '),
    before, points: hand.points, scores: hand.totals, winners: [0, 1, 2, 3].filter((player) => (winners >> player) & 1),
  };
}

test('the hands of the vectors come out of their links, and go into them', () => {
  assert.ok(vectors.hands.length > 15);
  for (const { title, link, ...vector } of vectors.hands) {
    const linked = parseLink(link);
    assert.deepEqual(told(linked), vector, title);
    assert.equal(formatLink(linked.hand, { ...linked, named: linked.names !== null }), link, title);
  }
});

test('wrong links are refused', () => {
  assert.ok(vectors.wrong.length > 25);
  for (const { title, link } of vectors.wrong) assert.throws(() => parseLink(link), Nonsense, title);
});

test('a thousand links that somebody made up are refused or played, at once', () => {
  let state = 33;
  const chance = (end) => (state = (state * 48271) % 2147483647) % end;
  const bytesOf = (link) => [...atob(link.replaceAll('-', '+').replaceAll('_', '/'))].map((one) => one.charCodeAt(0));
  const linkOf = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const begun = Date.now();
  let refused = 0;
  for (let number = 0; number < 1000; number += 1) {
    let bytes = bytesOf(vectors.hands[number % vectors.hands.length].link);
    if (number % 4 === 0) bytes[chance(bytes.length)] = chance(256);
    if (number % 4 === 1) bytes = bytes.slice(0, chance(bytes.length));
    if (number % 4 === 2) bytes.push(...Array.from({ length: 1 + chance(60) }, () => chance(256)));
    if (number % 4 === 3) bytes = Array.from({ length: chance(310) }, () => chance(256));
    try {
      parseLink(linkOf(bytes));
    } catch (error) {
      assert.ok(error instanceof Nonsense, error.stack);
      refused += 1;
    }
  }
  assert.ok(refused > 850 && refused < 1000, `${refused}`);
  assert.ok(Date.now() - begun < 10_000);
});

test('given links lead to the points that Python counts', { skip: process.env.LINKS === undefined }, () => {
  const given = JSON.parse(readFileSync(process.env.LINKS ?? '', 'utf8'));
  for (const { link, points, scores } of given) {
    const { hand } = parseLink(link);
    assert.deepEqual([hand.points, hand.totals], [points, scores]);
    assert.notEqual(recordOf([{ ...hand, number: 1 }], 1), null);
  }
  assert.ok(given.length >= 200);
});

/** Plays a hand of a link on, with the first card that is legal; every message, and what is seen of them. */
async function playedOn(linked, me, count, network) {
  const messages = [];
  const picture = new Picture();
  const host = new LinkedHost({
    linked, me, name: 'Ann', count, network: Promise.resolve(network), seat: {},
    listener: {
      hear(message, query) {
        messages.push(message);
        picture.apply(message, query, 0);
        picture.hand?.trick?.winner >= 0 && picture.hand.clear();
        const answer = { doPass: () => message.held.slice(0, 3), playCard: () => [message.legal[0]], moonChoice: () => [1] }[message.is];
        if (answer !== undefined) setTimeout(() => host.answer(query, intsOf(...answer())));
        if (message.is === 'againDecided') host.close();
      },
    },
  });
  await host.run();
  return { messages, picture };
}

test('a hand is played on from any card, in any seat, the same way each time', async () => {
  const file = readFileSync(new URL('hearts/bots/swift/swift.bin', ROOT));
  const network = new Network(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
  for (const [place, { link, title }] of vectors.hands.entries()) {
    const linked = parseLink(link);
    for (const count of [place % 2 === 0 ? 0 : Math.min(51, 3 * place)]) {
      const me = (place + count) % 4;
      const bot = place % 3 === 0 ? network : null;
      const { messages, picture } = await playedOn(linked, me, count, bot);
      const said = `${title}, ${count} cards`;
      assert.equal(picture.me, me, said);
      assert.equal(picture.hand.isDone, true, said);
      const cards = picture.hand.tricks.flatMap(({ plays }) => plays).map(({ card }) => card);
      assert.equal(new Set(cards).size, 52, said);
      const before = linked.hand.tricks.flatMap(({ plays }) => plays).map(({ card }) => card).slice(0, count);
      assert.deepEqual(cards.slice(0, count), before, said);
      assert.deepEqual(picture.hand.held, [], said);
      assert.deepEqual((await playedOn(linked, me, count, bot)).messages.filter(({ is }) => is !== 'seated'), messages.filter(({ is }) => is !== 'seated'), said);
    }
  }
});

test('a hand that is played on shows nothing of hidden cards before they are played', async () => {
  const linked = parseLink(vectors.hands.find(({ title }) => title === 'a hold hand').link);
  const { hand } = linked;
  const { verdict } = hand;
  const seen = [];
  for (const me of [0, 1, 2, 3]) {
    const run = async (hands) => {
      const { messages } = await playedOn({ ...linked, hand: { ...hand, verdict: { ...verdict, hands } } }, me, 0, null);
      return messages.filter(({ is }) => is !== 'seated').map((message) => JSON.stringify(message));
    };
    const before = await run(verdict.hands);
    for (const suit of [0, 2, 3]) {
      const [one, other] = [1, 2].map((step) => verdict.hands[(me + step) % 4].findLast((card) => Math.floor((card - 1) / 13) === suit));
      const swap = (card) => (card === one ? other : card === other ? one : card);
      const after = await run(verdict.hands.map((cards) => cards.map(swap)));
      const first = before.findIndex((message, place) => message !== after[place]);
      const [now, then] = [before[first], after[first]].map((message) => JSON.parse(message));
      assert.deepEqual([now.is, then.is, now.player], ['cardPlayed', 'cardPlayed', then.player]);
      assert.notEqual(now.player, me);
      seen.push(before.slice(0, first).filter((message) => message.includes('"cardPlayed"')).length);
    }
  }
  assert.ok(Math.max(...seen) > 10, `${seen}`);
});
