/** A list that is cut off, over the spawned program: nothing is sent twice, nothing that was not shown, and every item is told. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Agreeing, openAgreeing } from '../helpers/many.ts';
import { type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

const COUNT = 24;
const SLOW_MS = 400;
const create = {
  operation: 'createSupplySource',
  calls: Array.from({ length: COUNT }, (_, at) => ({
    body: {
      supplySourceCode: `m-${at}`,
      alias: `Shop ${at}`,
      address: { name: 'Shop', addressLine1: '1 Road', countryCode: 'DE', stateOrRegion: 'HH' },
    },
  })),
};

let outside: Outside;
let opened: Session[];
beforeEach(async () => {
  outside = await startOutside();
  opened = [];
});
afterEach(async () => {
  for (const session of opened) await session.close();
  await outside.close();
});
const codes = () => outside.received('createSupplySource').map(({ body }) => Object(body).supplySourceCode);
const slow = (times = 1_000) =>
  outside.sandbox.faults.next({ operation: 'createSupplySource', delayMs: SLOW_MS, times });
const open = async (more: readonly string[] = []): Promise<Agreeing> => {
  const agreeing = await openAgreeing('code', outside, more, true);
  opened.push(agreeing.session);
  return agreeing;
};

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('It never came to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a process that is killed in the middle', () => {
  it('leaves a list that the same call of another goes on with, without a code; each is sent at most once', async () => {
    slow();
    const first = await open();
    const { structured } = await first.session.call('write_operation', create);
    const confirmed = { ...create, confirmationCode: structured.confirmation_code };
    const cut = first.session.call('write_operation', confirmed).catch(() => undefined);
    await until(() => codes().length > 9);
    process.kill(first.session.pid() ?? 0, 'SIGKILL');
    await cut;
    // The requests that had left the process may still arrive.
    await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_MS));
    const before = codes().length;
    expect(before).toBeLessThan(COUNT);
    outside.sandbox.faults.clear();

    const next = await open();
    const other = await next.session.call('write_operation', {
      operation: 'updateSupplySourceStatus',
      dryRun: true,
      parameters: { supplySourceId: SHOP },
      body: { status: 'Inactive' },
    });
    expect(other.text).toMatch(/Unfinished: 24 calls of createSupplySource \(write_operation, batch \w{8}/);
    expect(other.structured).toMatchObject({
      unfinished: [expect.stringContaining('The same call, without a code, goes on')],
    });
    // A server that starts anew sends nothing by itself.
    expect(codes()).toHaveLength(before);

    const gone = await next.session.call('write_operation', create);
    expect(new Set(codes()).size).toBe(codes().length);
    expect(codes().length).toBeLessThanOrEqual(COUNT);
    const { counts } = Object(gone.structured);
    const { accepted = 0, unknown = 0, failed = 0 } = counts;
    expect(accepted + unknown + failed).toBe(COUNT);
    expect(accepted).toBeGreaterThan(0);
    expect(gone.text).toMatch(/24 calls of createSupplySource, account default: /);
    // A write in flight is reported as unknown and is never sent again.
    if (unknown > 0) expect(gone.text).toContain('Do not repeat what is not known: read it first');

    const again = await next.session.call('write_operation', create);
    expect(again.structured).toMatchObject({ outcome: 'needs_confirmation' });
    expect(again.structured).not.toHaveProperty('unfinished');
  });
});

describe('a list that takes longer than a call', () => {
  it('is told as under way, by the same call again, and to its end; other writes tell it too', async () => {
    slow();
    const { session, agree } = await open(['--call-timeout-ms=4000']);
    const first = await agree('write_operation', create);
    expect(first.structured).toMatchObject({ outcome: 'under_way', items: COUNT });
    expect(first.text).toMatch(/^Under way: 24 calls of createSupplySource.* not sent yet\.$/m);
    expect(first.text).toContain(
      'Call again with the same arguments to see how far it is (no code, no new question)',
    );
    let last = first;
    for (let calls = 0; last.structured.outcome === 'under_way' && calls < 20; calls += 1)
      last = await session.call('write_operation', create);
    expect(last.structured).toMatchObject({ outcome: 'done', counts: { accepted: COUNT } });
    expect(codes()).toHaveLength(COUNT);
  });

  it('ends between two items with stop: true, for good, and the rest is told as not sent', async () => {
    slow();
    const { session, agree } = await open(['--call-timeout-ms=3500']);
    expect((await agree('write_operation', create)).structured).toMatchObject({ outcome: 'under_way' });
    const stopped = await session.call('write_operation', { ...create, stop: true });
    expect(stopped.structured).toMatchObject({
      outcome: 'stopped',
      counts: { not_sent: expect.any(Number) },
    });
    expect(stopped.text).toMatch(/^Stopped: 24 calls of createSupplySource/m);
    const sent = codes().length;
    expect(sent).toBeLessThan(COUNT);
    const { counts } = Object(stopped.structured);
    expect(counts.accepted + counts.not_sent).toBe(COUNT);
    expect(counts.accepted).toBe(sent);
    await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_MS));
    expect(codes()).toHaveLength(sent);
    const none = await session.call('write_operation', { ...create, stop: true });
    expect(none).toMatchObject({ isError: true, text: expect.stringContaining('Nothing is under way') });
  });

  it('goes on when the client cancels the call, and is told to the next one', async () => {
    slow();
    const { session } = await open();
    const { structured } = await session.call('write_operation', create);
    const caller = new AbortController();
    const confirmed = { ...create, confirmationCode: structured.confirmation_code };
    const cut = session.call('write_operation', confirmed, { signal: caller.signal }).catch(() => 'cut');
    await until(() => codes().length > 0);
    caller.abort();
    expect(await cut).toBe('cut');
    const answer = await session.call('write_operation', create);
    expect(answer.structured).toMatchObject({ outcome: 'done', counts: { accepted: COUNT } });
    expect(codes()).toHaveLength(COUNT);
  });

  it('is sent by one of two processes, and the other one tells how far it is', async () => {
    slow();
    const [one, other] = [await open(['--call-timeout-ms=3500']), await open(['--call-timeout-ms=3500'])];
    expect((await one.agree('write_operation', create)).structured).toMatchObject({ outcome: 'under_way' });
    let last = await other.session.call('write_operation', create);
    expect(last.structured).toMatchObject({ items: COUNT });
    for (let calls = 0; last.structured.outcome === 'under_way' && calls < 20; calls += 1)
      last = await other.session.call('write_operation', create);
    expect(last.structured).toMatchObject({ outcome: 'done', counts: { accepted: COUNT } });
    expect(codes()).toHaveLength(COUNT);
  });

  it('tells how far it is to a client that asks for progress', async () => {
    slow();
    const session = await connect({ args: [...outside.args, '--writes=allow'], env: outside.env });
    opened.push(session);
    const messages: string[] = [];
    await session.call('write_operation', create, { onprogress: (message) => messages.push(message) });
    expect(messages).toContainEqual(expect.stringMatching(/^\d+ of 24 done/));
  });
});
