import { expect, it } from 'vitest';
import { noteDispatch, parseDispatchSteps } from '../../../../src/write/run/items/dispatch-steps.ts';

const start = () => {
  const notes: unknown[] = [];
  const noted = noteDispatch({ note: async (step) => void notes.push(step) });
  return { ...noted, last: () => parseDispatchSteps(notes.at(-1)) };
};

it('a write that waits for its place under the limit has certainly not been sent', async () => {
  const { onRecorded, last } = start();
  expect(last()).toBeUndefined();
  await onRecorded('entry');
  expect(last()).toEqual({ sent: false, journal: 'entry' });
});

it('one that has left may have arrived, until it is refused for its limit', async () => {
  const { onRecorded, dispatchHooks, last } = start();
  await onRecorded('entry');
  await dispatchHooks.beforeDispatch();
  expect(last()).toEqual({ sent: true, journal: 'entry' });
  await dispatchHooks.onNotApplied();
  expect(last()).toEqual({ sent: false, journal: 'entry' });
});

it('an attempt without an answer stays in doubt, whatever becomes of the next one', async () => {
  const { onRecorded, dispatchHooks, last } = start();
  await onRecorded('entry');
  await dispatchHooks.beforeDispatch();
  await dispatchHooks.beforeDispatch();
  await dispatchHooks.onNotApplied();
  expect(last()).toEqual({ sent: true, journal: 'entry' });
});
