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
