/** An upload is recorded like a write: what could not be recorded is told with it. */

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { startToolRunner } from '../../../helpers/tool-runner.ts';

it('an upload whose end the journal could not record says so, in both forms', async () => {
  const own = mkdtempSync(join(tmpdir(), 'seller-journal-'));
  onTestFinished(() => rmSync(own, { recursive: true }));
  const folder = join(own, 'state');
  const runner = await startToolRunner(
    ({ method }) => {
      if (method === 'POST')
        return { status: 201, body: { feedDocumentId: 'doc-1', url: `${runner.service.url}/put` } };
      // The intent is on the disk by now.
      renameSync(folder, `${folder}-gone`);
      writeFileSync(folder, 'in its place');
      return { body: {} };
    },
    { SELLER_STATE_DIR: folder, SELLER_WRITES: 'allow' },
  );
  onTestFinished(runner.close);
  const { text, structured } = await runner.run(writeOperation, {
    operation: 'createFeedDocument',
    document: { text: 'sku\tprice\n', contentType: 'text/tab-separated-values; charset=UTF-8' },
  });
  expect(structured).toMatchObject({ outcome: 'done', feedDocumentId: 'doc-1' });
  const { journal_problem: problem } = structured;
  expect(problem).toMatch(/journal/i);
  expect(text).toContain(problem);
});

it('a place for an upload is asked for by the account that the yes was for, and by no other', async () => {
  const runner = await startToolRunner(
    () => ({ status: 201, body: { feedDocumentId: 'doc-1', url: `${runner.service.url}/put` } }),
    { SELLER_WRITES: 'allow' },
  );
  onTestFinished(runner.close);
  const client = await runner.session.client();
  const before: typeof client = {
    ...client,
    // The preview was for another seller; the account has changed its owner meanwhile.
    async prepare(input) {
      const prepared = await client.prepare(input);
      return { ...prepared, owner: { ...prepared.owner, sellerId: 'A1BEFORE' } };
    },
  };
  const upload = runner.run(
    writeOperation,
    {
      operation: 'createFeedDocument',
      document: { text: 'sku\tprice\n', contentType: 'text/tab-separated-values; charset=UTF-8' },
    },
    { session: { ...runner.session, client: async () => before } },
  );
  await expect(upload).rejects.toThrow(/^Account default has /);
  expect(runner.calls()).toEqual([]);
});

const UPLOAD = { operation: 'createFeedDocument' };
const TEXT = { text: 'sku\tprice\n', contentType: 'text/tab-separated-values; charset=UTF-8' };

it('a code for an upload is good for its account and for nobody else’s', async () => {
  const runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'code' });
  onTestFinished(runner.close);
  const { structured } = await runner.run(writeOperation, { ...UPLOAD, document: TEXT });
  const client = await runner.session.client();
  const prepare: typeof client.prepare = async (input) => {
    const made = await client.prepare(input);
    return { ...made, owner: { ...made.owner, login: { clientId: 'client-1', grant: 'another' } } };
  };
  const again = { ...UPLOAD, document: TEXT, confirmationCode: structured.confirmation_code };
  const session = { ...runner.session, client: async () => ({ ...client, prepare }) };
  await expect(runner.run(writeOperation, again, { session })).rejects.toThrow(
    'the account has other credentials, another seller or another address',
  );
  expect(runner.calls()).toEqual([]);
});

it.each([true, false])(
  'rows of buyers (%s) are agreed to by who sees them, and by no assistant',
  async (isPersonal) => {
    const runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'code' });
    onTestFinished(runner.close);
    const tables = await runner.session.tables('default');
    const rows: typeof tables.export = async (_sql, _options, save) => {
      const content = async function* () {
        yield Buffer.from('{"sku":"A","name":"Anna Schmidt"}\n');
      };
      const result = { columns: ['sku', 'name'], rows: [], total: 1, tables: [], notes: [] };
      const saved = await save(content(), { personal: isPersonal });
      return { saved, result, isPersonal, unresolved: 0, guarded: 0, long: 0, digits: 0, sums: [] };
    };
    const session = { ...runner.session, tables: async () => ({ ...tables, export: rows }) };
    const document = { query: 'SELECT sku, name FROM buyers', contentType: TEXT.contentType };
    const asked = runner.run(writeOperation, { ...UPLOAD, document }, { session });
    if (isPersonal) await expect(asked).rejects.toThrow('could confirm it here; nothing was sent');
    else expect((await asked).structured.outcome).toBe('needs_confirmation');
  },
);
