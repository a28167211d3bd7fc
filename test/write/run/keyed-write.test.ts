/** A purchase that must not happen twice: the key on the wire is the one in the journal, and works again. */

import { afterEach, expect, it } from 'vitest';
import { writeOperation } from '../../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../../helpers/tool-runner.ts';
import { createFolder, readEntries } from '../records/journal/helpers.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const KEY = 'x-amzn-IdempotencyKey';
const purchase = {
  operation: 'shipping/purchaseShipment@v2',
  body: {
    requestToken: 'request-1',
    rateId: 'rate-1',
    requestedDocumentSpecification: {
      format: 'PDF',
      size: { width: 4, length: 6, unit: 'INCH' },
      dpi: 300,
      pageLayout: 'DEFAULT',
      needFileJoining: false,
      requestedDocumentTypes: ['LABEL'],
    },
  },
};

it('is told after a failure whose fate is unknown, and sent again when it is given', async () => {
  const folder = await createFolder();
  let fails = true;
  runner = await startToolRunner(() => (fails ? { status: 505, body: [] } : { body: { payload: {} } }), {
    SELLER_WRITES: 'allow',
    SELLER_STATE_DIR: folder,
  });
  const failure: unknown = await runner.run(writeOperation, purchase).catch((error: unknown) => error);
  const entries = await readEntries(folder);
  const key = entries[0]?.idempotencyKey ?? 'none';
  expect(entries).toMatchObject([{ outcome: 'unknown', status: 505 }]);
  expect(runner.calls().map(({ headers }) => headers[KEY.toLowerCase()])).toEqual([key]);
  expect(failure).toMatchObject({
    hint: expect.stringContaining(`send the same with the parameter ${KEY} set to "${key}"`),
  });

  fails = false;
  await runner.run(writeOperation, { ...purchase, parameters: { [KEY]: key } });
  expect(runner.calls().map(({ headers }) => headers[KEY.toLowerCase()])).toEqual([key, key]);
});
