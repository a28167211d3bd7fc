import { describe, expect, it } from 'vitest';
import { CancelledError, TimeoutError } from '../../src/base/errors.ts';
import { openScope, waitFor } from '../../src/call/scope.ts';
import { fakeClock, settled } from '../helpers/fake-clock.ts';
import { failureOf } from '../helpers/test-client.ts';

describe('a call', () => {
  it('ends at its deadline, saying how long that was and what to do', async () => {
    const clock = fakeClock();
    const { ending, deadline } = openScope(clock, 50_000, []);
    expect(deadline - clock.now()).toBe(50_000);
    await clock.advance(49_999);
    expect(ending.aborted).toBe(false);
    await clock.advance(1);
    expect(ending.reason).toBeInstanceOf(TimeoutError);
    expect(ending.reason).toMatchObject({ fate: 'not-sent', message: expect.stringContaining('50 s') });
  });

  it('ends when any of its endings does, those before it included', async () => {
    const cancel = new AbortController();
    const { ending } = openScope(fakeClock(), 1000, [undefined, cancel.signal]);
    cancel.abort();
    expect(ending.reason).toBeInstanceOf(CancelledError);
    expect(openScope(fakeClock(), 1000, [cancel.signal]).ending.aborted).toBe(true);
  });

  it('leaves no timer behind', async () => {
    const clock = fakeClock();
    const scope = openScope(clock, 1000, []);
    scope.end();
    await settled();
    expect(clock.sleeping()).toBe(0);
    await clock.advance(2000);
    expect(scope.ending.aborted).toBe(false);
  });
});

describe('waiting', () => {
  it('ends with the signal while the work goes on, and its later failure harms nobody', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
    const leave = new AbortController();
    const left = failureOf(waitFor(work, leave.signal));
    leave.abort('left');
    expect(await left).toBe('left');
    expect(await failureOf(waitFor(work, leave.signal))).toBe('left');
    fail(new Error('nobody listens'));
    await settled();
  });

  it('hands on what the work gives', async () => {
    const { signal } = new AbortController();
    expect(await waitFor(Promise.resolve(1), signal)).toBe(1);
    expect(await failureOf(waitFor(Promise.reject(new Error('x')), signal))).toMatchObject({ message: 'x' });
  });
});
