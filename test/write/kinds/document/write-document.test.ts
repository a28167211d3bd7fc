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
    // Who was shown it: meanwhile the account has become another's.
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
