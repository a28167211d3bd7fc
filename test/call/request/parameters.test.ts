import { afterEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { failureOf, setUp, type TestSetup, writeOperation } from '../../helpers/test-client.ts';

let setup: TestSetup;
afterEach(() => setup.close());

const HEADER = 'x-amzn-IdempotencyKey';
const inHeader: Partial<Operation> = {
  method: 'POST',
  idempotencyKey: { in: 'header', name: HEADER },
  parameters: [{ name: HEADER, in: 'header', required: true, schema: { type: 'string' } }],
};
const inBody: Partial<Operation> = { method: 'POST', idempotencyKey: { in: 'body', name: 'token' } };

/** The first attempt fails with 500, which only a repeatable write survives. */
async function failingOnce() {
  let attempts = 0;
  setup = await setUp(() => (++attempts % 2 === 1 ? { status: 500 } : { body: {} }));
}
const call = (fields: Partial<Operation>, parameters = {}, body: unknown = { a: 1 }) =>
  setup.client.call({ operation: writeOperation(fields), parameters, body, account: 'default' });
const keys = () => setup.calls().map(({ headers }) => headers[HEADER.toLowerCase()]);
const tokens = () => setup.calls().map(({ json }) => JSON.parse(JSON.stringify(json)).token);

describe('an idempotency key', () => {
  it('is made once per call, kept over its retries, and makes the write repeatable', async () => {
    await failingOnce();
    await call(inHeader);
    await call(inHeader);
    const [a, b, c, d] = keys();
    expect(a).toMatch(/^[0-9a-f-]{36}$/);
    expect([b, d]).toEqual([a, c]);
    expect(c).not.toBe(a);
  });

  it('goes into the body where the operation takes it there', async () => {
    await failingOnce();
    await call(inBody);
    const [a, b] = tokens();
    expect(a).toMatch(/^[0-9a-f-]{36}$/);
    expect(b).toBe(a);
    expect(setup.calls()[0]?.json).toMatchObject({ a: 1 });
  });

  it("is the caller's where there is one", async () => {
    await failingOnce();
    await call(inHeader, { [HEADER]: 'mine' });
    await call(inBody, {}, { token: 'mine too' });
    expect(keys().slice(0, 2)).toEqual(['mine', 'mine']);
    expect(tokens().slice(2)).toEqual(['mine too', 'mine too']);
  });

  it('is one that was chosen before, where the arguments hold none', async () => {
    await failingOnce();
    const chosen = { account: 'default', body: { a: 1 }, parameters: {}, idempotencyKey: 'chosen' };
    const inTheHeader = await setup.client.call({ ...chosen, operation: writeOperation(inHeader) });
    const inTheBody = await setup.client.call({ ...chosen, operation: writeOperation(inBody) });
    expect(keys().slice(0, 2)).toEqual(['chosen', 'chosen']);
    expect(tokens().slice(2)).toEqual(['chosen', 'chosen']);
    expect([inTheHeader.idempotencyKey, inTheBody.idempotencyKey]).toEqual(['chosen', 'chosen']);
    expect((await call(inHeader, { [HEADER]: 'mine' })).idempotencyKey).toBe('mine');
  });

  it('is told by the error of a write that may have been applied, and by no other', async () => {
    let status = 500;
    setup = await setUp(() => ({ status }));
    expect(await failureOf(call(inHeader, { [HEADER]: 'mine' }))).toMatchObject({
      mayHaveBeenApplied: true,
      idempotencyKey: 'mine',
    });
    status = 400;
    const refused = await failureOf(call(inHeader, { [HEADER]: 'mine' }));
    expect(refused).toMatchObject({ status: 400, mayHaveBeenApplied: false });
    expect(refused).not.toHaveProperty('idempotencyKey', 'mine');
  });

  it('without one the write is not repeated and says that it may have been applied', async () => {
    await failingOnce();
    await expect(call({})).rejects.toMatchObject({
      status: 500,
      mayHaveBeenApplied: true,
      hint: expect.stringContaining('read /things/v1/things back'),
    });
    expect(setup.calls()).toHaveLength(1);
  });
});
