/** The modes allow and deny, dry runs, and writes whose fate the caller cannot know. */

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLOSE_ON_SUNDAYS, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';
import { connect, type Session } from '../helpers/sessions.ts';

describe('--writes=deny', () => {
  let outside: Outside;
  let session: Session;
  beforeAll(async () => {
    outside = await startOutside();
    session = await connect({ args: [...outside.args, '--writes=deny'], env: outside.env });
  });
  afterAll(async () => {
    await session.close();
    await outside.close();
  });

  it.each([
    ['archiveSupplySource', { parameters: { supplySourceId: SHOP } }],
    ['updateSupplySource', { parameters: { supplySourceId: SHOP }, body: CLOSE_ON_SUNDAYS }],
  ])('%s is refused with the reason, and recorded', async (operation, args) => {
    const { isError, text } = await session.call('write_operation', {
      operation,
      ...args,
      confirmationCode: 'aaaa-bbbb-cccc-dddd-eeee-ffff',
    });
    expect(isError).toBe(true);
    expect(text).toContain('--writes=deny');
    expect(outside.sandbox.recorded().every(({ method }) => method === 'GET')).toBe(true);
    expect((await outside.journal()).at(-1)).toMatchObject({ outcome: 'refused' });
  });

  it('still previews, which leaves no journal line', async () => {
    const before = await outside.journal();
    const operation = 'updateSupplySource';
    const args = { operation, parameters: { supplySourceId: SHOP }, body: CLOSE_ON_SUNDAYS };
    const { structured } = await session.call('write_operation', { ...args, dryRun: true });
    expect(structured).toMatchObject({
      outcome: 'preview',
      request: { method: 'PUT', body: CLOSE_ON_SUNDAYS },
    });
    expect(structured).not.toHaveProperty('confirmation_code');
    expect(await outside.journal()).toEqual(before);
  });

  it('still reads', async () => {
    const { structured } = await session.call('read_operation', { operation: 'getSupplySources' });
    expect(structured).toMatchObject({ status: 200 });
  });
});

describe('--writes=allow', () => {
  let outside: Outside;
  let session: Session;
  beforeAll(async () => {
    outside = await startOutside();
    const args = [...outside.args, '--writes=allow', '--call-timeout-ms=5000'];
    session = await connect({ args, env: outside.env });
    // The first call loads the program's code: on a busy machine that alone can take longer than the limit.
    const warm = () => session.call('read_operation', { operation: 'getSupplySources' });
    await vi.waitFor(async () => expect((await warm()).isError).toBe(false), 30_000);
  }, 40_000);
  beforeEach(() => outside.sandbox.faults.clear());
  afterAll(async () => {
    await session.close();
    await outside.close();
  });
  const lastEntry = async () => (await outside.journal()).at(-1);

  it('sends the whole body as given', async () => {
    const body = { alias: 'Only this' };
    const { structured } = await session.call('update_supply_source', { supplySourceId: SHOP, ...body });
    expect(structured).toMatchObject({ outcome: 'done', read_back: { matches: true } });
    expect(outside.sandbox.written(SHOP)).toEqual(body);
  });

  it('tells a preview what a whole body would remove', async () => {
    const { text } = await session.call('update_supply_source', {
      supplySourceId: 'c81d4e2e-0b6f-4f57-8a3d-91e7d5b20c44',
      alias: 'North',
      dryRun: true,
    });
    expect(text).toMatch(/configuration.*removed/);
  });

  it('records what the service refused, with its own words', async () => {
    const body = [{ code: 'ResourceNotFound', message: 'gone in between' }];
    outside.sandbox.faults.next({ operation: 'updateSupplySourceStatus', status: 404, body });
    const { isError, text } = await session.call('write_operation', {
      operation: 'updateSupplySourceStatus',
      parameters: { supplySourceId: SHOP },
      body: { status: 'Active' },
    });
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringContaining('ResourceNotFound'),
    });
    expect(await lastEntry()).toMatchObject({ outcome: 'failed', status: 404 });
  });

  it.each([
    ['reset', { reset: true }],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['no HTTP', { raw: 'BYE\r\n\r\n' }],
  ] as const)('applied, then %s: says so after reading back, and sends it once', async (_case, fault) => {
    const before = outside.received('updateSupplySource').length;
    const alias = `Applied ${_case}`;
    outside.sandbox.faults.next({ operation: 'updateSupplySource', when: 'after', ...fault });
    const { isError, text } = await session.call('update_supply_source', { supplySourceId: SHOP, alias });
    expect(isError).toBe(true);
    expect(text).toContain('may have been applied');
    expect(text).toContain('so the write was applied. Do not repeat it.');
    expect(outside.received('updateSupplySource')).toHaveLength(before + 1);
    expect(await lastEntry()).toMatchObject({ outcome: 'unknown' });
  });

  it('no answer in time: says that it may have been applied, and never sends it again', async () => {
    const before = outside.received('updateSupplySource').length;
    outside.sandbox.faults.next({ operation: 'updateSupplySource', delayMs: 6_000 });
    const { isError, text } = await session.call('update_supply_source', {
      supplySourceId: SHOP,
      alias: 'Late',
    });
    expect(isError).toBe(true);
    expect(text).toMatch(/did not answer updateSupplySource within 5 s[\s\S]*may have been applied/);
    expect(await lastEntry()).toMatchObject({ outcome: 'unknown' });
    await vi.waitFor(() => expect(outside.received('updateSupplySource')).toHaveLength(before + 1), 5_000);
  });

  it('not applied, then a reset: says that it may still be on its way', async () => {
    outside.sandbox.faults.next({ operation: 'updateSupplySource', reset: true });
    const { isError, text } = await session.call('update_supply_source', {
      supplySourceId: SHOP,
      alias: 'Lost',
    });
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringContaining('may still be on its way'),
    });
    expect(await lastEntry()).toMatchObject({ outcome: 'unknown', differences: [{ path: 'alias' }] });
  });

  it('a read-back that fails does not hide that the write is done', async () => {
    outside.sandbox.faults.next({ operation: 'updateSupplySource', delayMs: 1 });
    const pending = session.call('update_supply_source', { supplySourceId: SHOP, alias: 'Half seen' });
    // The first read is the state before; the fault meets the one after.
    outside.sandbox.faults.next({ operation: 'getSupplySource', delayMs: 1 });
    outside.sandbox.faults.next({ operation: 'getSupplySource', times: 9, status: 404, body: [] });
    const { isError, structured, text } = await pending;
    expect({ isError, outcome: structured.outcome }).toEqual({ isError: false, outcome: 'done' });
    expect(text).toContain('could not be read back');
  });

  it('a journal that cannot be written stops the write', async () => {
    const others = outside.args.filter((_, at, all) => ![all[at], all[at - 1]].includes('--state-dir'));
    const args = [...others, '--writes=allow', '--state-dir=/dev/null/state'];
    const other = await connect({ args, env: outside.env });
    const before = outside.received('updateSupplySource').length;
    try {
      const { isError, text } = await other.call('update_supply_source', {
        supplySourceId: SHOP,
        alias: 'x',
      });
      expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('journal') });
    } finally {
      await other.close();
    }
    expect(outside.received('updateSupplySource')).toHaveLength(before);
  });

  it('history shows the same entries', async () => {
    const { code, stdout } = await runProgram(['history', '--json', ...outside.args], { env: outside.env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ entries: await outside.journal() });
  });
});
