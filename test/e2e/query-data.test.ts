/** query_data in the built program: its worker and SQLite are found beside it, and nothing is created by asking. */

import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

let outside: Outside;
let session: Session;
beforeAll(async () => {
  outside = await startOutside();
  session = await connect({ args: outside.args, env: outside.env });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

it('answers from the worker of the bundle', async () => {
  const answer = await session.call('query_data', {
    sql: "SELECT local_week('2026-11-20', 'Europe/Berlin') AS week",
  });
  expect(answer).toMatchObject({
    isError: false,
    structured: { columns: ['week'], rows: [['2026-W47']], total: 1 },
  });
});

it('says what to do where nothing was collected', async () => {
  const answer = await session.call('query_data', { sql: 'SELECT * FROM orders' });
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain('collect_data');
  await expect(access(join(outside.folder, 'data'))).rejects.toThrow();
});

it('removes what a killed server left of personal tables soon after its start, before anything is asked', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'seller-killed-'));
  const folder = join(dataDir, 'tables', 'default-0a1b2c3d');
  const info = {
    v: 2,
    id: 'orders-1',
    account: 'default',
    complete: true,
    notes: [],
    bytes: 1,
    tables: [],
    source: { kind: 'document', id: '1', of: 'report' },
    collectedAt: new Date().toISOString(),
  };
  await mkdir(folder, { recursive: true });
  const write = async (id: string, more: object) => {
    await writeFile(join(folder, `${id}.json`), JSON.stringify({ ...info, id, ...more }));
    await writeFile(join(folder, `${id}.db`), 'x');
  };
  await write('orders-1', { ends: { process: '00000000-1-a-00000000' } });
  await write('listings-1', {});
  const started = await connect({ args: ['--data-dir', dataDir], env: outside.env });
  const names = async () => (await readdir(folder)).sort();
  await expect.poll(names).toEqual(['listings-1.db', 'listings-1.json']);
  await started.close();
  await rm(dataDir, { recursive: true, force: true });
});
