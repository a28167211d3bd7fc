/** No call tells whether a name that it brings is a buyer's: a session that knows the buyers answers like one that knows none. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpService } from '../helpers/http-service.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { ORDER, PEOPLE, SHOP_ORDER, startPeopleService } from '../helpers/planted-people.ts';
import { connect, type Session } from '../helpers/sessions.ts';

let service: HttpService;
const outsides: Outside[] = [];
const sessions: Session[] = [];
beforeAll(async () => {
  service = await startPeopleService();
  for (const knows of [true, false]) {
    const outside = await startOutside();
    outsides.push(outside);
    const session = await connect({
      args: [...outside.args, '--writes=code'],
      // The same application for both.
      env: { ...outsides[0]?.env, SELLER_BASE_URL: service.url, SELLER_AUTH_URL: service.url },
    });
    sessions.push(session);
    const known = await session.call('read_operation', {
      operation: 'outbound-fulfilment/getFulfillmentOrder',
      parameters: { sellerFulfillmentOrderId: knows ? SHOP_ORDER : 'none' },
    });
    expect(JSON.stringify(known).includes('«buyer name ')).toBe(knows);
  }
});
afterAll(async () => {
  for (const session of sessions) await session.close();
  for (const outside of outsides) await outside.close();
  await service.close();
});

const GUESSES = [PEOPLE.shopName, PEOPLE.shopStreet].flatMap((guess) => [
  guess,
  guess.toUpperCase(),
  guess.normalize('NFD'),
  encodeURIComponent(guess),
  `is it ${guess}, or Nobody Atall?`,
]);

it.each([
  ['an operation', 'describe_operation', (guess: string) => ({ operation: guess })],
  ['a search', 'list_known_operations', (guess: string) => ({ query: guess })],
  ['an operation to read', 'read_operation', (guess: string) => ({ operation: guess })],
  [
    'a parameter',
    'read_operation',
    (guess: string) => ({ operation: 'orders/getOrder', parameters: { orderId: 'x', [guess]: guess } }),
  ],
  [
    'what is to be shown of an answer',
    'read_operation',
    (guess: string) => ({
      operation: 'outbound-fulfilment/getFulfillmentOrder',
      parameters: { sellerFulfillmentOrderId: 'none' },
      select: [guess],
    }),
  ],
  ['an account', 'read_operation', (guess: string) => ({ operation: 'orders/getOrders', account: guess })],
  [
    'the preview of a write',
    'write_operation',
    (guess: string) => ({
      operation: 'outbound-fulfilment/cancelFulfillmentOrder',
      parameters: { sellerFulfillmentOrderId: guess },
      dryRun: true,
    }),
  ],
  [
    'a body',
    'write_operation',
    (guess: string) => ({
      operation: 'messaging/createUnexpectedProblem',
      parameters: { amazonOrderId: 'x', marketplaceIds: ['DE'] },
      body: { text: guess, [guess]: [guess] },
      dryRun: true,
    }),
  ],
])('%s', async (_what, tool, argsOf) => {
  for (const guess of GUESSES) {
    const [known, unknown] = await Promise.all(sessions.map((session) => session.call(tool, argsOf(guess))));
    expect({ ...known, links: [] }, guess).toEqual({ ...unknown, links: [] });
  }
});

it.each(['note', 'buyer_name', 'recipient'])('a guess in the column %s of each', async (column) => {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const [session] = sessions;
  if (session === undefined) throw new Error('no session');
  const guesses = [PEOPLE.newBuyer, PEOPLE.newRecipient, PEOPLE.newStreet, PEOPLE.newEmail, 'Nobody Atall'];
  for (const [at, guess] of guesses.entries()) {
    const table = `guessed_${column}_${at}`;
    const collected = await session.call('collect_data', {
      operation: 'orders/getOrder@2026-01-01',
      each: `SELECT ${quoted(ORDER)} AS orderId, ${quoted(guess)} AS ${column}, ${quoted(`for ${guess}, please`)} AS ${column}_text`,
      as: table,
    });
    expect(collected.isError, collected.text).toBe(false);
    const { structured } = await session.call('query_data', {
      sql: `SELECT ${column}, ${column}_text, error IS NULL AS is_answered FROM ${table}`,
    });
    expect(structured.rows).toEqual([[guess, `for ${guess}, please`, 1]]);
    const answer = await session.call('query_data', {
      sql: `SELECT example FROM columns WHERE table_name = '${table}' AND name = '${column}'`,
    });
    expect(answer.structured.rows).toEqual([[null]]);
  }
});
