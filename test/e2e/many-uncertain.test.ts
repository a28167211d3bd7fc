/** Lists over a service that is slow to show, resets, or refuses for its limit: each item is told as what it is, and sent once. */

import { afterEach, expect, it } from 'vitest';
import { type Agreeing, openAgreeing } from '../helpers/many.ts';
import { type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';

const WAREHOUSE = 'c81d4e2e-0b6f-4f57-8a3d-91e7d5b20c44';
const handling = (value: number) => ({
  configuration: { operationalConfiguration: { handlingTime: { value, timeUnit: 'Days' } } },
});
const both = { supplySourceIds: [SHOP, WAREHOUSE], changes: handling(2) };

let outside: Outside;
let agreeing: Agreeing;
const start = async (options: Parameters<typeof startOutside>[0] = {}) => {
  outside = await startOutside(options);
  agreeing = await openAgreeing('code', outside);
};
afterEach(async () => {
  await agreeing.session.close();
  await outside.close();
});
const sent = (operation: string) => outside.received(operation).length;

it('an accepted change that is not seen yet is told so, with how to look again, and never as differing', async () => {
  await start({ readsUntilVisible: 5 });
  const value = [{ currency: 'USD', audience: 'ALL', our_price: [{ schedule: [{ value_with_tax: 21 }] }] }];
  const body = {
    productType: 'DRINKING_CUP',
    patches: [{ op: 'replace', path: '/attributes/purchasable_offer', value }],
  };
  const { structured, text, isError } = await agreeing.agree('write_operation', {
    operation: 'patchListingsItem',
    calls: [{ parameters: { sku: 'MUG-SAND-350', marketplaceIds: ['US'] }, body }],
  });
  expect(isError).toBe(false);
  expect(structured).toMatchObject({ outcome: 'accepted_not_visible', counts: { accepted_not_visible: 1 } });
  expect(text).toMatch(/^Accepted, not visible yet: 1 call of patchListingsItem/m);
  expect(text).toContain(
    'look again later with read_operation listings-items/getListingsItem; do not send it again.',
  );
  expect(structured).toMatchObject({ results: [{ outcome: 'accepted_not_visible' }] });
});

it('one whose answer was lost is read, and told as accepted where reading tells; nothing is sent again', async () => {
  await start();
  outside.sandbox.faults.next({ operation: 'updateSupplySource', reset: true, when: 'after' });
  const { structured, text } = await agreeing.agree('update_supply_source', both);
  expect(structured).toMatchObject({ outcome: 'done', counts: { accepted: 2 } });
  expect(text).toContain('It was sent without an answer; read again, the service has what was sent.');
  expect(sent('updateSupplySource')).toBe(2);
  expect((await outside.journal()).map(({ outcome }) => outcome)).toEqual(['done', 'done']);
});

it('one whose answer was lost is told as not known where reading does not tell', async () => {
  await start();
  outside.sandbox.faults.next({ operation: 'createSupplySource', reset: true, when: 'after' });
  const create = (code: string) => ({
    body: {
      supplySourceCode: code,
      alias: `Shop ${code}`,
      address: { name: 'Shop', addressLine1: '1 Road', countryCode: 'DE', stateOrRegion: 'HH' },
    },
  });
  const calls = [create('u-1'), create('u-2')];
  const { structured, text } = await agreeing.agree('write_operation', {
    operation: 'createSupplySource',
    calls,
  });
  expect(structured).toMatchObject({ outcome: 'partly_accepted', counts: { accepted: 1, unknown: 1 } });
  expect(text).toContain('not known whether it was applied');
  expect(text).toContain('Do not repeat what is not known: read it first');
  expect(sent('createSupplySource')).toBe(2);
});

it('what the service refuses for its limit is sent again until it is taken, and counts once', async () => {
  await start();
  outside.sandbox.faults.next({ operation: 'updateSupplySource', status: 429 });
  const { structured } = await agreeing.agree('update_supply_source', both);
  expect(structured).toMatchObject({ outcome: 'done', counts: { accepted: 2 } });
  expect(outside.received('updateSupplySource').filter(({ status }) => status === 204)).toHaveLength(2);
}, 60_000);

it('one that fails for good does not keep the others', async () => {
  await start();
  outside.sandbox.faults.next({
    operation: 'updateSupplySource',
    status: 403,
    body: [{ code: 'Unauthorized', message: 'No' }],
  });
  const { structured, text } = await agreeing.agree('update_supply_source', both);
  expect(structured).toMatchObject({ outcome: 'partly_accepted', counts: { accepted: 1 } });
  expect(text).toMatch(/^ {2}.*\((shop-pike-01|wh-north-01)\): /m);
});
