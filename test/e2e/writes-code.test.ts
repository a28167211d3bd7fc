/** Writes where the client cannot ask: a code that binds exactly the content that was previewed, once. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLOSE_ON_SUNDAYS, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

let outside: Outside;
let session: Session;
const edit = { supplySourceId: SHOP, changes: CLOSE_ON_SUNDAYS };
const setStatus = (status: string, more: object = {}) =>
  session.call('write_operation', {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: SHOP },
    body: { status },
    ...more,
  });
const codeFor = async (status: string) => (await setStatus(status)).structured.confirmation_code;
const sent = () => outside.received('updateSupplySourceStatus').length;

beforeAll(async () => {
  outside = await startOutside();
  // The person could be asked, and the setting says code all the same.
  session = await connect({
    args: [...outside.args, '--writes=code'],
    env: outside.env,
    elicit: async () => ({ action: 'accept' }),
  });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

describe('a confirmation code', () => {
  it('says what it is and what it does not prove', async () => {
    const { text, structured } = await session.call('update_supply_source', edit);
    expect(structured).toMatchObject({ outcome: 'needs_confirmation', account: 'default' });
    expect(text).toContain('nothing was sent yet');
    expect(text).toContain('does not prove');
    expect(outside.received('updateSupplySource')).toEqual([]);
  });

  it('sends once; used twice it is refused', async () => {
    const confirmationCode = await codeFor('Inactive');
    expect((await setStatus('Inactive', { confirmationCode })).structured).toMatchObject({ outcome: 'done' });
    const [done] = (await outside.journal()).slice(-1);
    // A change of nothing has nothing to refuse.
    expect((await setStatus('Inactive', { confirmationCode })).structured.outcome).toBe('no_change');
    await setStatus('Active', { confirmationCode: await codeFor('Active') });
    const again = await setStatus('Inactive', { confirmationCode });
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining('was used already') });
    expect(sent()).toBe(2);
    const [refused] = (await outside.journal()).slice(-1);
    expect(done).toMatchObject({ outcome: 'done', status: 204 });
    expect(refused).toMatchObject({ outcome: 'refused', error: expect.stringContaining('used already') });
  });

  it.each([
    ['another body', { body: { status: 'Inactive', reason: 'moved' } }],
    ['another operation', { operation: 'archiveSupplySource', body: undefined }],
    ['another supply source', { parameters: { supplySourceId: 'c81d4e2e-0b6f-4f57-8a3d-91e7d5b20c44' } }],
    ['another account', { account: 'second' }],
  ])('is refused for %s, and still works for its own', async (_case, other) => {
    const writes = () =>
      outside.sandbox.recorded().filter(({ method }) => !['GET', 'POST'].includes(method)).length;
    const before = writes();
    const confirmationCode = await codeFor('Inactive');
    const wrong = await setStatus('Inactive', { ...other, confirmationCode });
    expect(wrong.isError).toBe(true);
    // The state is read for the preview; nothing is changed.
    expect(writes()).toBe(before);
    const right = await setStatus('Inactive', { confirmationCode });
    expect(right.structured).toMatchObject({ outcome: 'done' });
    await setStatus('Active', { confirmationCode: await codeFor('Active') });
  });

  it.each([['nonsense'], [''], ['aaaa-bbbb-cccc-dddd-eeee-ffff'], ['x'.repeat(10_000)]])(
    'that is made up (%.20s) is refused',
    async (confirmationCode) => {
      const before = sent();
      expect((await setStatus('Inactive', { confirmationCode })).isError).toBe(true);
      expect(sent()).toBe(before);
    },
  );

  it('of another process is refused', async () => {
    const other = await connect({ args: [...outside.args, '--writes=code'], env: outside.env });
    try {
      const { structured } = await other.call('update_supply_source', edit);
      const confirmationCode = structured.confirmation_code;
      const { isError, text } = await session.call('update_supply_source', { ...edit, confirmationCode });
      expect({ isError, text }).toMatchObject({
        isError: true,
        text: expect.stringContaining('another process'),
      });
    } finally {
      await other.close();
    }
    expect(outside.received('updateSupplySource')).toEqual([]);
  });

  it('is refused when the state has changed since the preview', async () => {
    const { structured } = await session.call('update_supply_source', edit);
    const confirmationCode = structured.confirmation_code;
    const rename = { supplySourceId: SHOP, changes: { alias: 'Renamed in between' } };
    const code = (await session.call('update_supply_source', rename)).structured.confirmation_code;
    await session.call('update_supply_source', { ...rename, confirmationCode: code });
    const late = await session.call('update_supply_source', { ...edit, confirmationCode });
    expect(late).toMatchObject({ isError: true, text: expect.stringContaining('another content') });
    expect(outside.received('updateSupplySource')).toHaveLength(1);
  });
});
