// The guided first hand against the lines that it takes in Python.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Guide, LessonTable } from '../../hearts_web/page/client/lesson.js';
import { Network } from '../../hearts_web/page/client/swift.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT));
const file = read('hearts/bots/swift/swift.bin');
const network = new Network(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
const lesson = JSON.parse(read('hearts/bots/lesson.json'));
const lines = JSON.parse(read('tests/vectors/lesson.json'));
const NAMES = ['Ann', ...lesson.names];

test('computers and guide do what they do in Python, whatever the learner plays', () => {
  assert.ok(lines.length > 4);
  for (const { passes, played, said, doubted } of lines) {
    const table = new LessonTable(lesson, 'Ann', network);
    const guide = new Guide(lesson, 'en', String);
    const heard = [];
    const doubts = [];
    const say = (at) => heard.push([at, guide.say(at, table.hand(0), 0, NAMES)]);
    say('pass');
    if (table.better(passes[0]) !== null) doubts.push(-1);
    assert.deepEqual(table.pass(passes[0]), passes);
    played.forEach((card, place) => {
      if (table.turn === 0) {
        say('card');
        if (table.better([card]) !== null) doubts.push(place);
      } else assert.equal(table.wiseCard(), card, `card ${place}`);
      table.play(card);
      if (place % 4 < 3) return;
      if (place < 51) say('trick');
      table.clear();
    });
    assert.ok(table.isOver);
    table.count();
    say('end');
    assert.deepEqual(heard, said);
    assert.deepEqual(doubts, doubted);
  }
});

test('without the network computers play by simple rules, and nothing is doubted', () => {
  const table = new LessonTable(lesson, 'Ann', null);
  table.pass(table.wisePass(0));
  for (let place = 0; place < 52; place += 1) {
    assert.equal(table.better([table.legal[0]]), null);
    table.play(table.wiseCard());
    if (place % 4 === 3) table.clear();
  }
  table.count();
  assert.equal(table.hand(0).points.reduce((a, b) => a + b), 26);
});
