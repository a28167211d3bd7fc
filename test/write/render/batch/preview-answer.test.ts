/** The answer that shows a list before its yes, out of generated previews: each part has its share of the room, and what has room stands whole. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokensOf } from '../../../../src/base/text/shorten.ts';
import type { Operation } from '../../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import type { BatchValidation } from '../../../../src/write/approval/batch/batch-validation.ts';
import type { BatchPreview } from '../../../../src/write/approval/shown-store.ts';
import { buildPreviewAnswer } from '../../../../src/write/render/batch/batch-answer.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

const TOKENS = 2_000;
let runner: ToolRunner;
let operation: Operation;
beforeAll(async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_ANSWER_TOKENS: String(TOKENS) });
  operation = (await loadRegistry()).find('listings-items/patchListingsItem');
});
afterAll(() => runner.close());

const texts = (most: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 1, max: 60 }))
    .map(([many, long]) => Array.from({ length: many }, (_, at) => `${at} ${'word '.repeat(long)}`));
const rowsOf = (names: readonly string[]): BatchPreview['shown'] =>
  names.map((name, at) => ({
    key: `S-${at}`,
    name: at % 2 === 0 ? name : `S-${at}`,
    change: { text: 'whole', short: 'price: 20.00 -> 15.00', members: 1 },
    unusual: at % 3 === 0 ? ['down by 95 %', 'below the minimum'] : [],
    amounts: undefined,
  }));
const preview = fc
  .record({ names: texts(60), warnings: texts(20), cannotUndo: texts(20), remarks: texts(20) })
  .map(
    ({ names, warnings, cannotUndo, remarks }): BatchPreview => ({
      shown: rowsOf(names),
      rest: (shown = 0) => (shown < names.length ? `${names.length - shown} more` : undefined),
      places: names.length % 2 === 0 ? '' : 'US',
      warnings,
      cannotUndo,
      remarks,
      question: 'for the person alone',
      page: { head: '', around: [], rows: async () => [] },
      text: 'the preview, in words',
      seller: { id: 'A1SELLER', client_id: 'client-1', sent_to: undefined },
      links: [],
      whole: names.length > 30 ? 'seller://whole' : undefined,
      saved: names.length > 40 ? '/home/me/list\u0007.csv' : undefined,
    }),
  );

const answer = (
  shown: BatchPreview,
  more: { code?: string; validation?: BatchValidation; unfinished?: string[] } = {},
) =>
  buildPreviewAnswer(
    {
      account: 'acme',
      operation,
      method: 'PATCH',
      total: shown.shown.length,
      preview: shown,
      unfinished: [],
      ...more,
    },
    runner.session,
  );
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const sizeOf = (value: unknown) => tokensOf(JSON.stringify(value));

describe('a preview of a list', () => {
  it('has its rows, remarks and warnings from the first on, within the room of an answer', () => {
    fc.assert(
      fc.property(preview, (shown) => {
        const { structured, text, links } = answer(shown);
        expect(sizeOf(structured)).toBeLessThanOrEqual(TOKENS);
        const listed = [structured.rows, structured.warnings, structured.remarks].map(listOf);
        const undo = String(structured.cannot_undo ?? '');
        const rows = shown.shown.map(({ key, name }, at) => ({
          key,
          name: name === key ? undefined : name,
          change: 'price: 20.00 -> 15.00',
          unusual: at % 3 === 0 ? 'down by 95 %; below the minimum' : undefined,
        }));
        const all = [rows, shown.warnings, shown.remarks];
        for (const [at, some] of listed.entries()) expect(some).toEqual(all[at]?.slice(0, some.length));
        expect(shown.cannotUndo.join('; ').startsWith(undo)).toBe(true);
        // The answer leaves nothing out where there is room, and takes no room that others need.
        const shares = [
          [shown.warnings, listed[1]],
          [shown.remarks, listed[2]],
          [shown.cannotUndo, undo === '' ? [] : [undo]],
        ] as const;
        for (const [given, [...some] = []] of shares) {
          if (sizeOf(given) < TOKENS / 12) expect(some.join('; ')).toBe(given.join('; '));
          expect(sizeOf(some)).toBeLessThan(TOKENS / 3.5);
        }
        if (sizeOf(all) + sizeOf(shown.cannotUndo) < TOKENS / 3) expect(listed[0]).toHaveLength(rows.length);
        // A row that is missing would not have had room.
        if ((listed[0]?.length ?? 0) < rows.length) expect(sizeOf(structured)).toBeGreaterThan(TOKENS - 300);
        expect(structured.rest).toBe(shown.rest(listed[0]?.length));
        expect(text).toContain('the preview, in words');
        expect(links).toBe(shown.links);
        for (const [name, list] of Object.entries({ warnings: listed[1], remarks: listed[2] }))
          expect(name in structured).toBe(list?.length !== 0);
        expect('cannot_undo' in structured).toBe(undo !== '');
      }),
    );
  });

  it('says for whom it is, what would be sent, and where all of it is', () => {
    fc.assert(
      fc.property(preview, (shown) => {
        const { structured } = answer(shown);
        expect(structured).toMatchObject({
          outcome: 'preview',
          account: 'acme',
          operation: 'listings-items/patchListingsItem',
          items: shown.shown.length,
          seller: { id: 'A1SELLER', client_id: 'client-1' },
          request: { method: 'PATCH', url: '/listings/2021-08-01/items/{sellerId}/{sku}' },
        });
        expect(structured.marketplaces).toBe(shown.places === '' ? undefined : 'US');
        expect(structured.whole).toBe(shown.whole);
        expect(structured.saved).toBe(shown.saved === undefined ? undefined : '/home/me/list\\u{7}.csv');
      }),
    );
  });

  const [few = []] = fc.sample(preview, 1);
  const empty = { ...Object(few), shown: [], warnings: [], cannotUndo: [], remarks: [], places: '' };

  it('goes on by its code, or not at all, with what is to be known of other lists behind it', () => {
    const unfinished = ['Another list is unfinished.'];
    const asked = answer(empty, { code: 'c0de', unfinished });
    expect(asked.structured).toMatchObject({
      outcome: 'needs_confirmation',
      confirmation_code: 'c0de',
      unfinished,
    });
    expect(asked.text).toContain('confirmationCode "c0de"');
    expect(asked.text.endsWith('\nAnother list is unfinished.')).toBe(true);
    const dry = answer(empty);
    expect(dry.text.endsWith('\n\nThis is a preview; nothing was sent.')).toBe(true);
    expect(dry.structured).not.toHaveProperty('unfinished');
  });

  it.each([1, 400])('tells what the service said to %i of it, as far as there is room', (many) => {
    const refused = Array.from({ length: many }, (_, at) => ({ key: `S-${at}`, why: 'no such color' }));
    const { text, structured } = answer(empty, { validation: { tried: many + 1, of: 500, refused } });
    expect(structured.validation).toMatchObject({ tried: many + 1, of: 500, would_be_accepted: 1, refused });
    const lines = text.split('\n').filter((line) => line.startsWith('  '));
    if (many === 1) expect(lines).toEqual(['  S-0: no such color']);
    else {
      expect(lines.at(-1)).toBe(`  ... and ${many - lines.length + 1} more lines`);
      expect(tokensOf(text)).toBeLessThanOrEqual(TOKENS);
      expect(tokensOf(text)).toBeGreaterThan(TOKENS - 100);
    }
    expect(answer(empty).structured).not.toHaveProperty('validation');
  });
});
