/**
 * A write whose process was frozen just before its first byte is not sent any more, because another process
 * may have reported it as not sent by then.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { WriteTooLateError } from '../../../src/base/errors.ts';
import type { Layer } from '../../../src/call/api-request.ts';
import { standardLayers } from '../../../src/call/layers.ts';
import { MAX_CLAIM_MS } from '../../../src/call/pacing/too-late.ts';
import { type FakeClock, fakeClock } from '../../helpers/fake-clock.ts';
import { startHttpService } from '../../helpers/http-service.ts';
import { failureOf, operation, setUp, type TestSetup, writeOperation } from '../../helpers/test-client.ts';

let setup: TestSetup | undefined;
afterEach(() => setup?.close());

const call = { operation: writeOperation(), parameters: {}, body: { price: 1 }, account: 'default' };

/** Sends a write. @param freeze runs between the moment when the write is let go and its first byte */
async function send(freeze: (clock: FakeClock) => unknown) {
  const clock = fakeClock();
  setup = await setUp(() => ({ body: {} }), { client: { clock } });
  let refused = 0;
  const dispatchHooks = {
    beforeDispatch: async () => void (await freeze(clock)),
    onNotApplied: async () => {
      refused += 1;
    },
  };
  const error = await setup.client.call(call, { dispatchHooks }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, refused, sent: setup.calls().length };
}

describe('a write that is let go', () => {
  it.each([
    ['the process stood still', (clock: FakeClock) => clock.advance(MAX_CLAIM_MS + 1)],
    ['the computer slept, and its clock stood still', (clock: FakeClock) => clock.jump(MAX_CLAIM_MS + 1)],
    ['the clock was set back, and nobody knows for how long', (clock: FakeClock) => clock.jump(-3_600_000)],
  ])('does not leave where %s, and that is noted', async (_why, freeze) => {
    const { error, refused, sent } = await send(freeze);
    expect(error).toBeInstanceOf(WriteTooLateError);
    expect({ refused, sent }).toEqual({ refused: 1, sent: 0 });
  });

  it('leaves within the time that its claim is good for', async () => {
    const { error, refused, sent } = await send((clock) => clock.advance(MAX_CLAIM_MS - 1));
    expect({ error, refused, sent }).toEqual({ error: undefined, refused: 0, sent: 1 });
  });

  it('does not leave after the time of its call, also where no list has claimed it; a read does', async () => {
    const clock = fakeClock();
    /** Lets the clock jump while the call waits for its slot. */
    const sleeps: Layer = (next) => (request) => {
      clock.jump(3_600_000);
      return next(request);
    };
    const layers: typeof standardLayers = (parts) => [...standardLayers(parts), sleeps];
    setup = await setUp(() => ({ body: {} }), { client: { clock, layers } });
    expect(await failureOf(setup.client.call(call))).toBeInstanceOf(WriteTooLateError);
    expect(setup.calls()).toEqual([]);
    await setup.client.call({ operation: operation(), parameters: {}, account: 'default' });
    expect(setup.calls()).toHaveLength(1);
  });
});

/** Reads the state of a process as Linux reports it: T is a stopped one. */
const stateOf = ({ pid }: ChildProcess) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];

// Only Linux has /proc, which tells that SIGSTOP has stopped the process; the gate's Linux job always runs it.
const canStop = process.platform === 'linux';
if (!canStop) process.stderr.write('Skipped: a write whose process is stopped (no /proc)\n');

// Skipped on other systems, never in the gate on Linux (see canStop).
describe.skipIf(!canStop)('a real process', () => {
  it.each([
    ['longer than its claim is good for', MAX_CLAIM_MS + 500, 'taken back, WriteTooLateError', 0],
    ['for a moment', 100, 'sent', 1],
  ])(
    'that was stopped just before the first byte, %s',
    async (_how, ms, said, arrived) => {
      const service = await startHttpService(({ path }) => ({
        body: path === '/auth/o2/token' ? { access_token: 't', token_type: 'bearer', expires_in: 3600 } : {},
      }));
      const program = join(inject('programs'), 'frozen-process.mjs');
      const child = spawn(process.execPath, [program, service.url], { stdio: ['ignore', 'pipe', 'inherit'] });
      const output = child.stdout.setEncoding('utf8').toArray();
      const ended = once(child, 'close');
      while (stateOf(child) !== 'T') await sleep(20);
      await sleep(ms);
      child.kill('SIGCONT');
      await ended;
      expect((await output).join('')).toBe(`${said}\n`);
      expect(service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(arrived);
      await service.close();
    },
    60_000,
  );
});
