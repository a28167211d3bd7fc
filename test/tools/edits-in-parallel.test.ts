/** Edits that arrive together: none is lost, and a code never fits what another edit has made of the thing. */

import { afterEach, expect, it } from 'vitest';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const days = (changed: object) => ({
  configuration: { operationalConfiguration: { operatingHoursByDay: changed } },
});
const open = [{ startTime: '09:00', endTime: '18:00' }];

/** Keeps what is written, and takes its time, so that careless edits overlap. */
async function start(writes: string) {
  let current: object = days({ monday: open, sunday: open });
  runner = await startToolRunner(
    async ({ method, json }) => {
      const state = current;
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (method === 'GET') return { body: state };
      current = Object(json);
      return { status: 204 };
    },
    { SELLER_WRITES: writes },
  );
  return () => current;
}

it('both of two edits of one supply source are in the end there', async () => {
  const state = await start('allow');
  const results = await Promise.all(
    ['monday', 'sunday'].map((day) =>
      runner.run(updateSupplySource, { supplySourceId: 's-1', changes: days({ [day]: [] }) }),
    ),
  );
  for (const { structured } of results) expect(structured).toMatchObject({ read_back: { matches: true } });
  expect(state()).toEqual(days({ monday: [], sunday: [] }));
});

it('of two confirmed edits the second is refused, since its preview no longer holds', async () => {
  const state = await start('code');
  const edits = ['monday', 'sunday'].map((day) => ({ supplySourceId: 's-1', changes: days({ [day]: [] }) }));
  const confirmed = await Promise.all(
    edits.map(async (edit) => {
      const { structured } = await runner.run(updateSupplySource, edit);
      return { ...edit, confirmationCode: structured.confirmation_code };
    }),
  );
  const [one, two] = await Promise.allSettled(confirmed.map((edit) => runner.run(updateSupplySource, edit)));
  expect(one).toMatchObject({ status: 'fulfilled' });
  expect(two).toMatchObject({
    status: 'rejected',
    reason: { name: 'WriteRefusedError', message: expect.stringContaining('belongs to another content') },
  });
  expect(state()).toEqual(days({ monday: [], sunday: open }));
});
