/**
 * Tests that unfinished writes and results that nobody has read are reported beside any write, as far as
 * there is room.
 */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { unfinishedLines } from '../../../../src/write/render/batch/unfinished.ts';
import type { BatchInfo } from '../../../../src/write/run/batches/summary.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeEach(async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_ANSWER_TOKENS: '2000' });
});
afterEach(() => runner.close());

async function lines(
  { ids = [], words = '12 listings', pages }: { ids?: string[]; words?: string; pages?: object[] },
  except?: string,
) {
  const { session } = runner;
  const batches = await session.batches();
  const asked: unknown[] = [];
  batches.unfinished = async (...parts) => {
    asked.push(parts);
    return ids.map(
      (id) =>
        ({
          id,
          tool: 'change_listings',
          words,
          state: 'unfinished',
          total: 12,
          counts: { pending: 5 },
          createdAt: session.program.now(),
          until: session.program.now() + 60_000,
        }) as unknown as BatchInfo,
    );
  };
  session.yesPages.made = (async () =>
    pages && { untold: (account: string) => (account === 'default' ? pages : []) }) as never;
  const described = await unfinishedLines('default', 'mark', session, except);
  expect(asked).toEqual([['default', 'mark']]);
  return described;
}

const page = (standing: string, handle: string, result?: object) => ({
  standing,
  handle,
  options: { tool: 'write_operation' },
  result,
});

it('lists are told in one line, but not the one that the answer is about', async () => {
  expect(await lines({})).toEqual([]);
  const [one, ...more] = await lines({ ids: ['b0000001', 'b0000002'] });
  expect(more).toEqual([]);
  expect(one).toMatch(/batch b0000001.*batch b0000002/);
  expect((await lines({ ids: ['b0000001', 'b0000002'] }, 'b0000002'))[0]).not.toContain('b0000002');
  expect(await lines({ ids: ['b0000001'] }, 'b0000001')).toEqual([]);
});

it('where there is no room for all, the newest is told, and where there is none for that, nothing', async () => {
  const words = 'word '.repeat(60).trim();
  const [line] = await lines({ ids: ['b0000001', 'b0000002'], words });
  expect(line).toContain('b0000002');
  expect(line).not.toContain('b0000001');
  expect(await lines({ ids: ['b0000001'], words: 'word '.repeat(400) })).toEqual([]);
});

it('what the person was asked at a page is told with the code that tells more, the newest three', async () => {
  const standings = {
    waiting: 'Waiting for the person at the page',
    yes: 'The person said yes at the page',
    no: 'The person said no at the page, nothing was sent',
    left: 'Nobody answered at the page, nothing was sent',
    closed: 'The page was closed, nothing was sent',
  };
  for (const [standing, words] of Object.entries(standings))
    expect(await lines({ pages: [page(standing, 'h-1')] })).toEqual([
      `${words}: write_operation, confirmationCode h-1 alone tells it.`,
    ]);
  const four = ['1', '2', '3', '4'].map((at) => page('yes', `h-${at}`));
  const described = await lines({ pages: four, ids: ['b0000001'] });
  expect(described.map((one) => /h-\d|b\d+/.exec(one)?.[0])).toEqual(['h-2', 'h-3', 'h-4', 'b0000001']);
});

it('what became of a list at a page is told with the lists, and not once more', async () => {
  const result = (structured: object) => ({ answer: { structured } });
  const pages = [
    page('yes', 'h-1', result({ batch_id: 'b1' })),
    page('yes', 'h-2', result({})),
    page('yes', 'h-3', { error: 'x' }),
  ];
  expect((await lines({ pages })).map((one) => /h-\d/.exec(one)?.[0])).toEqual(['h-2', 'h-3']);
});

it('a failure says nothing and hinders nothing', async () => {
  const batches = await runner.session.batches();
  batches.unfinished = async () => {
    throw new Error('the disk');
  };
  expect(await unfinishedLines('default', 'mark', runner.session)).toEqual([]);
});
