/** Tests the journal's output for people: what happened, in words, and no character that moves a cursor. */

import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/write/records/journal/entry.ts';
import { describeOutcome, formatJournal } from '../../../../src/write/records/journal/format-journal.ts';

const entry: JournalEntry = {
  id: 'w-1',
  time: '2026-11-20T23:30:05.000Z',
  account: 'default',
  operation: 'Feeds/createFeed',
  outcome: 'done',
  endedAt: '2026-11-20T23:30:06.000Z',
};

describe('describeOutcome', () => {
  it.each<[string, Partial<JournalEntry>, string[]]>([
    ['nothing more', {}, ['done']],
    ['the status', { status: 204 }, ['done (204)']],
    [
      'no outcome yet',
      { outcome: 'unknown', endedAt: undefined },
      ['unknown', 'no outcome recorded: under way, or cut off'],
    ],
    ['an outcome whose name is no word', { outcome: 'accepted_not_visible' }, ['accepted, not visible yet']],
    ['a part', { outcome: 'partly_accepted', status: 200 }, ['accepted in part (200)']],
    ['a no', { outcome: 'not_accepted' }, ['not accepted']],
    ['an error', { outcome: 'failed', error: 'no' }, ['failed', 'no']],
    ['what was read back, the same', { differences: [] }, ['done', 'read back: as sent']],
    [
      'what was read back, other',
      {
        differences: [
          { path: 'alias', sent: 'a', found: 'b' },
          { path: 'list', sent: [1], found: undefined },
        ],
      },
      ['done', 'read back: alias is b, sent a', 'read back: list is nothing, sent [1]'],
    ],
    [
      'request and key',
      { requestId: 'r-1', idempotencyKey: 'k-1' },
      ['done', 'request id r-1', 'idempotency key k-1'],
    ],
    ['hidden characters', { error: 'a\u001b[2J\u202e' }, ['done', 'a\\u001b[2J\\u202e']],
  ])('%s', (_name, more, lines) => {
    expect(describeOutcome({ ...entry, ...more })).toBe(lines.join('\n'));
  });
});

describe('formatJournal', () => {
  it('tells what changed with the id that undoes it, instead of the parameters', () => {
    const parameters = { sku: 'S-1' };
    const what = 'S-1 "Lamp", Germany: price: 19.99 EUR -> 17.99 EUR.';
    const known = formatJournal([{ ...entry, parameters, what, batch: 'b1', undoes: 'w-0' }]);
    for (const line of [what, 'id w-1', 'undoes w-0', 'of the list b1']) expect(known).toContain(line);
    expect(known).not.toContain('sku:');
    const unknown = formatJournal([{ ...entry, parameters }]);
    expect(unknown).toContain('sku: S-1');
    expect(unknown).not.toContain('id w-1');
  });

  it('has a block for each entry, with times of the reader and parameters cut', () => {
    const parameters = { sku: 'S\u202e-1', long: 'x'.repeat(300), list: ['y'] };
    const table = formatJournal(
      [
        { ...entry, parameters },
        { ...entry, operation: 'Feeds/cancelFeed' },
      ],
      {
        timeZone: 'Europe/Berlin',
      },
    );
    expect(table.split('\n')[0]).toBe('Times: Europe/Berlin');
    for (const one of ['createFeed', 'cancelFeed'])
      expect(table).toContain(`\n\n2026-11-21 00:30:05  default  Feeds/${one}: done`);
    expect(table).toContain('sku: S\\u202e-1');
    expect(table).toContain('list: ["y"]');
    expect(table).toContain(`\n  long: ${'x'.repeat(114)}... (186 more characters)\n`);
  });

  it.each([undefined, null, 'text'])('takes parameters such as %j for none', (parameters) => {
    const table = formatJournal([{ ...entry, parameters }]);
    expect(table).not.toContain('text');
    expect(table).toContain('Feeds/createFeed');
  });

  it('shows what changed, from what to what, and what it undoes', () => {
    const what = 'Pike Street shop (shop-pike-01): alias: "A" -> "B".';
    const table = formatJournal([{ ...entry, what, undoes: 'w-0', batch: 'b-1' }]);
    for (const line of [what, 'undoes w-0', 'of the list b-1']) expect(table).toContain(line);
  });
});
