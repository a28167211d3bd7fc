import { expect, it } from 'vitest';
import { CancelSignal, onAbort } from '../../src/base/cancel-signal.ts';

it('a signal that is asked for tells what the ending does, whenever it is asked for', () => {
  const ending = new CancelSignal();
  const { signal } = ending;
  const reasons: unknown[] = [];
  onAbort(signal, () => reasons.push(signal.reason));
  signal.addEventListener('abort', () => reasons.push('listener'));
  ending.abort('over');
  ending.abort('again');
  expect(reasons).toEqual(['listener', 'over']);
  expect([ending.aborted, ending.reason]).toEqual([true, 'over']);
  expect(() => ending.throwIfAborted()).toThrow('over');
  const late = new CancelSignal();
  late.abort();
  expect(late.signal.aborted).toBe(true);
  expect(late.signal.reason).toBe(late.reason);
  expect(late.reason).toMatchObject({ name: 'AbortError' });
});

it('who has left is not told, of an ending of ours or of a signal', () => {
  const ending = new CancelSignal();
  const controller = new AbortController();
  let calls = 0;
  for (const stop of [ending, ending.signal, controller.signal]) {
    const leave = onAbort(stop, () => {
      calls += 1;
    });
    leave();
    onAbort(stop, () => {
      calls += 10;
    });
  }
  ending.abort();
  controller.abort();
  expect(calls).toBe(30);
});
