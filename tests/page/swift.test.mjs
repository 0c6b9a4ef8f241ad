// The bot of the hints against the vectors of the one in Python.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Network, rowsOf } from '../../hearts_web/page/client/swift.js';
import { beginOf, meanAgainst } from '../../hearts_web/page/app/par.js';
import { LOOKS, costOf, gamesFrom, hasPar, meanOf, parOf, seenAt, spreadOf } from '../../hearts_web/page/client/par.js';
import { PRESETS, RULES, rulesOf } from '../../hearts_web/page/client/rules.js';

const ROOT = new URL('../../', import.meta.url);
const file = readFileSync(new URL('hearts/bots/swift/swift.bin', ROOT));
const network = new Network(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
const vectors = JSON.parse(readFileSync(new URL('tests/vectors/swift.json', ROOT), 'utf8'));
const positions = JSON.parse(readFileSync(new URL('tests/vectors/par.json', ROOT), 'utf8'));
const wire = (index) => 13 * Math.floor(index / 13) + ((index % 13) + 1) % 13 + 1;
const NAMES = {
  jack: 'jack', must_dump_queen: 'dump', points_on_first_trick: 'bleed', rotating_lead: 'rotate',
  no_trick_bonus: 'notrick', queen_keeps_hearts: 'queenKeeps', spot: 'spot',
};

/** What the page knows where a view of Python is. */
function knownOf(view) {
  const tricks = [];
  let leader = view.first_leader;
  view.history.forEach((card, place) => {
    if (place % 4 === 0) tricks.push({ plays: [], winner: -1 });
    const trick = tricks.at(-1);
    trick.plays.push({ player: (leader + (place % 4)) % 4, card: wire(card) });
    if (place % 4 < 3) return;
    const led = trick.plays.filter((play) => Math.floor((play.card - 1) / 13) === Math.floor((trick.plays[0].card - 1) / 13));
    leader = led.reduce((a, b) => (((b.card - 1) % 13 || 13) > ((a.card - 1) % 13 || 13) ? b : a)).player;
    trick.winner = leader;
  });
  const held = [...BigInt(view.hand).toString(2)].reverse().flatMap((bit, card) => (bit === '1' ? [wire(card)] : []));
  const rules = rulesOf(0);
  for (const [theirs, ours] of Object.entries(NAMES)) rules[ours] = view.rules[theirs];
  return {
    held, rules, direction: view.direction, broken: view.broken,
    tricks: tricks.filter(({ winner }) => winner >= 0), trick: tricks.find(({ winner }) => winner < 0) ?? null,
    passed: view.passed.length > 0 ? { cards: view.passed.map(wire), by: 0 } : null,
    received: view.received.length > 0 ? { cards: view.received.map(wire), from: 0 } : null,
  };
}

test('the network sees and says what it does in Python', () => {
  assert.ok(vectors.length > 50);
  for (const { view, chosen, rows, costs } of vectors) {
    const seen = rowsOf(knownOf(view), view.player, chosen?.map(wire) ?? null);
    assert.deepEqual(seen.toSorted((a, b) => a - b), rows);
    assert.deepEqual([...network.costs(seen)], costs);
  }
});

test('games of swifts go as they do in Python', () => {
  assert.ok(positions.length > 20);
  for (const { rules, number, direction, dealt, passed, cards, games } of positions) {
    const tokens = rules.split(',');
    const bits = PRESETS[rules]?.bits ?? RULES.reduce((sum, { bit, tokens: of }) => sum | (Math.max(0, of.findIndex((token) => token !== '' && tokens.includes(token))) << bit), 0);
    const begin = { dealt, direction, number, cards, rules: rulesOf(bits), passed: passed.length > 0 ? passed : [[], [], [], []] };
    const some = games.slice(0, cards.length < 40 ? 1 : 2);
    const run = gamesFrom(begin, network, some.length);
    let step = run.next();
    while (!step.done) step = run.next();
    assert.deepEqual(step.value, some, `${rules} after ${cards.length}`);
  }
});

test('a par is a mean with its spread, and none where an exact end is near', () => {
  const par = parOf([[26, 0, 0, 0], [0, 26, 0, 0], [1, 0, 25, 0], [1, 0, 0, 25]]);
  assert.deepEqual(par, { games: 4, sums: [28, 26, 25, 25], squares: [678, 676, 625, 625] });
  assert.equal(meanOf(par, 0), 7);
  assert.ok(Math.abs(spreadOf(par, 0) - 12.6754) < 1e-4);
  for (const [bits, scores, there] of [
    [0, [99, 0, 0, 0], true], [2 << 11, [73, 0, 0, 0], true], [2 << 11, [74, 0, 0, 0], false],
    [1 << 11, [99, 0, 0, 0], false], [(1 << 11) | (1 << 8), [110, 0, 0, 0], false], [1 << 11, null, false],
  ]) assert.equal(hasPar(rulesOf(bits), 100, scores), there);
});

test('no games begin of a hand that is not over, or whose deal is not known', () => {
  const { rules, dealt, direction, number, cards } = positions.find((one) => one.rules === 'standard' && one.cards.length > 40);
  const verdict = { hands: dealt };
  const hand = { verdict, tricks: [], direction, number, rules };
  assert.ok(cards.length < 52);
  assert.equal(beginOf(hand), null);
  assert.equal(beginOf({ ...hand, verdict: null, tricks: Array.from({ length: 13 }, () => ({ plays: [] })) }), null);
});

test('points less par have a mean with its standard error', () => {
  const { mean, error } = meanAgainst({ hands: 3, sum: -6, squares: 14 });
  assert.equal(mean, -2);
  assert.ok(Math.abs(error - 0.57735) < 1e-5);
});

test('what a card costs is the difference of the games', () => {
  const { rules, number, direction, dealt, passed, cards } = positions.find((one) => one.rules === 'standard' && one.cards.length === 22);
  const begin = { dealt, direction, number, cards, passed, rules: rulesOf(PRESETS[rules].bits) };
  const { known, player, legal } = seenAt(begin);
  assert.deepEqual([known.held.length, known.tricks.length, known.trick.plays.length], [8, 5, 2]);
  assert.ok(legal.length > 1 && legal.includes(network.chooseCard(known, player, legal)));
  const end = (run) => { let step = run.next(); while (!step.done) step = run.next(); return step.value; };
  const means = legal.slice(0, 2).map((card) => meanOf(parOf(end(gamesFrom({ ...begin, cards: [...cards, card] }, network, LOOKS))), player));
  assert.equal(end(costOf(begin, player, [legal[0], legal[1]], network)).mean, means[0] - means[1]);
});
