/** Writes that ask the person, over the spawned program: a yes sends, anything else sends nothing, finally. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOST_ANSWERS_WITHIN_MS } from '../../src/render/client-user.ts';
import { callModern } from '../helpers/modern-call.ts';
import { CLOSE_ON_SUNDAYS, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { type RawServer, startRawServer } from '../helpers/raw-server.ts';
import { CLIENT_KINDS, connect, type Elicit, type Session } from '../helpers/sessions.ts';

/** After the time within which it may be the host's own answer. */
const later = async (action: 'decline' | 'cancel') => {
  await sleep(HOST_ANSWERS_WITHIN_MS + 100);
  return { action };
};

const edit = { supplySourceId: SHOP, changes: CLOSE_ON_SUNDAYS };

describe.each(CLIENT_KINDS)('%s', (kind) => {
  let outside: Outside;
  let session: Session;
  let answer: Elicit;
  beforeAll(async () => {
    outside = await startOutside();
    const elicit: Elicit = (request) => answer(request);
    session = await connect({ kind, args: outside.args, env: outside.env, elicit });
  });
  beforeEach(() => {
    answer = async () => ({ action: 'cancel' });
  });
  afterAll(async () => {
    await session.close();
    await outside.close();
  });

  it.each([
    ['decline', 'said no'],
    ['cancel', 'closed the question'],
  ] as const)('sends nothing and gives no code after %s', async (action, words) => {
    answer = () => later(action);
    const { isError, text, structured } = await session.call('update_supply_source', edit);
    expect(isError).toBe(true);
    expect(text).toContain(`The person ${words}; nothing was sent.`);
    expect(text).not.toMatch(/confirmationCode|[0-9a-z]{4}(-[0-9a-z]{4}){5}/i);
    expect(structured).toEqual({});
    expect(outside.received('updateSupplySource')).toEqual([]);
    expect((await outside.journal()).at(-1)).toMatchObject({ outcome: 'refused', body: expect.anything() });
  });

  it('asks again instead of taking a code', async () => {
    let asked = 0;
    answer = async () => {
      asked += 1;
      return { action: 'decline' };
    };
    const confirmationCode = 'aaaa-bbbb-cccc-dddd-eeee-ffff';
    const { isError } = await session.call('update_supply_source', { ...edit, confirmationCode });
    expect({ isError, asked }).toEqual({ isError: true, asked: 1 });
    expect(outside.received('updateSupplySource')).toEqual([]);
  });

  it('sends nothing when the yes comes after the call was cancelled', async () => {
    const caller = new AbortController();
    let answered: Promise<void> = Promise.resolve();
    answer = () => {
      caller.abort();
      const late = new Promise<{ action: 'accept' }>((resolve) =>
        setTimeout(() => resolve({ action: 'accept' }), 150),
      );
      answered = late.then(() => undefined);
      return late;
    };
    await expect(session.call('update_supply_source', edit, { signal: caller.signal })).rejects.toThrow();
    await answered;
    // Two more round trips: what the late yes could have set off would have been sent by now.
    await session.call('read_operation', {
      operation: 'getSupplySource',
      parameters: { supplySourceId: SHOP },
    });
    await session.call('exchange_token');
    expect(outside.received('updateSupplySource')).toEqual([]);
  });

  it('shows the person what changes and sends exactly that after a yes', async () => {
    let message = '';
    answer = async (request) => {
      message = request.message;
      return { action: 'accept' };
    };
    const { structured } = await session.call('update_supply_source', edit);
    expect(message).toContain('opening hours: Sundays 11:00-16:00 -> closed. Nothing else changes.');
    expect(structured).toMatchObject({ outcome: 'done', read_back: { matches: true } });
    expect(outside.received('updateSupplySource')).toMatchObject([{ body: CLOSE_ON_SUNDAYS }]);
    expect((await outside.journal()).at(-1)).toMatchObject({ outcome: 'done', id: structured.journal_id });
  });

  it('asks for any other write too', async () => {
    const messages: string[] = [];
    answer = async ({ message }) => {
      messages.push(message);
      return { action: 'accept' };
    };
    const { structured } = await session.call('write_operation', {
      operation: 'archiveSupplySource',
      parameters: { supplySourceId: SHOP },
    });
    expect(messages).toEqual([
      expect.stringMatching(
        /^Delete: Pike Street shop \(shop-pike-01\), status: "Active" -> "Archived"\. Nothing else changes\./,
      ),
    ]);
    expect(messages[0]).not.toMatch(/archiveSupplySource|DELETE/);
    expect(messages[0]).not.toContain(outside.env.SELLER_CLIENT_ID);
    expect(structured).toMatchObject({ outcome: 'done', status: 204 });
    expect((await outside.journal()).at(-1)).toMatchObject({
      operation: 'supply-sources/archiveSupplySource',
    });
  });
});

describe('an answer that the client made up', () => {
  let outside: Outside;
  let server: RawServer;
  const accept = { confirm: { action: 'accept', content: {} } };
  const ask = async (changes: object) => {
    const call = { name: 'update_supply_source', arguments: { supplySourceId: SHOP, changes } };
    const { result } = await callModern(server, call);
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    return { call, requestState: String(Object(result).requestState) };
  };
  beforeAll(async () => {
    outside = await startOutside();
    server = startRawServer(outside.args, outside.env);
  });
  afterAll(async () => {
    await server.stop();
    await outside.close();
  });

  it.each([
    ['no state', undefined],
    ['a state of its own', 'aaaa-bbbb-cccc-dddd-eeee-ffff'],
    ['a long state', 'x'.repeat(100_000)],
  ])('with %s sends nothing', async (_case, requestState) => {
    const { call } = await ask(CLOSE_ON_SUNDAYS);
    const { result } = await callModern(server, { ...call, inputResponses: accept, requestState });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain('nothing was sent');
    expect(outside.received('updateSupplySource')).toEqual([]);
  });

  it('to a question about another content sends nothing', async () => {
    const { requestState } = await ask({ alias: 'Harmless' });
    const { call } = await ask(CLOSE_ON_SUNDAYS);
    const { result } = await callModern(server, { ...call, inputResponses: accept, requestState });
    expect(JSON.stringify(result)).toContain('has changed since the person was asked');
    expect(outside.received('updateSupplySource')).toEqual([]);
  });

  it('is not turned into a confirmation code', async () => {
    const { call, requestState } = await ask(CLOSE_ON_SUNDAYS);
    const withCode = { ...call, arguments: { ...call.arguments, confirmationCode: requestState } };
    const { result } = await callModern(server, withCode, {});
    expect(result).toMatchObject({ isError: true });
    expect((await outside.journal()).at(-1)).toMatchObject({ outcome: 'refused' });
    expect(outside.received('updateSupplySource')).toEqual([]);
  });

  it('counts once', async () => {
    const { call, requestState } = await ask(CLOSE_ON_SUNDAYS);
    const answered = { ...call, inputResponses: accept, requestState };
    expect((await callModern(server, answered)).result).toMatchObject({
      structuredContent: { outcome: 'done' },
    });
    // It would change nothing now, and is not asked for again.
    expect((await callModern(server, answered)).result).toMatchObject({
      structuredContent: { outcome: 'no_change' },
    });
    expect(outside.received('updateSupplySource')).toHaveLength(1);
  });
});
