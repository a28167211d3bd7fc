/** The order of the lines decides what became of an item, whoever wrote them. */

import { describe, expect, test } from 'vitest';
import type { End } from '../../../../src/write/model/outcome.ts';
import { createFold } from '../../../../src/write/run/batches/fold.ts';
import { type Line, parseLine } from '../../../../src/write/run/batches/lines.ts';

const at = 1;
const sending = (by: string, i = 0): Line => ({ t: 'sending', i, by, at });
const looking = (by: string, i = 0): Line => ({ t: 'looking', i, by, at });
const later = (by: string, i = 0): Line => ({ t: 'later', i, by });
const step = (by: string, v: unknown): Line => ({ t: 'step', i: 0, by, d: { v } });
const end = (by: string, kind: End, i = 0): Line => ({ t: 'end', i, by, at, kind });

function fold(...lines: (Line | undefined)[]) {
  const made = createFold();
  for (const line of lines) made.add(line);
  return made;
}

describe('an item', () => {
  test('is of the run that claimed it first, until that one gives it back', () => {
    const found = fold(sending('a'), sending('b'));
    expect([found.isOf(0, 'a'), found.isOf(0, 'b')]).toEqual([true, false]);
    found.add(later('b'));
    expect(found.phaseOf(0)).toBe('sending');
    found.add(later('a'));
    expect(found.phaseOf(0)).toBe('pending');
    found.add(sending('b'));
    expect(found.isOf(0, 'b')).toBe(true);
  });

  test('is of the one that looks, once it was sent; the sender can neither give it back nor note anything then', () => {
    const found = fold(looking('b'), sending('a'), step('a', 1), looking('b'), step('a', 2), later('a'));
    expect(found.isOf(0, 'b')).toBe(true);
    expect(found.stepsOf(0)).toEqual({ v: 1 });
    found.add(step('b', 3));
    expect(found.stepsOf(0)).toEqual({ v: 3 });
  });

  test('keeps its outcome; only who sent it knows better than who looked', () => {
    const found = fold(sending('a'), looking('b'), end('c', 'failed'));
    expect(found.phaseOf(0)).toBe('sending');
    found.add(end('b', 'unknown'));
    found.add(end('b', 'failed'));
    expect(found.outcomeOf(0)?.kind).toBe('unknown');
    found.add(end('a', 'accepted'));
    found.add(end('a', 'failed'));
    expect(found.outcomeOf(0)?.kind).toBe('accepted');
    expect([found.count('unknown'), found.count('accepted'), found.count('failed')]).toEqual([0, 1, 0]);
    found.add(sending('b'));
    expect(found.phaseOf(0)).toBe('ended');
  });

  test('is ended by who sent it while another one looks, and by nobody else', () => {
    const found = fold(sending('a'), looking('b'), end('c', 'failed'));
    expect(found.phaseOf(0)).toBe('sending');
    found.add(end('a', 'accepted'));
    expect(found.outcomeOf(0)?.kind).toBe('accepted');
    found.add(end('b', 'unknown'));
    expect(found.outcomeOf(0)?.kind).toBe('accepted');
  });

  test('that was never sent can end too', () => {
    const found = fold(end('a', 'changed_since'), sending('b'));
    expect(found.isOf(0, 'b')).toBe(false);
    expect(found.outcomeOf(0)?.kind).toBe('changed_since');
  });
});

describe('a line that is none', () => {
  test('was damaged: whatever has no outcome may have been sent', () => {
    const found = fold(end('a', 'accepted', 1), undefined, sending('a', 2));
    expect(found.isDamaged()).toBe(true);
    expect([0, 1, 2].map((item) => found.phaseOf(item))).toEqual(['sending', 'ended', 'sending']);
    // None of them can be claimed to be sent; each can be looked at.
    found.add(sending('b'));
    expect(found.isOf(0, 'b')).toBe(false);
    found.add(looking('b'));
    expect(found.isOf(0, 'b')).toBe(true);
    expect(fold(undefined).isDamaged()).toBe(true);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"t":"other"}',
    '{"t":"sending","i":-1,"by":"a","at":1}',
    '{"t":"end","i":0}',
  ])('%s', (text) => {
    expect(parseLine(text)).toBeUndefined();
  });
});
