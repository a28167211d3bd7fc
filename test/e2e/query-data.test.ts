/** query_data in the built program: its worker and SQLite are found beside it, and nothing is created by asking. */

import { access } from 'node:fs/promises';
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
