/** The board without a browser: what its page holds, what it is asked for, and that it needs no credentials. */

import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { buildConfig } from '../../../src/base/config.ts';
import { board as command } from '../../../src/program/commands/board.ts';
import { openBoard } from '../../../src/program/runtime/open-board.ts';
import { createTestOutside, noKeychain } from '../../helpers/outside.ts';
import { type ServedTestPage, send, servedAt } from '../../helpers/served-page.ts';
import { collectItems, makeTestFolder, openTestTables } from '../../helpers/tables-worker.ts';

const pageSchema = z.looseObject({
  account: z.string(),
  isSandbox: z.boolean(),
  views: z.array(z.looseObject({ kind: z.string() })),
});

async function dataOf(served: ServedTestPage) {
  const { body, status } = await send(served);
  expect(status).toBe(200);
  const json = /id="data">([^<]*)</.exec(body)?.[1] ?? '';
  const { views, ...rest } = pageSchema.parse(JSON.parse(json));
  return { ...rest, body, view: (kind: string) => views.find((view) => view.kind === kind) };
}

/** A keychain that says what it is asked for. */
function watchedKeychain(asked: string[]) {
  const refuse = (what: string) => async () => {
    asked.push(what);
    throw new Error('no keychain');
  };
  return { read: refuse('read'), list: refuse('list'), write: refuse('write'), delete: refuse('delete') };
}

async function open(flags: Record<string, string | boolean>) {
  const folder = await makeTestFolder();
  const asked: string[] = [];
  const given = { 'data-dir': join(folder, 'data'), 'state-dir': join(folder, 'state'), ...flags };
  const outside = {
    ...createTestOutside(),
    config: buildConfig(given, {}),
    entryFile: join(inject('programs'), 'main.mjs'),
    keychain: { ...noKeychain, ...watchedKeychain(asked) },
  };
  return { folder, asked, start: () => openBoard(outside) };
}

it.each([
  [{}, 1],
  [{ open: false }, 0],
])('told %j, it opens the browser %j times', async (values, times) => {
  const folder = await makeTestFolder();
  const opened: string[] = [];
  const stop = new AbortController();
  const io = {
    ...createTestOutside(),
    config: buildConfig({ 'data-dir': join(folder, 'data'), 'state-dir': join(folder, 'state') }, {}),
    entryFile: join(inject('programs'), 'main.mjs'),
    keychain: { ...noKeychain, ...watchedKeychain([]) },
    signal: stop.signal,
    stdout: () => setImmediate(() => stop.abort()),
    openInBrowser: async (url: string) => void opened.push(url),
  };
  expect(await command.run({ values, positionals: [], flags: {} }, io)).toBe(0);
  expect(opened).toHaveLength(times);
});

describe('the board', () => {
  it('says what to ask for where nothing is kept, and reads no credentials', async () => {
    const { asked, start } = await open({});
    const board = await start();
    const { view, account } = await dataOf(servedAt(board.url));
    expect(account).toBe('default');
    expect(view('health')).toEqual({
      kind: 'health',
      ask: expect.stringContaining('Review all my listings'),
    });
    expect(view('hours')).toMatchObject({ stores: [], ask: expect.stringContaining('getSupplySource') });
    await board.close();
    expect(asked).toEqual([]);
  });

  it('shows what is kept of an account, buyers as marks, to whoever has the cookie', async () => {
    const { folder, asked, start } = await open({});
    const kept = join(folder, 'data', 'tables', 'default-0123abcd');
    const tables = await openTestTables({ folder: kept });
    const order = {
      AmazonOrderId: '1',
      BuyerInfo: { BuyerName: 'Ada Canary', BuyerEmail: 'ada@canary.example' },
      Note: '</script><b>',
    };
    await collectItems(tables, 'orders', [order], {
      kind: 'operation',
      operation: 'orders-v0/getOrders',
      parameters: {},
    });
    const board = await start();
    const served = servedAt(board.url);
    const { view, body } = await dataOf(served);
    expect(view('data')).toMatchObject({
      collections: [{ source: 'orders-v0/getOrders', tables: [{ name: 'orders', rows: 1 }] }],
    });
    const room = served.room?.path ?? '';
    const headers = { cookie: served.room?.cookie ?? '' };
    const rows = await send(served, { path: `${room}rows?table=orders&from=0`, headers });
    expect(rows.body).toContain('</script><b>');
    expect(rows.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(rows.body + body).not.toMatch(/Ada|canary\.example/);
    expect(rows.body).toContain('buyer name');
    for (const wrong of ['rows?table=orders&from=x', 'rows?table=nothing&from=0']) {
      expect((await send(served, { path: room + wrong, headers })).status, wrong).toBe(500);
    }
    expect((await send(served, { path: `${room}other`, headers })).status).toBe(404);
    expect((await send(served, { path: `${room}rows?table=orders&from=0` })).status).toBe(403);
    await board.close();
    await tables.close();
    expect(asked).toEqual([]);
  });

  it('with --sandbox reviews the made-up seller itself', async () => {
    const { asked, start } = await open({ sandbox: true });
    const board = await start();
    const { view, isSandbox } = await dataOf(servedAt(board.url));
    expect(isSandbox).toBe(true);
    expect(view('health')).toMatchObject({
      review: { places: [{ name: 'United States', listings: 259, altogether: 15 }] },
    });
    expect(view('hours')).toMatchObject({ stores: [{ name: 'Pike Street shop' }, {}, {}] });
    await board.close();
    expect(asked).toEqual([]);
  });
});
