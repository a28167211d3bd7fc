/** The writes that a session's queries see: those of the account as it is now, not of whoever had its name before. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createMemoryStore } from '../../../src/accounts/memory-store.ts';
import { openSession } from '../../../src/program/runtime/open-session.ts';
import { createProgram } from '../../../src/program/runtime/program.ts';
import { addLine } from '../../../src/write/records/journal/journal-table.ts';
import { openStateStore } from '../../../src/write/state-store.ts';
import { writeOperation } from '../../../tools/write-operation.ts';
import { startHttpService } from '../../helpers/http-service.ts';
import { createTestOutside } from '../../helpers/outside.ts';
import { ASK, tablesWorker } from '../../helpers/tables-worker.ts';
import { toolContext } from '../../helpers/tool-runner.ts';
import { readEntries } from '../../write/records/journal/helpers.ts';

it('an account that became another seller shows none of the writes of the earlier one, and says how many', async () => {
  const service = await startHttpService(({ path }) =>
    path.startsWith('/auth')
      ? { body: { access_token: 'access-1', token_type: 'bearer', expires_in: 3600 } }
      : { status: 204 },
  );
  const folder = await mkdtemp(join(tmpdir(), 'seller-changes-'));
  onTestFinished(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });
  const env = { SELLER_STATE_DIR: folder, SELLER_DATA_DIR: join(folder, 'data'), SELLER_WRITES: 'allow' };
  const entryFile = join(dirname(tablesWorker), 'main.mjs');
  const outside = { ...createTestOutside({ env }), entryFile };
  const readAs = async (sellerId: string, supplySourceId?: string) => {
    const addresses = { baseUrl: service.url, authUrl: service.url };
    const credentials = { clientId: 'client-1', clientSecret: 'secret-of-1', refreshToken: 'Atzr|refresh-1' };
    const store = createMemoryStore({ default: { ...credentials, ...addresses, sellerId } });
    const program = { ...createProgram(outside), store: async () => store };
    const session = openSession(program);
    const parameters = { supplySourceId };
    const write = { operation: 'updateSupplySourceStatus', parameters, body: { status: 'Inactive' } };
    if (supplySourceId !== undefined) await writeOperation.invoke(write, toolContext(session));
    const tables = await session.tables('default');
    const answer = await tables.query(
      "SELECT json_extract(parameters, '$.supplySourceId') FROM changes",
      ASK,
    );
    await session.close();
    await program.close();
    return { seen: answer.rows.flat(), notes: answer.notes.join(' ') };
  };
  expect(await readAs('A1FIRST', 'first-1')).toEqual({ seen: ['first-1'], notes: '' });
  expect(await readAs('A2SECOND', 'second-1')).toEqual({
    seen: ['second-1'],
    notes: expect.stringContaining('1 write of this account name is left out of changes'),
  });
  // Entries had this form before owners were recorded.
  const [known] = await readEntries(folder);
  await openStateStore(folder).run(function* () {
    const { account = '', operation = '', time = '' } = known ?? {};
    yield* addLine({ v: 1, kind: 'begun', as: 'other', id: 'old-1', time, account, operation });
  });
  expect(await readAs('A1FIRST')).toEqual({
    seen: ['first-1'],
    notes: expect.stringContaining('2 writes of this account name are left out of changes'),
  });
}, 60_000);
