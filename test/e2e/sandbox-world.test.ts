/** The program with its embedded sandbox: a seller's world to ask about, and a word about what is not played. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_WORDS } from '../../src/protocol/instructions.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';
import { connect, type Session } from '../helpers/sessions.ts';

let outside: Outside;
let session: Session;
beforeAll(async () => {
  outside = await startOutside();
  session = await connect({ args: ['--sandbox', ...outside.args], env: outside.env });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

it('what is new has an answer on the first day, and the first answer says that nobody is real', async () => {
  const review = () => session.call('review_listings');
  const { text, structured } = await review();
  expect(text).toMatch(/United States, since 20\d\d-.* have other prices: .* have less or no suppression/);
  expect(structured.session).toBe(DEMO_WORDS);
  expect((await review()).structured.session).toBeUndefined();
});

it('says in one line that the demo account does not have an operation', async () => {
  const { isError, text } = await session.call('read_operation', {
    operation: 'notifications/getDestinations',
  });
  expect(isError).toBe(true);
  expect(text).toBe(
    'getDestinations: «The demo account does not have this (getDestinations). The real service has it.»',
  );
  const write = { operation: 'confirmShipment', parameters: { orderId: '1' }, body: {}, dryRun: true };
  expect((await session.call('write_operation', write)).text).toContain('does not have confirmShipment;');
  const gone = await session.call('read_operation', {
    operation: 'getListingsItem',
    parameters: { sku: 'NO-SUCH', marketplaceIds: ['US'] },
  });
  expectOnlyIn('Check the identifier', gone.text, text);
});

it.each([
  ['searchListingsItems', { withIssueSeverity: ['ERROR'] }, 'numberOfResults: 37'],
  ['searchOrders', { createdAfter: '2020-01-01T00:00:00Z', maxResultsPerPage: 1 }, 'orders (1)'],
  ['getReports', { reportTypes: ['GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2'] }, 'reports (10)'],
  ['transfers/listPayouts', {}, 'currentStatus: PAID'],
  ['getMyFeesEstimateForSKU', { SellerSKU: 'SHLF-OAK-S' }, 'TotalFeesEstimate'],
])('answers %s', async (operation, parameters, told) => {
  const { isError, text } = await session.call('read_operation', { operation, parameters });
  expect(isError).not.toBe(true);
  expect(text).toContain(told);
});

it('a question says that it is the sandbox, and names no address', async () => {
  const { text, structured } = await session.call('change_listings', {
    items: [{ sku: 'LAMP-OAK-E27', set: { price: 65 } }],
    dryRun: true,
  });
  const target = 'the demo account on this computer; nothing reaches Amazon';
  expect(text).toContain(`\nSent to: ${target}\nFor the assistant: `);
  expect(structured).toMatchObject({ seller: { sent_to: target } });
});

it('what was collected from the sandbox is there until it is reset, whichever server of it ends', async () => {
  const open = () => connect({ args: ['--sandbox', ...outside.args], env: outside.env });
  const [own, other] = [await open(), await open()];
  const operation = { operation: 'searchListingsItems', parameters: { marketplaceIds: ['US'] } };
  // The work may outlast the call on a busy machine; the answer then says "call again".
  const collect = async () => (await own.call('collect_data', operation)).structured.state;
  await expect.poll(collect).toBe('done');
  const count = { sql: 'SELECT count(*) AS n FROM items' };
  const { structured: before } = await other.call('query_data', count);
  await other.close();
  expect((await own.call('query_data', count)).structured.rows).toEqual(before.rows);
  await own.close();
  const next = await open();
  expect((await next.call('query_data', count)).structured.rows).toEqual(before.rows);
  await next.close();
  await runProgram(['sandbox', 'reset', ...outside.args], { env: outside.env });
  const anew = await open();
  expect((await anew.call('query_data', count)).isError).toBe(true);
  await anew.close();
});
