import { expect, it } from 'vitest';
import { notedOf, noteLeaving } from '../../../../src/write/run/items/note-leaving.ts';

const start = () => {
  const notes: unknown[] = [];
  const noted = noteLeaving({ note: async (step) => void notes.push(step) });
  return { ...noted, last: () => notedOf(notes.at(-1)) };
};

it('a write that waits for its place under the limit has certainly not been sent', async () => {
  const { began, last } = start();
  expect(last()).toBeUndefined();
  await began('entry');
  expect(last()).toEqual({ sent: false, journal: 'entry' });
});

it('one that has left may have arrived, until it is refused for its limit', async () => {
  const { began, leaving, last } = start();
  await began('entry');
  await leaving.begin();
  expect(last()).toEqual({ sent: true, journal: 'entry' });
  await leaving.refused();
  expect(last()).toEqual({ sent: false, journal: 'entry' });
});

it('an attempt without an answer stays in doubt, whatever becomes of the next one', async () => {
  const { began, leaving, last } = start();
  await began('entry');
  await leaving.begin();
  await leaving.begin();
  await leaving.refused();
  expect(last()).toEqual({ sent: true, journal: 'entry' });
});
