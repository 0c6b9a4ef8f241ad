// The deal of the day in the page: what is read of a server's words, and what its values prove.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { texts } from '../../hearts_web/page/texts/en.js';

const ROOT = new URL('../../', import.meta.url);
const { dayOf, dayTable, isOfChain, isOfDay, isOfValue, overAt, readDay } = await import(new URL('hearts_web/page/client/days.js', ROOT));

const ANCHOR = 'ebfc3035ea9f12061adb888f4e888bc6bacc028fdbb342aa57c115cc0d3f90ce';
const VALUE = '627972b2fb4a3719ca9e3aaf93fb39fe362d683a327eb9061ba55b0531df31f9';
const SECRETS = [
  '114746ba0d4a0505e439c564808dac25',
  'b1f5adb33f42cb6f71a387baf8574f95',
  '4d3396bb888d416ee485b8786a1d52a6',
  'ea1f4bcfc3932aa45e8feaf3a2eb596a',
];
const STATE = `day 2026-11-27 open ${ANCHOR}`;
const OVER = `over 2026-11-26 ${VALUE}`;

test('a value that is told is of the chain, and another one is not', () => {
  const told = readDay([STATE, OVER]);
  assert.equal(isOfChain(told), true);
  assert.equal(isOfChain({ ...told, value: VALUE.replace(/.$/, '1') }), false);
  assert.equal(isOfChain({ ...told, over: '2026-11-25' }), false);
  for (const over of ['2025-12-31', '2126-01-01', '2026-13-01']) assert.equal(isOfChain({ ...told, over }), false);
});

test('the secret of each hand follows from the value of its day', () => {
  SECRETS.forEach((secret, place) => {
    assert.equal(isOfValue(VALUE, { number: place + 1, verdict: { secret } }), true);
    assert.equal(isOfValue(VALUE, { number: place + 2, verdict: { secret } }), false);
  });
  assert.equal(isOfValue(VALUE, { number: 1, verdict: null }), false);
});

test('what a server tells is read as the vectors say', () => {
  const vectors = JSON.parse(readFileSync(new URL('tests/vectors/days.json', ROOT), 'utf8'));
  assert.ok(vectors.length > 10);
  for (const { title, texts: told, read } of vectors) assert.deepEqual(readDay(told), read, title);
});

test('the tables of a day have names of their own', () => {
  assert.equal(dayTable(Uint8Array.from({ length: 16 }, () => 255)), 'day _____________________w');
  assert.equal(isOfDay('day _____________________w'), true);
  assert.equal(dayOf('day _____________________w'), '');
  assert.equal(dayOf('day 2026-11-27 HYENAVMLCYOYWYA'), '2026-11-27');
  for (const name of ['day trip', '', 'friends', 'day 2026-11-27 friends']) assert.equal(isOfDay(name), false);
  assert.equal(overAt('2026-11-27').toISOString(), '2026-11-28T12:00:00.000Z');
});

test('every line of a server is understood', { skip: process.env.DAYS === undefined }, () => {
  const { lines, ...given } = JSON.parse(readFileSync(process.env.DAYS ?? '', 'utf8'));
  const { own, host, left, over, open } = Object.fromEntries(Object.entries(given).map(([who, texts]) => [who, readDay(texts)]));
  const [result] = own.results;
  assert.deepEqual([own.day, own.state, own.links, own.lines], ['2026-11-27', 'played', [], []]);
  assert.deepEqual([result.day, result.count, result.points.length], ['2026-11-27', 2, 4]);
  assert.ok(result.place === 1 || result.place === 2);
  assert.equal(host.results[0].place, 0);
  assert.deepEqual([left.state, left.results], ['played', []]);
  assert.deepEqual([over.day, over.state, over.links.length], ['2026-11-29', 'open', 4]);
  assert.deepEqual(over.results, [{ ...result, place: over.results[0].place }]);
  assert.equal(open.state, 'open');
  assert.ok(lines.length > 40);
  for (const { result: told, usual, isOver, said } of lines) assert.deepEqual(texts.day.lines(told, usual, isOver), said);
  assert.deepEqual(own.names, []);
  const total = result.points.reduce((sum, points) => sum + points, 0);
  for (const { names, lines } of [over, open]) {
    assert.deepEqual(names, [{ place: over.results[0].place, points: total, name: 'Player 1' }]);
    assert.ok(!lines.some((line) => line.includes('Player')));
  }
});
