/** The order of the changes decides what became of an item, whoever asked for them. */

import { describe, expect, test } from 'vitest';
import type { ItemEnd } from '../../../../src/write/model/outcome.ts';
import {
  changeItem,
  type ItemChange,
  NEW_ITEM_STATE,
  NO_FLAGS,
  phaseOf,
} from '../../../../src/write/run/batches/batch-state.ts';
import { readOldLines } from '../../../../src/write/run/batches/old-batch-lines.ts';

const sending = (by: string, i = 0): ItemChange => ({ t: 'sending', i, by });
const looking = (by: string, i = 0): ItemChange => ({ t: 'looking', i, by });
const later = (by: string): ItemChange => ({ t: 'later', i: 0, by });
const step = (by: string, v: unknown): ItemChange => ({ t: 'step', i: 0, by, d: { v } });
const end = (by: string, kind: ItemEnd, i = 0): ItemChange => ({ t: 'end', i, by, kind });

/** The list is with whoever asks, unless another holder is named. */
function play(changes: readonly ItemChange[], { flags = NO_FLAGS, holder = '' } = {}) {
  let item = NEW_ITEM_STATE;
  const taken = changes.map((change) => {
    const changed = changeItem(item, change, { flags, holder: holder === '' ? change.by : holder });
    item = changed ?? item;
    return changed !== undefined;
  });
  return { item, taken, phase: phaseOf(item, flags) };
}

describe('an item', () => {
  test('is of the run that claimed it first, until that one gives it back', () => {
    const { taken, item } = play([sending('a'), sending('b'), later('b'), later('a'), sending('b')]);
    expect(taken).toEqual([true, false, false, true, true]);
    expect(item.owner).toBe('b');
    expect(play([sending('a'), later('a')]).phase).toBe('pending');
  });

  test('is claimed, looked at and noted by nobody who does not have the list; what became of it is told all the same', () => {
    const changes = [sending('a'), step('a', 1), end('a', 'accepted')];
    expect(play(changes, { holder: 'b' }).taken).toEqual([false, false, true]);
    expect(play([sending('b'), looking('a'), end('b', 'accepted')], { holder: 'b' }).taken).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('is of the one that looks, once it was sent; the sender can neither give it back nor note anything then', () => {
    const changes = [looking('b'), sending('a'), step('a', 1), looking('b'), step('a', 2), later('a')];
    const { taken, item } = play(changes);
    expect(taken).toEqual([false, true, true, true, false, false]);
    expect([item.owner, item.step]).toEqual(['b', { v: 1 }]);
    expect(play([...changes, step('b', 3)]).item.step).toEqual({ v: 3 });
  });

  test('keeps its outcome; only who sent it knows better than who looked', () => {
    const changes = [sending('a'), looking('b'), end('c', 'failed'), end('b', 'unknown'), end('b', 'failed')];
    expect(play(changes).taken).toEqual([true, true, false, true, false]);
    const after = [...changes, end('a', 'accepted'), end('a', 'failed'), sending('b')];
    const { taken, item, phase } = play(after);
    expect([taken.slice(-3), item.outcome?.kind, phase]).toEqual([[true, false, false], 'accepted', 'ended']);
  });

  test('is ended by who sent it while another one looks, and by nobody else', () => {
    const changes = [
      sending('a'),
      looking('b'),
      end('c', 'failed'),
      end('a', 'accepted'),
      end('b', 'unknown'),
    ];
    const { taken, item } = play(changes);
    expect([taken, item.outcome?.kind]).toEqual([[true, true, false, true, false], 'accepted']);
  });

  test('that was never sent can end too', () => {
    const { taken, item } = play([end('a', 'changed_since'), sending('b')]);
    expect([taken, item.outcome?.kind]).toEqual([[true, false], 'changed_since']);
  });

  test('of a batch in doubt may have been sent: it is looked at, and not claimed', () => {
    const flags = { ...NO_FLAGS, isInDoubt: true };
    expect(play([], { flags }).phase).toBe('sending');
    expect(play([sending('a'), looking('a')], { flags }).taken).toEqual([false, true]);
  });
});

describe('lines of an earlier version', () => {
  const lines = (...changes: readonly object[]) => changes.map((change) => JSON.stringify(change));

  const head = {
    ...{ t: 'list', v: 1, id: '1', account: 'shop', owner: 'mark', tool: 'change_listings', asked: 'a' },
    ...{ digest: 'd', words: '9 listings', createdAt: 1, total: 9, check: 'c', kept: 'clear' },
  };

  test('say the same as the changes that they were', () => {
    const { items, flags } = readOldLines(
      lines(
        head,
        ...[sending('a'), looking('b'), end('b', 'unknown'), end('a', 'accepted'), sending('c', 1)],
        ...[
          { t: 'withdrawn', items: [1, 2], at: 1 },
          { t: 'paused', mark: 'm', until: 5, at: 1 },
        ],
      ),
    );
    expect(items.get(0)?.outcome?.kind).toBe('accepted');
    expect(items.get(1)).toMatchObject({ owner: 'c', isWithdrawn: true });
    expect(items.get(2)?.outcome).toMatchObject({ kind: 'not_sent', by: '' });
    expect(flags).toMatchObject({ hasWithdrawn: true, isInDoubt: false, pauses: { m: 5 } });
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"t":"other"}',
    '{"t":"sending","i":-1,"by":"a","at":1}',
    '{"t":"end","i":0}',
  ])('of which one is damaged leave all without an outcome in doubt: %s', (text) => {
    const { flags, items } = readOldLines([...lines(end('a', 'accepted', 1)), text]);
    expect(flags.isInDoubt).toBe(true);
    expect(items.get(1)?.outcome?.kind).toBe('accepted');
  });
});
