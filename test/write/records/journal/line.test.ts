/** One record: bounded whatever it holds, most of what there is room for. */

import { describe, expect, it } from 'vitest';
import { buildBegun, buildEnded, MAX_LINE_BYTES } from '../../../../src/write/records/journal/entry.ts';

const stamp = { id: 'w-1', time: Date.UTC(2026, 10, 20), as: 'write' } as const;
const encode = (body: unknown) =>
  JSON.stringify(buildBegun(stamp, { account: 'a', operation: 'o', parameters: {}, body }));
const bodyOf = (line: string): unknown => JSON.parse(line).body;

describe('a record', () => {
  it('keeps as much as fits: up to 256 characters, 100 members, 16 levels', () => {
    const wide = Array.from({ length: 100 }, (_, at) => at);
    const deep = '['.repeat(16) + ']'.repeat(16);
    const body = { text: 'x'.repeat(256), wide, deep: JSON.parse(deep.slice(1, -1)) };
    expect(bodyOf(encode(body))).toEqual(body);
    const more = { text: 'x'.repeat(257), wide: [...wide, 1, 1], deep: JSON.parse(`[${deep}]`) };
    const cut = bodyOf(encode(more));
    expect(cut).toMatchObject({ text: `${'x'.repeat(256)}... (1 more characters)` });
    expect(cut).toHaveProperty('wide', [...wide, '[2 more items]']);
    expect(JSON.stringify(cut)).toContain('"[1 items]"');
  });

  it('cuts members like items, and counts them', () => {
    const body = Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`m${at}`, at]));
    const cut = Object.entries(Object(bodyOf(encode(body))));
    expect(cut).toHaveLength(101);
    expect(cut.at(-1)).toEqual(['...', '[3 more members]']);
    const nest = (levels: number): unknown => (levels === 0 ? { end: 1 } : { in: nest(levels - 1) });
    expect(encode(nest(16))).toContain('"[1 members]"');
    expect(encode(nest(14))).toContain('"end":1');
  });

  it('keeps less, by steps, of what is larger, and stays under its bound', () => {
    const sizes = [60, 120, 400, 900].map((count) => {
      const body = Array.from({ length: count }, () => ({ text: 'x'.repeat(250) }));
      const line = encode(body);
      expect(Buffer.byteLength(line)).toBeLessThan(MAX_LINE_BYTES);
      return JSON.stringify(bodyOf(line)).match(/x{9,}/)?.[0].length;
    });
    expect(sizes).toEqual([250, 120, 120, 120]);
    const names = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`${at}${'n'.repeat(255)}`, [{}]]),
    );
    const nested = Array.from({ length: 50 }, () => names);
    const bare = encode([nested, nested]);
    expect(Buffer.byteLength(bare)).toBeLessThan(MAX_LINE_BYTES);
    expect(Buffer.byteLength(bare)).toBeGreaterThan(500);
  });

  it('a record that is exactly at its bound is kept', () => {
    const fits = (length: number) => Buffer.byteLength(encode(text(length)));
    const text = (length: number) =>
      Array.from({ length: 64 }, (_, at) => 'x'.repeat(at === 0 ? length : 251));
    const base = fits(0);
    const exact = MAX_LINE_BYTES - base;
    expect(exact).toBeGreaterThan(0);
    expect(exact).toBeLessThan(257);
    expect(fits(exact)).toBe(MAX_LINE_BYTES);
    expect(fits(exact + 1)).toBeLessThan(MAX_LINE_BYTES);
  });

  it('bounds names, errors, ids and keys by themselves', () => {
    const long = 'n'.repeat(1_000);
    const intent = { account: long, operation: long, parameters: {}, idempotencyKey: long };
    const differences = [{ path: long, sent: true }];
    const outcome = { outcome: 'refused', error: long, requestId: long, differences } as const;
    const line = { ...buildBegun(stamp, intent), ...buildEnded('w-1', 0, outcome) };
    const name = `${'n'.repeat(200)}... (800 more characters)`;
    expect(line).toMatchObject({
      account: name,
      operation: name,
      error: `${'n'.repeat(500)}... (500 more characters)`,
      requestId: name,
      idempotencyKey: name,
      differences: [{ path: name, sent: true }],
    });
  });

  it('masks an e-mail address in an error, and what a sensitive place holds', () => {
    const line = buildEnded('w-1', 0, {
      outcome: 'failed',
      error: 'no mail to jo@example.com',
      differences: [{ path: 'contact.phone', sent: { home: '123' }, found: ['456', 7, true, null, ''] }],
    });
    expect(line).toMatchObject({
      error: 'no mail to [masked]',
      differences: [{ sent: { home: '[masked]' }, found: ['[masked]', '[masked]', true, null, ''] }],
    });
  });
});
